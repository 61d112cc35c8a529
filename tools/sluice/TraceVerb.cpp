// sluice trace: one cluster or core on the clock, drawn.
#include "Console.h"
#include "Load.h"
#include "Verbs.h"

#include "Simulate/Simulate.h"
#include "Trace/Trace.h"

#include <filesystem>

namespace sluice::tool {
namespace {

PictureOptions pictureOptions(const Loaded &loaded) {
  PictureOptions picture;
  picture.kernel = loaded.program.name;
  picture.target = std::string(name(loaded.program.target)) + " (" + loaded.arch->name + ")";
  picture.shape = loaded.shape;
  picture.clockGhz = loaded.arch->clockGhz;
  return picture;
}

Result<Timeline> simulateTimeline(const Loaded &loaded) {
  SimulateOptions how;
  how.values = false;
  how.timeline = true;
  how.onlyCta = 0;
  Progress progress("simulating");
  how.progress = [&](double fraction) { progress.show(fraction); };
  auto result = simulateTime(loaded.program, *loaded.arch, loaded.launch, how);
  if (!result)
    return result.error();
  if (const auto &violation = result->violation)
    return Error{Error::input, violation->rule + ": " + violation->message, violation->location};
  return std::move(result->timeline);
}

using Drawing = std::string (*)(const Timeline &, const PictureOptions &);

/// What the ending of the path names.
Result<Drawing> drawing(const std::string &path) {
  std::string ending = std::filesystem::path(path).extension();
  if (ending == ".svg")
    return &drawSvg;
  if (ending == ".html")
    return &drawHtml;
  if (ending == ".json")
    return &chromeTrace;
  return inputError("-o " + path + ": the name must end in .svg, .html or .json");
}

} // namespace

int traceVerb(const Options &options) {
  Drawing draw = nullptr;
  if (!options.output.empty()) {
    auto known = drawing(options.output);
    if (!known)
      return report(known.error());
    draw = *known;
  }
  auto loaded = loadOne(options);
  if (!loaded)
    return report(loaded.error());
  auto timeline = simulateTimeline(*loaded);
  if (!timeline) {
    int code = report(timeline.error());
    return code == kExitUsage ? kExitViolated : code;
  }
  PictureOptions picture = pictureOptions(*loaded);
  if (draw)
    if (auto written = writeText(options.output, draw(*timeline, picture)); !written)
      return report(written.error());
  std::string summary =
      options.json ? summaryJson(*timeline) + "\n" : summaryText(*timeline, picture);
  if (auto written = writeText("", summary); !written)
    return report(written.error());
  return kExitGood;
}

} // namespace sluice::tool
