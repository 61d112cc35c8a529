// sluice-opt: reads kernels, runs passes, prints kernels. For tests and for work on the passes.
#include "Dialect/Phases.h"
#include "Dialect/Register.h"
#include "Transform/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  sluice::ir::registerDialects(registry);
  sluice::ir::registerVerifyPhasePass();
  sluice::registerPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Sluice: passes on tile kernels\n", registry));
}
