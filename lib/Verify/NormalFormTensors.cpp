// The normal form of what has been done to tensors, and what of that is forgotten.
#include "Verify/NormalForm.h"

#include <algorithm>
#include <span>

namespace sluice {

void NormalForm::forgetBoxes() {
  for (TensorHistory &history : run_.parts_.tensors.tensors_)
    std::erase_if(history.boxes(), [&](const BoxHistory &h) {
      return h.box.path != 0 &&
             std::ranges::all_of(running_, [&](const Actor *a) { return past(*a, h.box.path); });
    });
  forgetDrawnBoxes();
}

/// The numbers drawn that a term is made of.
void NormalForm::addDrawn(int32_t term, std::set<int32_t> &found) const {
  const Term &t = run_.context_.terms[term];
  if (!t.hasDrawn)
    return;
  if (t.kind == Term::drawn)
    found.insert(term);
  for (int i = 0; i < t.operandCount; ++i)
    if (!t.operands[i].isConstant())
      addDrawn(t.operands[i].term, found);
}

/// Those that somebody may still compute a place from: agents have what they have computed until
/// they compute it anew, memory what has been written until it is overwritten.
std::set<int32_t> NormalForm::drawnInReach() const {
  std::set<int32_t> found;
  const auto add = [&](Affine v) {
    if (!v.isConstant())
      addDrawn(v.term, found);
  };
  for (const Actor *a : running_)
    std::ranges::for_each(a->agent.frame(), add);
  for (auto &[key, m] : run_.parts_.memory.memories_)
    for (const Cell &c : m.cells())
      if (c.write.isNumber)
        add(c.write.number);
  return found;
}

/// Nothing comes to the place of a box again that a number has told which nobody has any more.
void NormalForm::forgetDrawnBoxes() {
  const Terms &terms = run_.context_.terms;
  const auto isDrawn = [&terms](int32_t term) { return term >= 0 && terms[term].hasDrawn; };
  std::optional<std::set<int32_t>> reach; // looked for once, where there is such a box
  const auto isLost = [&](const BoxHistory &h) {
    std::set<int32_t> of;
    for (const int32_t term : h.box.term)
      if (isDrawn(term))
        addDrawn(term, of);
    if (!of.empty() && !reach)
      reach = drawnInReach();
    return h.box.path == 0 &&
           std::ranges::any_of(of, [&](int32_t number) { return !reach->contains(number); });
  };
  for (size_t memory = 0; memory < run_.parts_.tensors.tensors_.size(); ++memory)
    std::erase_if(run_.parts_.tensors.tensors_[memory].boxes(), [&](const BoxHistory &h) {
      const bool lost = isLost(h);
      const auto leave = [&](const Access &a) {
        if (lost && a.stmt)
          run_.context_.leftBehind[static_cast<int>(memory)].insert(
              {a.stmt, run_.actors_[a.actor].cta});
      };
      leave(h.write);
      std::ranges::for_each(h.reads, leave);
      return lost;
    });
}

/// By its form, as CountedValues::isFinite.
bool NormalForm::isFinite(Affine a) const {
  if (a.isConstant())
    return true;
  const Term &t = run_.context_.terms[a.term];
  const std::span operands(t.operands.data(), static_cast<size_t>(t.operandCount));
  return t.kind == Term::operation &&
         isFiniteOperation(
             t.op, operands, [this](Affine o) { return isFinite(o); },
             [](Affine o) { return o.isConstant() ? std::optional(o.constant) : std::nullopt; });
}

/// What two places need not have in common to be compared where one is behind the other in its loop
/// (Sources::keepDistance): the numbers themselves.
void NormalForm::finiteParts(Affine sum) {
  if (sum.isConstant() || !run_.context_.terms[sum.term].hasIteration)
    return;
  const Term &t = run_.context_.terms[sum.term];
  if (isFinite(sum))
    return rounds(sum.term, Need::exactly());
  if (t.op == ScalarOp::add || t.op == ScalarOp::sub)
    for (int i : {0, 1})
      finiteParts(t.operands[i]);
}

/// One that moves with a loop has its place by the path and by what has been added there; one at a
/// number drawn has it by that number's name.
void NormalForm::box(const Box &where) {
  path(where.path);
  for (int d = 0; d < Box::maxRank; ++d) {
    put(where.hi[d] - where.lo[d]);
    if (where.path != 0) {
      operand(where.at[d]);
      finiteParts(where.at[d]);
    } else {
      const int32_t term = where.term[d];
      term >= 0 && run_.context_.terms[term].hasDrawn ? shape(term) : put(term);
      put(where.lo[d]);
    }
  }
}

void NormalForm::tensors() {
  for (size_t t = 0; t < run_.parts_.tensors.tensors_.size(); ++t) {
    const Place where = run_.context_.asyncTensor[t] ? Place::asyncTensor : Place::other;
    const bool inPlace = run_.program_.tensors[t].inPlaceOf >= 0; // later reads look for writes
    for (const BoxHistory &h : run_.parts_.tensors.tensors_[t].boxes()) {
      bool open = h.write.stmt && (inPlace || !(seenByAll(h.write, where) && toldToLanes(h.write)));
      for (const Access &r : h.reads)
        open |= !isPast(r, where);
      if (!open)
        continue;
      box(h.box);
      put(h.reducing);
      written(h.write, where);
      std::vector<const Access *> reads;
      for (const Access &r : h.reads)
        reads.push_back(&r);
      for (const Access *r : inOrder(std::move(reads)))
        read(*r, where);
    }
    put(-10);
  }
  std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, const RunTensors::Last *> byName;
  for (const auto &[key, last] : run_.parts_.tensors.last_) {
    const auto &[stmt, writes, component, elected] = key;
    byName[{stmt, writes, nameOf(component), elected}] = &last;
  }
  for (const auto &[key, found] : byName) {
    const RunTensors::Last &last = *found;
    const Place where = run_.context_.asyncTensor[last.tensor] ? Place::asyncTensor : Place::other;
    place(last.access.stmt);
    put(nameOf(last.access.stamp.component));
    put(last.access.electedEnd.component);
    put(last.path == run_.actors_[last.access.actor].agent.scalars().levels().back().path);
    box(last.box);
    if (last.writes)
      written(last.access, where);
    else
      read(last.access, where);
  }
}

} // namespace sluice
