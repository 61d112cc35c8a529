#include "Verify/Facts.h"

#include "Verify/Relevance.h"

#include <algorithm>

namespace sluice {
Range Facts::range(const Terms &terms, const Instance &i) const {
  Range r = i.ordinal == Instance::apart ? Range{} : terms[i.term].range;
  if (const auto at = instances_.find(i); at != instances_.end())
    r = both(r, at->second);
  if (i.ordinal == Instance::apart)
    return r;
  if (const auto at = small_.find(i.term); at != small_.end())
    r = both(r, at->second);
  return r;
}

bool Facts::tell(const Terms &terms, int32_t unknown, int64_t number) const {
  const Need need = relevance_ ? relevance_->trip(terms, terms[unknown]) : Need::exactly();
  return need.exact || need.head >= number;
}

int64_t Facts::tripModulus(const Terms &terms, int32_t trip) const {
  return relevance_ ? relevance_->tripModulus(terms, trip) : 1;
}

int64_t Facts::head() const {
  return relevance_ ? relevance_->head() : 1;
}

const Facts::Residue *Facts::residue(int32_t trip) const {
  const auto at = residues_.find(trip);
  return at == residues_.end() ? nullptr : &at->second;
}

Range Facts::beyondSmall(const Instance &i) const {
  const auto own = instances_.find(i);
  const auto small = small_.find(i.term);
  if (own == instances_.end())
    return {};
  Range r = own->second;
  if (small != small_.end() && small->second.lo >= r.lo)
    r.lo = -Range::infinite;
  if (small != small_.end() && small->second.hi <= r.hi)
    r.hi = Range::infinite;
  return r;
}

/// The one that tells more stays.
void Facts::keep(int32_t trip, Residue residue) {
  const auto [at, isNew] = residues_.try_emplace(trip, residue);
  if (!isNew && residue.modulus % at->second.modulus == 0)
    at->second = residue;
}

/// A remainder that is known tells of the dividend, of either sign, what the end of a loop over it
/// does.
void Facts::keepRemainder(const Terms &terms, int32_t remainder, Range r) {
  const Term &t = terms[remainder];
  if (t.kind != Term::operation || t.op != ScalarOp::remS || !t.operands[1].isConstant() ||
      t.operands[0].isConstant() || !r.exact())
    return;
  const int64_t divisor = t.operands[1].constant, added = t.operands[0].constant;
  if (divisor > 1)
    keep(t.operands[0].term, {((r.lo - added) % divisor + divisor) % divisor, divisor});
}

void Facts::forget(const Terms &terms, const Instance &i) {
  if (terms[i.term].ofData) {
    forgotten_->push_back({i, range(terms, i), last_});
    last_ = static_cast<int32_t>(forgotten_->size()) - 1;
  }
  instances_.erase(i);
}

/// Of one that was forgotten twice, what was known last.
std::map<Instance, Range> Facts::past() const {
  std::map<Instance, Range> all;
  for (int32_t at = last_; at >= 0; at = (*forgotten_)[at].before)
    all.try_emplace((*forgotten_)[at].instance, (*forgotten_)[at].range);
  return all;
}

/// Of a threshold that 64 bits do not hold nothing follows (Terms::probe): it is asked again.
void Facts::decide(const Terms &terms, const Query &q, bool greater) {
  if (std::abs(q.threshold) >= Range::infinite)
    return;
  Range &r = instances_.try_emplace(q.instance, Range{}).first->second;
  if (greater)
    r.lo = std::max(r.lo, q.threshold + 1);
  else
    r.hi = std::min(r.hi, q.threshold);
  if (!terms[q.instance.term].ofLaunch)
    return;
  keepRemainder(terms, q.instance.term, range(terms, q.instance));
  if (q.trip >= 0) {
    const Range trip = terms.derived(q.trip, range(terms, q.instance));
    const int64_t modulus = relevance_->tripModulus(terms, q.trip);
    if (trip.exact() && modulus > 1)
      keep(q.trip, {(trip.lo % modulus + modulus) % modulus, modulus});
  }
  if (!q.small)
    return;
  Range &s = small_.try_emplace(q.instance.term, Range{}).first->second;
  if (greater)
    s.lo = std::max(s.lo, q.threshold + 1);
  else
    s.hi = std::min(s.hi, q.threshold);
}

} // namespace sluice
