// sluice mutate: what the checker says of the kernel's mutants, and whether it is right.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "Verbs.h"

#include "Campaign/Campaign.h"

#include <algorithm>

namespace sluice::tool {

int mutateVerb(const Options &options) {
  const auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  CampaignOptions how;
  how.maxStates = options.states;
  how.chaosRuns = options.chaosRuns;
  how.sample = options.sample;
  how.seed = options.seed;
  Result<std::vector<MutantVerdict>> judged = std::vector<MutantVerdict>{};
  {
    Progress bar("mutants");
    judged = campaign(loaded->program, *loaded->arch, loaded->launch, how,
                      [&](double done) { bar.show(done); });
  }
  if (!judged)
    return refuse(judged.error(), options);
  const std::vector<MutantVerdict> &mutants = *judged;
  const std::string text = options.json ? campaignJson(mutants) + "\n" : campaignText(mutants);
  if (auto written = writeText("", text); !written)
    return report(written.error());
  const bool disagree = std::any_of(mutants.begin(), mutants.end(), [](const MutantVerdict &v) {
    return v.outcome == MutantVerdict::disagreement;
  });
  return disagree ? kExitViolated : kExitGood;
}

} // namespace sluice::tool
