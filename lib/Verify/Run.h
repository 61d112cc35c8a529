// The canonical run of one cluster or core: every agent runs until it blocks, asynchronous copies
// end at once, and every step checks the rules of docs/semantics.md. The first violation ends it.
#pragma once

#include "Verify/RunBarriers.h"
#include "Verify/RunBrackets.h"
#include "Verify/RunCounters.h"
#include "Verify/RunData.h"
#include "Verify/RunExit.h"
#include "Verify/RunFlags.h"
#include "Verify/RunLaunches.h"
#include "Verify/RunMeetings.h"
#include "Verify/RunMemory.h"
#include "Verify/RunMutexes.h"
#include "Verify/RunOrigin.h"
#include "Verify/RunProducts.h"
#include "Verify/RunTensorMemory.h"
#include "Verify/RunTensors.h"
#include "Verify/RunUnits.h"
#include "Verify/RunWarpgroups.h"

#include <memory>

namespace sluice {

/// Each keeps what one family of operations leaves behind.
struct RunParts {
  explicit RunParts(const RunLinks &links);

  RunBarriers barriers;
  RunMeetings meetings;
  RunFlags flags;
  RunMutexes mutexes;
  RunUnits units;
  RunMemory memory;
  RunTensors tensors;
  RunTensorMemory tensorMemory;
  RunCounters counters;
  RunBrackets brackets;
  RunLaunches launches;
  RunData data;
  RunWarpgroups warpgroups;
  RunOrigin origin;
  RunProducts products;
  RunExit exit;
};

class CanonicalRun : private RunState, protected RunWords, public RunPart {
public:
  /// `first`: coordinates of the cluster's first CTA, or of the core; of unknown launches 0.
  /// `relevance`: for unknown launches.
  CanonicalRun(Context &context, Coordinates first, const Relevance *relevance = nullptr);
  virtual ~CanonicalRun() = default;
  /// A run that goes on from the same state on its own.
  std::unique_ptr<CanonicalRun> fork() const;

  /// Runs to the end, to the first violation, or until every agent is blocked or undecided. An
  /// Error when the program cannot be judged.
  Result<std::optional<Violation>> run();
  /// Of the violation that run() gave.
  const Offence &offence() const { return offence_; }

  /// What the first undecided agent asks; nothing: the run has ended.
  std::optional<Query> question() const;
  /// What has been answered since an agent last did something: its answer got lost.
  bool asksAgain() const;
  /// Answers it; run() goes on.
  void decide(const Query &query, bool greater);
  const Facts &facts() const { return facts_; }

  int64_t events() const { return events_; }
  /// Iterations of pipelined loops, the most of any agent.
  int64_t iterations() const;
  const std::vector<TensorHistory> &tensors() const { return parts_.tensors.histories(); }

protected: // for who tells of a run: lib/Diagnose
  CanonicalRun(const CanonicalRun &other);

  virtual Step execute(Actor &a, const Stmt &s);

  Step race(const Buffer &buffer, const Cell &cell, const Access &first, bool firstWrites,
            const Access &second, bool secondWrites) override;
  Violation deadlock() override;

private:
  friend class NormalForm;

  void createActors();
  Actor &addActor(AgentId id, int cta);
  const Actor *asking() const;
  Step step(Actor &a);

  RunParts owned_;
  int64_t events_ = 0;
  std::vector<Query> answered_; // since an agent last did something
};

} // namespace sluice
