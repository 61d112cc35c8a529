// What remainders tell of the numbers that they are of, and the other way round.
#include "Verify/Scalars.h"

#include <algorithm>

namespace sluice {

/// The trip count is known up to a multiple: are there values left on either side?
std::optional<bool> ProofScalars::fromResidue(const Instance &i, int32_t trip,
                                              int64_t threshold) const {
  const Facts::Residue *known = facts_->residue(trip);
  if (!known)
    return {};
  const Range r = terms_->derived(trip, facts_->range(*terms_, i));
  const auto firstFrom = [&](int64_t from) {
    const int64_t past = ((from - known->value) % known->modulus + known->modulus) % known->modulus;
    return past == 0 ? from : from + known->modulus - past;
  };
  if (r.lo > -Range::infinite && firstFrom(r.lo) > threshold)
    return true;
  if (r.hi < Range::infinite && firstFrom(threshold + 1) > r.hi)
    return false;
  return {};
}

/// A remainder whose dividend is known to be one of a few numbers.
std::optional<bool> ProofScalars::fromDividend(const Term &t, int64_t threshold) const {
  if (t.kind != Term::operation || t.op != ScalarOp::remS || t.operands[0].isConstant() ||
      !t.operands[1].isConstant() || t.operands[1].constant == 0 || apart_ || opaque_)
    return {};
  const Range r = known(t.operands[0].term);
  if (r.hi < Range::infinite && r.hi + t.operands[0].constant <= 0 && threshold >= 0)
    return false; // of the sign of the dividend
  if (r.lo <= -Range::infinite || r.hi >= Range::infinite || r.hi - r.lo > mostDividends)
    return {};
  int64_t above = 0;
  for (int64_t x = r.lo; x <= r.hi; ++x)
    above += (x + t.operands[0].constant) % t.operands[1].constant > threshold;
  return above == 0                 ? std::optional(false)
         : above == r.hi - r.lo + 1 ? std::optional(true)
                                    : std::nullopt;
}

/// A trip count between bounds that are not far apart, of which remainders are known: those of its
/// numbers that fit them are all above the threshold, or none is. Normal forms have where the
/// bounds lie up to a multiple of Facts::tripModulus, and what is known of a remainder exactly.
std::optional<bool> ProofScalars::fromRemainders(const Instance &i, int32_t trip,
                                                 int64_t threshold) const {
  const Range r = terms_->derived(trip, facts_->range(*terms_, i));
  if (!(*terms_)[trip].ofLaunch || r.lo < 0 || r.hi >= Range::infinite ||
      r.hi - r.lo > mostDividends)
    return {};
  std::vector<std::pair<const Term *, Range>> remainders;
  for (const auto &[instance, range] : facts_->instances()) {
    const Term &t = (*terms_)[instance.term];
    if (instance.ordinal != Instance::apart && isRemainderOf(t, trip) &&
        facts_->tripModulus(*terms_, trip) % t.operands[1].constant == 0)
      remainders.emplace_back(&t, facts_->range(*terms_, instance));
  }
  if (remainders.empty())
    return {};
  bool above = false, below = false;
  for (int64_t x = r.lo; x <= r.hi; ++x)
    if (std::ranges::all_of(remainders, [x](const auto &known) {
          const auto &[t, range] = known;
          const int64_t rest = (x + t->operands[0].constant) % t->operands[1].constant;
          return range.lo <= rest && rest <= range.hi;
        }))
      (x > threshold ? above : below) = true;
  return above == below ? std::nullopt : std::optional(above);
}

/// (trip + number) % number, of what is never negative.
bool ProofScalars::isRemainderOf(const Term &t, int32_t trip) {
  return t.kind == Term::operation && t.op == ScalarOp::remS && t.operands[0].term == trip &&
         t.operands[0].constant >= 0 && t.operands[1].isConstant() && t.operands[1].constant > 0;
}

} // namespace sluice
