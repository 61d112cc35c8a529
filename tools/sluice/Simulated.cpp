#include "Simulated.h"

#include "Console.h"
#include "Proof.h"

#include "Simulate/Simulate.h"

namespace sluice::tool {

PictureOptions pictureOptions(const Loaded &loaded) {
  PictureOptions picture;
  picture.kernel = loaded.program.name;
  picture.target = std::string(name(loaded.program.target)) + " (" + loaded.arch->name + ")";
  picture.shape = loaded.shape;
  picture.clockGhz = loaded.arch->clockGhz;
  return picture;
}

Result<Timeline> simulateTimeline(const Loaded &loaded, int64_t cta,
                                  std::optional<Verdict> &verdict) {
  SimulateOptions how;
  how.values = false;
  how.timeline = true;
  how.onlyCta = cta;
  Progress progress("simulating");
  how.progress = [&](double fraction) { progress.show(fraction); };
  auto result = simulateTime(loaded.program, *loaded.arch, loaded.launch, how);
  if (!result)
    return result.error();
  if (const auto &violation = result->violation) {
    verdict = met(*violation);
    return Error{Error::input, violation->rule + ": " + violation->message, violation->location};
  }
  return std::move(result->timeline);
}

} // namespace sluice::tool
