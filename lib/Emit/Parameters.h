// The parameters of the kernel, which come into being when the text first mentions them.
#pragma once

#include "Emit/Part.h"

#include <map>
#include <string>
#include <utility>

namespace sluice::emit {

class ParameterPrinter : public Part {
public:
  explicit ParameterPrinter(State &state);

  std::string pointer(int tensor);
  std::string extent(int tensor, int dim);
  std::string stride(int tensor, int dim);
  /// Of a tensor that is passed as one line.
  std::string elements(int tensor);
  std::string argument(int argument);

  const LaunchPlan &plan() const { return plan_; }
  /// Once all are there.
  void sortParameters();

protected:
  ~ParameterPrinter() = default;

  std::string parameter(KernelParameter::Kind kind, int object, int dim, const std::string &wanted);
  /// "i64 " and the like, of a parameter that is a number.
  std::string numberType(const KernelParameter &p) const;

  LaunchPlan plan_;

private:
  std::map<std::pair<int, int>, std::string> extentNames_;
};

} // namespace sluice::emit
