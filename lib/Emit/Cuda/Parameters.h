// The parameters of the kernel, which come into being when the text first mentions them, and its
// signature.
#pragma once

#include "Emit/Cuda/PrinterPart.h"

#include <map>

namespace sluice::cuda {

class ParameterPrinter : public PrinterPart {
public:
  ParameterPrinter(PrinterState &state, PrinterParts &parts);

  std::string pointer(int tensor);
  std::string extent(int tensor, int dim);
  std::string stride(int tensor, int dim);
  std::string argument(int argument);
  std::string tensorMap(TensorMapPlan plan);
  std::string addMemory(Tensor tensor, const std::string &type);

  const LaunchPlan &plan() const { return plan_; }
  // Once all are there:
  void sortParameters();
  Text signature() const;
  void prefetchMaps(Text &text) const;

private:
  std::string parameter(KernelParameter::Kind kind, int object, int dim, const std::string &wanted);
  std::string parameterType(const KernelParameter &p) const;

  LaunchPlan plan_;
  std::map<std::pair<int, int>, std::string> extentNames_;
  std::vector<std::string> memoryTypes_; // of parameters beside the program's
};

} // namespace sluice::cuda
