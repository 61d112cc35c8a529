// Parameters of a CUDA kernel: tensor maps, memory beside the program's, and the signature.
#pragma once

#include "Emit/Cuda/PrinterPart.h"
#include "Emit/Parameters.h"

namespace sluice::cuda {

class ParameterPrinter : public emit::ParameterPrinter {
public:
  using emit::ParameterPrinter::ParameterPrinter;

  std::string tensorMap(TensorMapPlan plan);
  std::string addMemory(Tensor tensor, const std::string &type);

  // Once all are there:
  Text signature() const;
  void prefetchMaps(Text &text) const;

private:
  std::string parameterType(const KernelParameter &p) const;

  std::vector<std::string> memoryTypes_; // of parameters beside the program's
};

} // namespace sluice::cuda
