// Runs printed kernels on the host: the text with the headers of a device, lane by lane, on real
// bytes (device/sluice/values_machine.cuh says what stands for the hardware).
#pragma once

#include "Launch/EmittedSource.h"
#include "Support/HostTensor.h"

namespace sluice {

/// Compiles the text and launches it once, in a process of its own; outputs are written.
/// `tensors`: one per LaunchPlan::tensors. An error where the compiler refuses the text, and where
/// it breaks a rule of the hardware: waits for ever, touches what is not its own.
std::optional<Error> runOnHost(const EmittedSource &source, const std::vector<int64_t> &arguments,
                               std::vector<HostTensor> &tensors);

} // namespace sluice
