// sluice memory: what lies where in the memories of a CTA or core, and when.
#include "Console.h"
#include "Measured.h"
#include "Proof.h"
#include "Simulated.h"
#include "Standing.h"
#include "Verbs.h"

#include "Trace/MemoryMap.h"

namespace sluice::tool {
namespace {

Result<bool> showMemory(const Loaded &loaded, const Options &options,
                        std::optional<Verdict> &verdict) {
  if (auto cta = ctaAt(loaded.program, loaded.launch, options.cta); !cta)
    return cta.error();
  const Standing standing = standingOf(loaded);
  warn(standing);
  const auto timeline = simulateTimeline(loaded, options.cta, verdict);
  if (!timeline)
    return timeline.error();
  const auto maps = memoryMaps(loaded.program, *loaded.arch, *timeline);
  const PictureOptions picture = pictureOptions(loaded);
  if (!options.output.empty())
    if (auto written = writeText(options.output, memorySvg(maps, *timeline, picture)); !written)
      return written;
  return writeText("", options.json ? memoryJson(maps, *timeline, standing.members()) + "\n"
                                    : memoryText(maps, *timeline, picture));
}

} // namespace

int memoryVerb(const Options &options) {
  if (!options.output.empty() && !options.output.ends_with(".svg"))
    return refuse(inputError("-o " + options.output + ": the name must end in .svg"), options);
  auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  std::optional<Verdict> verdict;
  if (auto shown = showMemory(*loaded, options, verdict); !shown)
    return verdict ? refuse(shown.error(), *verdict, options) : refuse(shown.error(), options);
  return kExitGood;
}

} // namespace sluice::tool
