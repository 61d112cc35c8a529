// What the parts of a canonical run have in common: its agents, what came of it, and the words for
// both. Each part keeps what one family of operations leaves behind, and checks its rules.
#pragma once

#include "Arch/Arch.h"
#include "Program/Sharing.h"
#include "Simulate/Simulate.h"
#include "Verify/Actor.h"
#include "Verify/Context.h"
#include "Verify/Offence.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

using Coordinates = std::array<int64_t, 3>;
struct RunParts;
class RunWords;

/// The agents of a run, who of them may go on, and what has been met.
struct RunState {
  /// `first`, `relevance`: as for CanonicalRun.
  RunState(Context &theContext, Coordinates first, const Relevance *relevance);

  Context &context;
  Facts facts;
  std::vector<Coordinates> ctas; // of the group, by cluster rank
  std::vector<Actor> actors;
  std::vector<int32_t> ready;
  std::optional<Violation> violation;
  std::optional<Error> error;
  Offence offence;
  int32_t acting = -1; // who executes
};

/// What a part of a run refers to.
struct RunLinks {
  RunState &state;
  RunWords &words;
  RunParts &parts;
};

class RunPart {
public:
  enum class Step { done, blocked, stop };

  explicit RunPart(const RunLinks &links);
  RunPart(const RunPart &) = delete;
  /// What the part keeps is copied; it stays with its own run.
  RunPart &operator=(const RunPart &) { return *this; }

  struct Use {
    const View *view;
    bool write;
  };
  /// Rows of an operation that one agent does; `all`: how many the operation has.
  struct Rows {
    std::vector<RowRange> ranges;
    int64_t all;
    bool columns = false; // rows of the views turned

    View counted(const View &view) const { return columns ? turned(view) : view; }
  };
  struct BarrierPlace {
    TrackedMbarrier *barrier;
    int cta, object;
    int64_t slot;
  };

  /// Agent and operation of an access: "mma warp 4 of CTA (0,0)".
  std::string nameOf(int32_t actor) const;
  std::string nameOf(int32_t actor, const Stmt &doing) const;

protected:
  ~RunPart() = default;

  void wake(std::vector<int32_t> &blocked);
  Strands strands(Actor &a, const Stmt &s);
  int32_t component(const Actor &a, Strand strand);
  /// The next operation of a queue.
  Stamp issue(const Actor &a, Queue &queue, Strand strand);
  BarrierEvent event(Actor &a, const Stmt &s);
  Rows rowsFor(const Actor &a, const Stmt &s, const std::vector<const View *> &views) const;
  /// R37: the kernel before has ended, or does not write the tensor.
  bool mayTouch(const Actor &a, const Stmt &s, int tensor);
  /// The run has the CTAs of the whole grid, which are no cluster.
  bool joinedGrid() const {
    const int64_t *c = program_.cluster;
    return !isAscend(program_.target) && static_cast<int64_t>(ctas_.size()) > c[0] * c[1] * c[2];
  }

  Step refuse(std::string rule, std::string message, const Stmt &at, std::string barrier = {});
  /// The violation to come is about an earlier event too.
  void about(const Access &earlier, std::string does);
  std::string nameOf(const BarrierPlace &b) const;
  /// `peer`: the rank of the CTA whose bytes they are, where that is to be told.
  std::string slotsOf(const Buffer &buffer, Interval bytes, int peer = -1) const;
  std::string what(const Access &access) const;
  std::string what(const BarrierEvent &event) const;
  std::string what(const Actor &a, const Stmt &s) const;

  Context &context_;
  const Program &program_;
  Facts &facts_;
  const std::vector<Coordinates> &ctas_;
  std::vector<Actor> &actors_;
  std::vector<int32_t> &ready_;
  std::optional<Violation> &violation_;
  std::optional<Error> &error_;
  Offence &offence_;
  int32_t &acting_;
  RunWords &words_;
  RunParts &parts_;
};

/// What a run tells of what it meets, as far as a verdict needs words; who tells of the run has
/// more (lib/Diagnose).
class RunWords {
public:
  /// Something asynchronous that ends with this stamp has been started.
  virtual void starts(Stamp) {}
  /// `first` should have ended before `second`, and nothing makes it.
  virtual RunPart::Step race(const Buffer &buffer, const Cell &cell, const Access &first,
                             bool firstWrites, const Access &second, bool secondWrites) = 0;
  virtual Violation deadlock() = 0;
  /// A violation has been met.
  virtual void complete(Violation &, int32_t /*actor*/, const Stmt &) {}
  /// A sentence that names what to change.
  virtual std::string fixInTensor(const Actor &, const Stmt &, const Access & /*prior*/,
                                  bool /*priorWrites*/, const std::string & /*tensor*/) const {
    return "Order them";
  }

protected:
  ~RunWords() = default;
};

inline BarrierEvent eventOf(const Access &access) {
  return {access.stamp, access.actor, access.stmt};
}
std::string slotName(const Buffer &buffer, Interval bytes); // "a[2]"

} // namespace sluice
