#include "Emit/Cuda/PrinterPart.h"

#include "Emit/Cuda/Printer.h"
#include "Emit/Cuda/Words.h"

namespace sluice::cuda {

PrinterState::PrinterState(const Program &theProgram, const EmitOptions &theOptions)
    : State(theProgram, theOptions, Names(reserved, declared)) {
  options.syncIds |= options.watchdog > 0;
}

PrinterPart::PrinterPart(PrinterState &state, PrinterParts &parts)
    : Part(state), role_(state.role), bufferNames_(state.bufferNames), tileNames_(state.tileNames),
      barrierNames_(state.barrierNames), parts_(parts) {}

std::string PrinterPart::warp() {
  return parts_.roles.warp();
}

std::string PrinterPart::thread() {
  return parts_.roles.thread();
}

std::string PrinterPart::text(ValueId v) {
  return parts_.scalars.text(v);
}

std::string PrinterPart::text(const Index &i) {
  return parts_.scalars.text(i);
}

std::string PrinterPart::exact(const Index &i) {
  return parts_.scalars.exact(i);
}

std::string PrinterPart::coordinate(const Index &i, int64_t least) {
  return parts_.scalars.coordinate(i, least);
}

std::string PrinterPart::factor(const Index &i) {
  return parts_.scalars.factor(i);
}

std::string PrinterPart::condition(const Index &i) {
  return parts_.scalars.condition(i);
}

int64_t PrinterPart::divisor(const Index &i) const {
  return parts_.scalars.divisor(i);
}

} // namespace sluice::cuda
