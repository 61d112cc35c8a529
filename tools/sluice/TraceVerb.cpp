// sluice trace: one cluster or core on the clock, drawn; with --device cuda also as a GPU ran it.
#include "Console.h"
#include "Device.h"
#include "Load.h"
#include "Measured.h"
#include "Proof.h"
#include "Simulated.h"
#include "Tensors.h"
#include "Verbs.h"

#include "Emit/Emit.h"
#include "Runtime/Run.h"
#include "Trace/Trace.h"

#include <cstring>
#include <filesystem>

namespace sluice::tool {
namespace {

struct OnDevice {
  Timeline timeline;
  std::string device;
};

/// Launches the kernel with stamps, the second time: the first brings its code into the caches.
Result<OnDevice> measure(const Loaded &loaded, const Options &options,
                         const std::array<int64_t, 3> &cta) {
  if (auto wrong = unmeasurable(loaded.program))
    return *wrong;
  EmitOptions emit;
  emit.stampedCta = options.cta;
  auto source = emitCuda(loaded.program, emit);
  if (!source)
    return source.error();
  auto tensors = makeTensors(loaded, options.seed);
  if (!tensors)
    return tensors.error();
  const Tensor memory = stampsTensor(loaded.program);
  tensors->push_back(HostTensor::dense(memory.type, memory.extents, memory.minor));
  CudaRunOptions how;
  how.before = 1;
  auto run = runOnCuda(*source, loaded.launch.arguments, *tensors, how);
  if (!run)
    return run.error();
  const std::vector<std::byte> &bytes = tensors->back().bytes;
  std::vector<Stamp> stamps(bytes.size() / sizeof(Stamp));
  std::memcpy(stamps.data(), bytes.data(), bytes.size());
  auto timeline = measuredTimeline(loaded.program, loaded.launch, cta, stamps);
  if (!timeline)
    return timeline.error();
  return OnDevice{std::move(*timeline), run->device};
}

using Drawing = std::string (*)(const std::vector<Shown> &, const PictureOptions &);

/// What the ending of the path names.
Result<Drawing> drawing(const std::string &path) {
  std::string ending = std::filesystem::path(path).extension();
  if (ending == ".svg")
    return &svgOf;
  if (ending == ".html")
    return &htmlOf;
  if (ending == ".json")
    return &chromeTraceOf;
  return inputError("-o " + path + ": the name must end in .svg, .html or .json");
}

/// The figures on stdout and the picture in its file.
Result<bool> tell(const Loaded &loaded, const Options &options, Drawing draw,
                  const Timeline &simulated, const std::optional<OnDevice> &measured,
                  const Standing &standing) {
  const PictureOptions picture = pictureOptions(loaded);
  std::vector<Shown> shown = {{"", &simulated}};
  std::string summary = options.json ? summaryJson(simulated, standing.members()) + "\n"
                                     : summaryText(simulated, picture);
  if (measured) {
    const std::string of = ", CTA " + std::to_string(options.cta);
    shown = {{"simulated on " + loaded.arch->name + of, &simulated},
             {"measured on " + measured->device + of, &measured->timeline}};
    summary = options.json ? summaryJson(shown[0], shown[1], standing.members()) + "\n"
                           : summaryText(shown[0], shown[1], picture);
  }
  if (draw)
    if (auto written = writeText(options.output, draw(shown, picture)); !written)
      return written.error();
  return writeText("", summary);
}

/// Everything after loading.
Result<bool> traceLoaded(const Loaded &loaded, const Options &options, Drawing draw,
                         std::optional<Verdict> &verdict) {
  Options where = options;
  if (where.device == "auto")
    where.device = "sim";
  auto cuda = onCuda(loaded, where);
  if (!cuda)
    return cuda.error();
  if (options.unproven && !*cuda)
    return inputError("--unproven: the virtual machine takes what is not proven, with a warning; "
                      "leave it out, or run with --device cuda");
  auto cta = ctaAt(loaded.program, loaded.launch, options.cta);
  if (!cta)
    return cta.error();
  const Standing standing = standingOf(loaded);
  if (*cuda)
    if (auto refused = admit(loaded, options, standing, verdict))
      return *refused;
  warn(standing);
  auto simulated = simulateTimeline(loaded, options.cta, verdict);
  if (!simulated)
    return simulated.error();
  std::optional<OnDevice> measured;
  if (*cuda) {
    auto done = measure(loaded, options, *cta);
    if (!done)
      return done.error();
    measured = std::move(*done);
  }
  return tell(loaded, options, draw, *simulated, measured, standing);
}

} // namespace

int traceVerb(const Options &options) {
  Drawing draw = nullptr;
  if (!options.output.empty()) {
    auto known = drawing(options.output);
    if (!known)
      return refuse(known.error(), options);
    draw = *known;
  }
  auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  std::optional<Verdict> verdict;
  if (auto told = traceLoaded(*loaded, options, draw, verdict); !told)
    return verdict ? refuse(told.error(), *verdict, options) : refuse(told.error(), options);
  return kExitGood;
}

} // namespace sluice::tool
