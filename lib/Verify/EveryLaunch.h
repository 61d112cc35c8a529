// The proof of a program for every launch: structure aside, the graph of states, and the accesses
// that no run sets against each other.
#pragma once

#include "Verify/AccessPairs.h"
#include "Verify/CountedWhiles.h"
#include "Verify/Guard.h"
#include "Verify/TripCounts.h"
#include "Verify/Verify.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sluice {

class EveryLaunch {
public:
  /// Of a program whose structure is right.
  EveryLaunch(const Program &program, const CheckOptions &options);
  EveryLaunch(const EveryLaunch &) = delete; // the attempt is one of a program here

  /// The graph has closed without a violation.
  bool closed() const { return attempt_->closed(); }
  /// Of it: what runs share, and where it ended. `guard`: what its program is beside the author's.
  const Context &context() const { return attempt_->context; }
  const TripProof &result() const { return attempt_->proof; }
  const std::optional<Guard> &guard() const { return guard_; }

  /// Accesses that may meet in some launch and that nothing orders, for a graph that has closed.
  /// Those that numbers of tensors place are assumed not to. `given`: what else a launch of theirs
  /// has.
  const std::vector<Overlap> &open(const Launch &given);

  /// That every launch is proven, if the graph has closed, no access is open and `atLaunch`, the
  /// verdict of checkLaunch, says proven, or that loops are too long there whose end is assumed:
  /// its assumptions hold of every launch too. Else as it is.
  bool holdsBeside(const Verdict &atLaunch) const {
    return atLaunch.kind == Verdict::proven || (atLaunch.tooLong && counted_);
  }
  Verdict proven(const Program &program, const Verdict &atLaunch) const;

private:
  /// A proof for every launch of one program that does the same.
  struct Attempt {
    Attempt(const Program &program, const CheckOptions &options, TripLimits limits = {},
            std::set<StmtPair> asked = {}, std::set<StmtPair> ofOneAgent = {},
            std::set<StmtPair> ofOneCta = {}, bool wholeExtremes = false);
    bool closed() const { return !proof.violation && !proof.unsupported; }

    Context context;
    TripProof proof;
  };

  void proveForms(const Program &program);
  void prove(const Program &written);
  bool proveRewritten(const Program &program);
  bool closes(Program program, bool wholeExtremes = false);
  std::vector<Overlap> withoutOrdered(std::vector<Overlap> found);

  const CheckOptions options_;
  std::optional<CountedWhiles> counted_; // withCountedWhiles, where that closes
  std::optional<Guard> guard_;
  std::optional<Program> values_;                // withoutValueBranches
  std::optional<Program> plain_;                 // withPlainRemainders
  std::vector<std::unique_ptr<Program>> others_; // that do the same in every launch
  std::unique_ptr<Attempt> attempt_;
  std::optional<std::vector<Overlap>> open_; // once asked for
  std::vector<std::string> assumed_;         // of accesses
};

} // namespace sluice
