// A campaign of mutants: every one must be refused with a rule that fits, or be harmless. Harmless
// is what the explorer finds clean at every launch of launchesOf(), or, where it has too many
// states, what gives the same bits in runs of the virtual machine with random delays. What is
// refused is looked at in the same way: where they find nothing, the refusal may be a false alarm.
#pragma once

#include "Diagnose/Check.h"
#include "Explore/Mutate.h"
#include "Support/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace sluice {

struct CampaignOptions {
  int64_t maxStates = 30'000; // of the explorer, for one mutant at one launch
  int chaosRuns = 5;          // of one mutant
  double chaos = 3000;        // most cycles by which an operation is late
  int drawnLaunches = 2;      // at random, for a mutant that is proven for every launch
  int drawnAbove = 6;         // the same, of a mutant above the explorer's reach
  int64_t sample = 0;         // so many mutants, drawn by `seed`; 0: all
  uint64_t seed = 1;
};

struct MutantVerdict {
  Mutation mutation;
  enum Outcome : uint8_t {
    refused,      // with a rule that fits the operation
    refusedOddly, // with another rule
    harmless,     // proven, and nothing else finds a fault
    unsupported,  // the checker cannot judge it
    disagreement, // proven, and the explorer or the virtual machine finds a fault
  } outcome = refused;
  /// Who confirms the verdict: of a refusal by showing a fault, of a proof by finding none.
  enum Evidence : uint8_t {
    none,      // refused, and nothing is found: perhaps a false alarm
    structure, // an operation that does not exist in this form
    explorer,
    chaos,
    drawn, // a disagreement at a launch drawn at random
  } evidence = none;
  bool allTrips = false;    // the verdict is that for every trip count
  bool otherResult = false; // harmless, but in every run something else than the program computes
  std::string rule;         // refused: of the checker
  std::string detail;       // its message, or the fault that it missed
};

MutantVerdict judge(const Program &program, const Arch &arch, const Launch &launch,
                    const Mutation &mutation, const CampaignOptions &options = {});

/// All mutants of a clean program, or a sample; an error where the program itself is not proven, or
/// the explorer or the virtual machine disagrees. `progress`: 0..1, now and then.
Result<std::vector<MutantVerdict>> campaign(const Program &program, const Arch &arch,
                                            const Launch &launch,
                                            const CampaignOptions &options = {},
                                            const std::function<void(double)> &progress = {});

/// One line per mutant and a summary.
std::string campaignText(const std::vector<MutantVerdict> &mutants);
std::string campaignJson(const std::vector<MutantVerdict> &mutants);
std::string campaignSummary(const std::vector<MutantVerdict> &mutants);

} // namespace sluice
