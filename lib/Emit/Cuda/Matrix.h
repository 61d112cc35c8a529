// wgmma: operands by descriptor or in registers.
#pragma once

#include "Emit/Cuda/ProductRegisters.h"
#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class MatrixPrinter : public ViewPrinter {
public:
  MatrixPrinter(PrinterState &state, PrinterParts &parts)
      : ViewPrinter(state, parts), products_(state.program) {}

  void wgmma(const Wgmma &o);
  std::optional<std::string> sharedOperand(const View &v, bool isA);
  std::string wgmmaRegisters(const Stmt &s);

private:
  const ProductRegisters products_;
};

} // namespace sluice::cuda
