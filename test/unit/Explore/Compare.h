// Checker against explorer.
#pragma once

#include "Diagnose/Check.h"
#include "Dump.h"
#include "Explore/Explore.h"
#include "Program/Agent.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sluice::test {

/// What the two said about many programs.
struct Comparison {
  int64_t good = 0, bad = 0, bounded = 0, unsupported = 0;
  std::map<std::string, int64_t> nothing; // refused with this rule, and the explorer finds nothing
  std::map<std::string, int64_t> refused; // by rule
  std::vector<std::string> unsound;       // programs proven although the explorer finds a fault

  /// What is only kept by a relaxed operation is ordered for the explorer; and the lanes of a warp
  /// but one add to a counter together. Lanes that agree on what a test says have come there: in
  /// time, which orders no accesses.
  static bool keepsMore(const Program &program, const std::string &rule) {
    bool found = false;
    walk(program.body, [&](const Stmt &s) {
      found |= std::holds_alternative<MbarrierTest>(s.op) && s.exec == Exec::threads &&
               (rule == "R22" || rule == "R26");
      if (auto *add = std::get_if<CounterAdd>(&s.op))
        found |= add->relaxed || s.exec == Exec::threads;
      if (auto *barrier = std::get_if<ClusterBarrier>(&s.op))
        found |= barrier->kind == ClusterBarrier::arriveRelaxed;
    });
    return found;
  }

  /// A wait for other cores may hold up all pipes of its core.
  static bool waitsForCores(const Program &program) {
    bool found = false;
    walk(program.body, [&](const Stmt &s) { found |= std::holds_alternative<CrossWait>(s.op); });
    return found && program.target == Target::ascend910b;
  }

  void add(const Program &program, const Launch &launch, const std::string &what,
           int64_t maxStates = 200'000) {
    const Verdict v = check(program, defaultArch(program.target), launch);
    if (v.kind == Verdict::unsupported) {
      ++unsupported;
      return;
    }
    Exploration e = explore(program, launch, {maxStates, {0, 0, 0}, true});
    const bool proven = v.kind == Verdict::proven;
    // The checker assumes that lanes converge at waits for what a wait sees, and for nothing else.
    if (!proven && e.kind == Exploration::clean)
      e = explore(program, launch, {maxStates, {0, 0, 0}, false});
    if (e.kind == Exploration::clean && waitsForCores(program))
      e = explore(program, launch, {.maxStates = maxStates, .waitsHoldOnePipe = false});
    if (!proven)
      ++refused[v.violations[0].rule];
    if (e.kind == Exploration::bounded) {
      ++bounded;
    } else if (proven == (e.kind == Exploration::clean)) {
      ++(proven ? good : bad);
    } else if (!proven) {
      const std::string &refusing = v.violations[0].rule;
      const std::string rule = refusing + (keepsMore(program, refusing) ? " kept" : "");
      ++nothing[rule];
      if (example.emplace(rule, "").second)
        example[rule] = what + ": " + v.violations[0].message + "\n" + dump(program, launch);
    } else {
      std::string text = what + ": proven, but " + e.rule + ": " + e.fault + "\n";
      for (const std::string &step : e.schedule)
        text += "  " + step + "\n";
      unsound.push_back(text + dump(program, launch));
    }
  }
  std::string summary() const {
    std::string text = "good " + std::to_string(good) + ", bad " + std::to_string(bad) +
                       ", UNSOUND " + std::to_string(unsound.size()) + ", bounded " +
                       std::to_string(bounded) + ", unsupported " + std::to_string(unsupported) +
                       "; finds nothing:";
    for (const auto &[rule, n] : nothing)
      text += " " + rule + " " + std::to_string(n);
    text += "; refused:";
    for (const auto &[rule, n] : refused)
      text += " " + rule + " " + std::to_string(n);
    return text;
  }

  std::map<std::string, std::string> example; // the first of each in `nothing`
};

/// Checker against explorer on `count` protocols that `draw` makes of a seed each.
template <typename Draw> Comparison comparedOn(Draw draw, uint64_t first, uint64_t count) {
  Comparison c;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const auto p = draw(seed);
    c.add(p.program, p.launch, p.name, 20'000);
  }
  return c;
}

/// Rules that ask for an order of phases that is known, not only kept; which threads an instruction
/// takes (R13) is no matter of interleavings.
inline const std::set<std::string> harmlessSlips{"R4", "R5", "R6", "R11", "R13"};

/// Nothing proven has a fault, what is refused without one breaks a rule that asks for more than
/// what is kept, and there are enough of both.
inline void expectAgreement(const Comparison &c, int64_t atLeast,
                            const std::set<std::string> &harmless = harmlessSlips) {
  EXPECT_TRUE(c.unsound.empty()) << c.unsound.size() << " unsound; the first: " << c.unsound[0];
  for (const auto &[rule, count] : c.nothing)
    EXPECT_TRUE(harmless.contains(rule)) << count << " times; " << c.example.at(rule);
  EXPECT_GE(c.good, atLeast) << c.summary();
  EXPECT_GE(c.bad, atLeast) << c.summary();
}

/// "clean", "bounded", or the rule that some interleaving breaks.
inline std::string foundIn(const Exploration &e) {
  return e.kind == Exploration::clean     ? "clean"
         : e.kind == Exploration::bounded ? "bounded"
                                          : e.rule;
}

} // namespace sluice::test
