// What a host computes before a launch, as C++: from extents of tensors and arguments of the
// kernel.
#pragma once

#include "Program/Program.h"

#include <functional>
#include <map>

namespace sluice {

class HostScalars {
public:
  explicit HostScalars(const Program &program);
  std::vector<std::string> grid();
  /// An assumption's condition; `extent` is what the host calls an extent.
  using Extent = std::function<std::string(const Scalar &)>;
  std::string condition(const Assumption &assumption, const Extent &extent);
  /// Whether everything asked for so far has a form on the host.
  bool known() const { return known_; }

private:
  using Definitions = std::map<ValueId, const Scalar *>;
  std::string text(ValueId v, const Definitions &definitions, const Extent &extent);
  std::string operation(const Scalar &s, const std::vector<std::string> &operands);
  std::string infix(const Scalar &s, const std::vector<std::string> &operands);
  static bool isNarrow(ValueId v, const Definitions &definitions);
  static bool isPositive(const std::string &operand);

  const Program &program_;
  Definitions definitions_;
  const Grid *grid_ = nullptr;
  bool known_ = true;
};

} // namespace sluice
