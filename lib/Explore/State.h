// A state of the machine between two steps, as a row of words.
#pragma once

#include "Explore/Script.h"

namespace sluice::explorer {

using State = std::vector<int32_t>;

/// Where things are in a State.
class Layout {
public:
  explicit Layout(const Unrolled &u);

  static constexpr int agentWords = 6, mbarrierWords = 4, namedWords = 2;
  /// Position of the elected lane (pipe) and of the other lanes.
  static int elected(int agent) { return agent * agentWords; }
  static int lanes(int agent) { return agent * agentWords + 1; }
  /// Bits below.
  static int standing(int agent) { return agent * agentWords + 2; }
  /// cp.async operations before this action have ended, of the elected lane and of the others.
  /// Ascend: actions before this one have ended (first word).
  static int ended(int agent, bool lanes = false) { return agent * agentWords + 3 + lanes; }

  /// What the last tests of the agent said, a bit for each.
  static int answers(int agent) { return agent * agentWords + 5; }
  static int32_t answer(int32_t token) { return int32_t{1} << token % keptTokens; }

  /// Tensor memory of a CTA: 0, or as below; the columns; the agent that has allocated, plus 1.
  int columns(int cta) const { return columns_ + 3 * cta; }
  static constexpr int32_t allocated = 1, relinquished = 2, freed = 4;

  static constexpr int32_t inBarrier = 1; // arrived at the named barrier it stands at
  static constexpr int32_t clusterArrived = 2, clusterComplete = 4, clusterHere = 8;

  /// Flags, expected, pending, tx.
  int mbarrier(int32_t b) const { return mbarriers_ + b * mbarrierWords; }
  static constexpr int32_t valid = 1, fenced = 2, parity = 4;
  /// Threads of the phase, threads arrived.
  int named(int32_t b) const { return named_ + b * namedWords; }
  int flag(int32_t f) const { return flags_ + f; }
  int tile(int32_t t) const { return tiles_ + t; }
  static constexpr int32_t ofFix = 1, open = 2; // units of a tile; M has begun a sum with them
  int counter(int32_t c) const { return counters_ + c; }
  bool landed(const State &s, int32_t load) const { return s[loads_ + load / 31] >> load % 31 & 1; }
  void land(State &s, int32_t load) const { s[loads_ + load / 31] |= 1 << load % 31; }
  /// Who wrote it last (0: nobody) times 2, plus 1 when a generic write has not been fenced
  /// since; of cells that loads write.
  int cell(int32_t c) const { return cellWord_[c]; }

  /// A view: writes seen, then the fenced ones among them; of uses of tensor memory those that are
  /// behind a fence::before_thread_sync. Sets of writes take setWords() words.
  int setWords() const { return setWords_; }
  int viewWords() const { return 2 * setWords_; }
  int view(int agent, bool lanes) const { return views_ + (agent * 2 + lanes) * strandWords(); }
  /// The latter that the strand has put behind a fence::after_thread_sync of its own.
  int behind(int agent, bool lanes) const { return view(agent, lanes) + viewWords(); }
  /// What the contributions to the phase in progress and to the last complete one have released.
  enum Phase { forCta, forCluster, completedForCta, completedForCluster };
  int phaseView(int32_t b, Phase p) const { return phaseViews_ + (b * 4 + p) * viewWords(); }
  int namedView(int32_t b) const { return namedViews_ + b * viewWords(); }
  int clusterView(bool completed) const { return clusterViews_ + completed * viewWords(); }
  /// `of`: a CTA, all adds of .cluster scope or wider, all of .gpu scope.
  int counterView(int32_t c, int of) const {
    return counterViews_ + (c * (u_.ctas + 2) + of) * viewWords();
  }
  /// The writes that the bytes of a cell come from; -1: nobody else notices them.
  int writesOf(int32_t c) const { return cellWrites_[c]; }

  State initial() const;
  /// Equal for states that differ only in the roles of agents that are alike, or in cells that one
  /// agent alone can notice.
  uint64_t hash(const State &s) const;

private:
  int strandWords() const { return (u_.columns ? 3 : 2) * setWords_; }

  const Unrolled &u_;
  int columns_ = 0, mbarriers_ = 0, named_ = 0, flags_ = 0, tiles_ = 0, counters_ = 0, loads_ = 0,
      hashed_ = 0, size_ = 0;
  int setWords_ = 0, views_ = 0, phaseViews_ = 0, namedViews_ = 0, clusterViews_ = 0,
      counterViews_ = 0;
  std::vector<int> cellWord_, cellWrites_;
  std::vector<std::vector<int>> alike_; // agents of one class
  std::vector<int> single_;             // agents like no other
  mutable std::vector<uint64_t> scratch_;
};

} // namespace sluice::explorer
