// Tests of mbarriers, and waits that a token may spare (R41).
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

std::optional<RunBarriers::Token> RunBarriers::Token::of(int64_t number) {
  constexpr int64_t mask = (1 << 16) - 1;
  if (number <= 0)
    return {};
  return Token{static_cast<int>((number - 1) & mask), (number - 1) >> 16 & mask,
               ((number - 1) >> 32) - 1};
}

int64_t RunBarriers::phaseOf(const TrackedMbarrier &b, int64_t parity) {
  const int64_t current = b.state.phase();
  return (current & 1) == (parity & 1) ? current : current - 1;
}

/// The phase before the one asked for has completed for sure, so that a yes is of no other. What
/// comes after it cannot complete before the wait has looked, which comes after the test. What the
/// answer is changes nothing here: the wait is checked where it stands.
RunBarriers::Step RunBarriers::test(Actor &a, const Stmt &s, const MbarrierTest &op) {
  const auto place = lookedAt(a, s, op.barrier);
  if (!place)
    return Step::stop;
  const TrackedMbarrier &b = *place->barrier;
  const int64_t asked = phaseOf(b, a.agent.value(op.parity));
  const bool current = asked == b.state.phase();
  const Strands who = strands(a, s);
  for (const BarrierEvent &e : current ? b.previous() : b.beforePrevious()) {
    if (!conditions().tokens || asked < 1 || who.know(e.stamp))
      continue;
    const std::string name = nameOf(*place);
    offence_ = {Offence::tooEarly, e, "", "", {}};
    return refuse("R41",
                  what(a, s) + " for phase " + std::to_string(asked) + " of " + name +
                      " may say yes one phase early: it does not know " + what(e) + " of phase " +
                      std::to_string(asked - 1) +
                      ", and the parity of two phases before looks the same. Wait for phase " +
                      std::to_string(asked - 1) + " of " + name +
                      " (or for something that follows it) before the test",
                  s, name);
  }
  if (s.exec == Exec::threads)
    context_.assumptions.insert(
        "warps-converge: the lanes of a warp come to and leave a wait together");
  a.agent.set(op.result, {-1, Token{place->object, place->slot, asked}.number()});
  return Step::done;
}

bool RunBarriers::isOfOther(Actor &a, const Stmt &s, const MbarrierWait &op,
                            const BarrierPlace &at) {
  if (op.token == kNone || !conditions().tokens)
    return false;
  const std::optional<Token> token = Token::of(a.agent.value({op.token, 0}));
  const Token awaited{at.object, at.slot, phaseOf(*at.barrier, a.agent.value(op.parity))};
  if (!token || *token == awaited)
    return false;
  const std::string name = nameOf(at);
  refuse("R41",
         what(a, s) + " waits for phase " + std::to_string(awaited.phase) + " of " + name +
             ", and its token is of phase " + std::to_string(token->phase) + " of " +
             barrierName(program_.mbarriers[token->object], token->slot) +
             ": where that has completed, nothing is waited for. Ask under the cursor that the "
             "wait has, when the phase before it has been waited for",
         s, name);
  return true;
}

} // namespace sluice
