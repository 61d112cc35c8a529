#include "Device.h"

#include "Runtime/Driver.h"
#include "Support/Nearest.h"

namespace sluice::tool {
namespace {

bool fitsDevice(Target target, const CudaDevice &device) {
  return target == Target::sm_90a && device.capability == 90;
}

} // namespace

Result<bool> onCuda(const Loaded &loaded, const Options &options,
                    const std::vector<std::string> &known) {
  if (options.device == "sim")
    return false;
  if (options.device != "cuda" && options.device != "auto")
    return inputError(unknownName("device", options.device, known));
  auto device = cudaDevice();
  if (device && fitsDevice(loaded.program.target, *device))
    return true;
  if (options.device == "auto")
    return false;
  if (!device) {
    Error error = device.error();
    error.message += ", or --device sim";
    return error;
  }
  const std::string target(name(loaded.program.target));
  return unsupportedError("unsupported: " + device->name + " does not run code for " + target +
                          (loaded.program.target == Target::sm_100a
                               ? ", or it is not run here yet; build it, and launch its manifest"
                               : ""));
}

std::optional<Error> admit(const Loaded &loaded, const Options &options, const Standing &standing,
                           std::optional<Verdict> &verdict) {
  if (standing.warning.empty() || options.unproven)
    return {};
  Verdict here = judgeHere(loaded);
  auto reason = unproven(loaded, here);
  if (!reason)
    return {}; // another launch is what the warning is of
  verdict = std::move(here);
  reason->message += "; --unproven runs it all the same";
  return reason;
}

} // namespace sluice::tool
