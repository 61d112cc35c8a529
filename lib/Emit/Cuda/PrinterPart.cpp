#include "Emit/Cuda/PrinterPart.h"

#include "Emit/Cuda/Printer.h"

namespace sluice::cuda {

PrinterPart::PrinterPart(PrinterState &state, PrinterParts &parts)
    : state_(state), program_(state.program), ranges_(state.ranges), options_(state.options),
      names_(state.names), out_(state.out), at_(state.at), role_(state.role),
      bufferNames_(state.bufferNames), tileNames_(state.tileNames),
      barrierNames_(state.barrierNames), parts_(parts) {}

void PrinterPart::fail(const std::string &message) {
  if (!failed())
    state_.error = unsupportedError("kernel " + program_.name + ": " + message, at_);
}

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
