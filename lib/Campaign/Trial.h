// The mutants of one program before the checker, the explorer and the virtual machine.
#pragma once

#include "Campaign/Campaign.h"
#include "Support/HostTensor.h"

#include <map>
#include <optional>

namespace sluice {

class Trial {
public:
  Trial(const Program &program, const Arch &arch, const Launch &launch,
        const CampaignOptions &options);

  /// Nothing: the program is proven, and the explorer and the virtual machine agree.
  std::optional<std::string> programFault();
  MutantVerdict judge(const Mutation &mutation);

private:
  struct Finding {
    std::string text; // empty: nothing found
    MutantVerdict::Evidence by = MutantVerdict::none;
  };

  void keepClean();
  Verdict verdictOn(const Program &mutant, bool &allTrips) const;
  void judgeProven(const Program &mutant, MutantVerdict &v);
  void holdAgainstLaunches(const Program &mutant, const Verdict &verdict, MutantVerdict &v);
  std::optional<std::string> exploreDrawn(const Program &mutant, const Launch &launch,
                                          int64_t events, int64_t &explored) const;
  Finding exploreUpTo(const Program &mutant, size_t &end, std::string &covered);
  std::vector<size_t> restFrom(size_t launch) const;
  Finding delay(const Program &mutant, const std::vector<size_t> &launches, bool &otherResult);
  void judgeRefused(const Program &mutant, const Verdict &verdict, MutantVerdict &v) const;
  /// A fault at this launch, with little effort or with all that the options allow.
  Finding faultAt(const Program &mutant, const Launch &launch, std::array<int64_t, 3> group,
                  int64_t states, int runs) const;
  /// Whether the program itself has too many states at this launch.
  bool isLarge(size_t launch);
  bool givesOtherResult(size_t launch, const std::vector<HostTensor> &result);

  const Program &program_;
  const Arch &arch_;
  const Launch &given_;
  const CampaignOptions options_;
  std::vector<Launch> launches_;
  std::optional<std::string> fault_;                  // of the program itself
  std::map<size_t, bool> large_;                      // launch -> isLarge
  std::map<size_t, std::vector<HostTensor>> results_; // launch -> what the program computes
};

} // namespace sluice
