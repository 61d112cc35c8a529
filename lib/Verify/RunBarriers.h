// The mbarriers of a canonical run: who initialises them, arrives, waits and tests (R1-R8, R41).
#pragma once

#include "Verify/RunPart.h"

namespace sluice {

class RunBarriers : public RunPart {
public:
  explicit RunBarriers(const RunLinks &links);

  std::optional<BarrierPlace> resolve(Actor &a, const Stmt &s, const MbarrierRef &ref);
  /// The barrier at the same offset in another CTA.
  BarrierPlace sameIn(int cta, const BarrierPlace &b);
  /// A multicast mask has bits of CTAs that the cluster has not: R24. `who`: what each bit is of.
  bool namesOthers(Actor &a, const Stmt &s, int64_t mask, const char *who,
                   const std::string &object);
  bool usable(Actor &a, const Stmt &s, const BarrierPlace &b, bool async);
  TrackedMbarrier &at(int cta, int object, int64_t slot) {
    return mbarriers_[cta * program_.mbarriers.size() + object][slot];
  }

  Step initialise(Actor &a, const Stmt &s, const MbarrierInit &op);
  Step invalidate(Actor &a, const Stmt &s, const MbarrierInval &op);
  /// mbarrier.arrive, .expect_tx or both, of one executing thread.
  struct Arrival {
    int64_t count, bytes;
    bool arrives;
    Scope scope;
  };
  Step arrive(Actor &a, const Stmt &s, const MbarrierRef &ref, const Arrival &what);
  Step cpAsyncArrive(Actor &a, const Stmt &s, const CpAsyncArrive &op);
  Step completeBytes(Actor &a, const Stmt &s, const BarrierPlace &b, int64_t bytes, Stamp end);
  Step contributed(Actor &a, const Stmt &s, const BarrierPlace &b, MbarrierState::Outcome outcome);
  Step fault(const BarrierFault &f, Actor &a, const Stmt &s, const BarrierPlace &b);
  Step wait(Actor &a, const Stmt &s, const MbarrierWait &op);
  /// fence.mbarrier_init
  Step fenceInitialisations(Actor &a, const Stmt &s);
  void releaseInitialisations(const Actor &a, Clock &to) const;

  // RunTokens.cpp
  /// Which phase of which barrier of the own CTA a test has asked for.
  struct Token {
    int object = -1;
    int64_t slot = 0, phase = -1;
    bool operator==(const Token &) const = default;

    /// As a scalar; 0 is the token of no test.
    int64_t number() const { return ((phase + 1) << 32) + (slot << 16) + object + 1; }
    static std::optional<Token> of(int64_t number);
  };
  Step test(Actor &a, const Stmt &s, const MbarrierTest &op);

  /// In the middle of a phase at exit: R14.
  bool leftInPhase();

private:
  friend class NormalForm;

  Stamp initialisation(Actor &a, const Stmt &s);
  /// The barrier that a wait or a test looks at, if it may.
  std::optional<BarrierPlace> lookedAt(Actor &a, const Stmt &s, const MbarrierRef &ref);
  void observeWait(const Stmt &s, const TrackedMbarrier &b, const Strands &who);
  /// The phase of that parity that is in progress, or has just completed; -1 of a fresh barrier.
  static int64_t phaseOf(const TrackedMbarrier &b, int64_t parity);
  /// R41: the token is of the phase that the wait is for. True: refused.
  bool isOfOther(Actor &a, const Stmt &s, const MbarrierWait &op, const BarrierPlace &at);

  std::vector<std::vector<TrackedMbarrier>> mbarriers_; // [cta * objects + object][slot]
};

} // namespace sluice
