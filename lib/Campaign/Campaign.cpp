#include "Campaign/Campaign.h"

#include "Campaign/Trial.h"

#include <algorithm>
#include <random>

namespace sluice {
namespace {

/// In the order of the program.
std::vector<Mutation> sampleOf(std::vector<Mutation> all, const CampaignOptions &options) {
  if (options.sample <= 0 || options.sample >= static_cast<int64_t>(all.size()))
    return all;
  std::vector<Mutation> drawn;
  std::mt19937_64 random(options.seed);
  // Not std::sample: what it draws from a seed differs between libraries.
  for (size_t left = all.size(), wanted = static_cast<size_t>(options.sample); wanted; --left)
    if (random() % left < wanted) {
      drawn.push_back(std::move(all[all.size() - left]));
      --wanted;
    }
  return drawn;
}

} // namespace

MutantVerdict judge(const Program &program, const Arch &arch, const Launch &launch,
                    const Mutation &mutation, const CampaignOptions &options) {
  return Trial(program, arch, launch, options).judge(mutation);
}

Result<std::vector<MutantVerdict>> campaign(const Program &program, const Arch &arch,
                                            const Launch &launch, const CampaignOptions &options,
                                            const std::function<void(double)> &progress) {
  std::vector<MutantVerdict> all;
  const std::vector<Mutation> list = sampleOf(mutations(program), options);
  Trial trial(program, arch, launch, options);
  if (const auto fault = trial.programFault())
    return inputError("kernel '" + program.name + "' is no clean program: " + *fault);
  for (const Mutation &m : list) {
    all.push_back(trial.judge(m));
    if (progress)
      progress(static_cast<double>(all.size()) / static_cast<double>(list.size()));
  }
  return all;
}

} // namespace sluice
