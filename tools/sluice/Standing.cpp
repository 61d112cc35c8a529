#include "Standing.h"

#include "Console.h"

#include "Diagnose/Report.h"

namespace sluice::tool {

/// Of the proof for every launch, and of a run of this one; check takes longer.
constexpr double kSeconds = 2, kSecondsOfRun = 10;

void Standing::writeWarning(JsonWriter &json) const {
  json.member("verdict", name(verdict.kind)).member("unproven", warning);
}

MoreMembers Standing::members() const {
  return [this](JsonWriter &json) {
    writeWarning(json);
    writeViolations(json, verdict.violations);
  };
}

Standing standingOf(const Loaded &loaded) {
  CheckOptions how;
  how.seconds = kSeconds;
  how.secondsOfRun = kSecondsOfRun;
  Standing standing{judge(loaded, /*thisLaunch=*/false, how), ""};
  if (const auto reason = unproven(loaded, standing.verdict))
    standing.warning = placed(*reason);
  return standing;
}

void warn(const Standing &standing) {
  if (!standing.warning.empty())
    warn(standing.warning);
}

} // namespace sluice::tool
