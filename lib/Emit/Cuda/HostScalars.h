// Extents of the grid as C++ of the host: from extents of tensors and arguments of the kernel.
#pragma once

#include "Machine/Program.h"

#include <map>

namespace sluice::cuda {

class HostScalars {
public:
  explicit HostScalars(const Program &program);
  std::vector<std::string> grid();
  /// Whether everything asked for so far has a form on the host.
  bool known() const { return known_; }

private:
  std::string text(ValueId v);

  const Program &program_;
  std::map<ValueId, const Scalar *> definitions_;
  const Grid *grid_ = nullptr;
  bool known_ = true;
};

} // namespace sluice::cuda
