// R48 of single operations. A Mmad hands over all units of its tile: the store that takes them has
// to move each. It leaves out what lies outside of the tensor, so that its box must lie inside,
// which the branches around it, or fixed extents, have to say.
#include "Program/Blocks.h"
#include "Program/LayoutMap.h"
#include "Program/OperationFacts.h"
#include "Program/Ranges.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>
#include <map>

namespace sluice {
namespace {

/// value + constant
struct Sum {
  ValueId value = kNone;
  int64_t constant = 0;
};

class Units {
public:
  explicit Units(const StructureContext &c) : c_(c) {
    walk(c.program.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        definitions_[scalar->result] = scalar;
    });
  }

  void check() { block(c_.program.body); }

private:
  void block(const Block &b) {
    for (const Stmt &s : b.stmts) {
      if (auto *branch = std::get_if<If>(&s.op)) {
        const size_t before = holds_.size();
        assume(branch->condition);
        block(branch->thenBlock);
        holds_.resize(before);
        block(branch->elseBlock);
      } else {
        forBlocks(s, [this](const Block &inner) { block(inner); });
      }
      if (const UnitsDeed deed = unitsDeed(s.op))
        operation(s, deed);
    }
  }

  /// What holds where a condition does: comparisons, all of which it joins.
  void assume(ValueId condition) {
    const Scalar *s = definition(condition);
    if (!s)
      return;
    if (s->op == ScalarOp::andI)
      std::ranges::for_each(s->operands, [this](ValueId v) { assume(v); });
    else
      holds_.push_back(s);
  }

  void operation(const Stmt &s, const UnitsDeed &deed) {
    const Buffer *b = c_.program.buffer(*deed.tile);
    const auto isFirst = [](const Index &i) { return i == Index{}; };
    if (!b || b->space != Space::l0c || deed.tile->shape != b->shape || deed.tile->transposed ||
        !std::ranges::all_of(deed.tile->offset, isFirst))
      return c_.refuse("R48",
                       operationName(s.op) + place(s.loc) +
                           " takes units of a part of a tile; a product hands over those of a "
                           "whole tile of L0C, and a store takes them",
                       s.loc);
    liesAlone(s, *b);
    if (auto *copy = std::get_if<Copy>(&s.op))
      stored(s, *copy);
  }

  /// Whoever has a unit has it of all buffers that its bytes are of; runs keep it for each tile.
  void liesAlone(const Stmt &s, const Buffer &tile) {
    for (const Buffer &other : c_.program.buffers)
      if (&other != &tile && other.space == Space::l0c && other.offset < endInSpace(tile) &&
          tile.offset < endInSpace(other))
        return c_.refuse("R48",
                         operationName(s.op) + place(s.loc) + " takes the units of " + tile.name +
                             ", in whose bytes of L0C " + other.name +
                             " lies too: they would be units of both. Give the two places of "
                             "their own",
                         s.loc, tile.name);
  }

  void stored(const Stmt &s, const Copy &op) {
    const View &box = op.destination;
    if (s.pipe != Pipe::fix || box.kind != View::tensor)
      return c_.refuse("R48",
                       "copy" + place(s.loc) +
                           " takes units, which FIX does of a tile that it stores to a tensor. "
                           "Let the copy wait for a flag",
                       s.loc);
    const Tensor &tensor = c_.program.tensors[box.object];
    for (size_t d = 0; d < box.shape.size(); ++d)
      if (!box.clips.empty() || tensor.isLine || tensor.joined >= 0 || !isInside(box, d))
        return c_.refuse("R48",
                         "copy" + place(s.loc) + " takes the units of " +
                             c_.program.buffers[op.source.object].name +
                             " for a box that may end outside of dimension " + std::to_string(d) +
                             " of " + tensor.name +
                             ": units beyond it would stay with FIX. Store with units in a branch "
                             "that is taken where the box lies inside, offset + " +
                             std::to_string(box.shape[d]) + " <= extent",
                         s.loc, tensor.name);
  }

  bool isInside(const View &box, size_t d) {
    const Index &from = box.offset[d];
    if (!ranges_)
      ranges_.emplace(c_.program);
    if (ranges_->of(from).least < 0)
      return false;
    const Sum begin = sumOf(from.value, from.constant);
    const Sum end{begin.value, begin.constant + box.shape[d]};
    const std::vector<int64_t> &fixed = c_.program.tensors[box.object].extents;
    if (d < fixed.size() && fixed[d] >= 0 && ranges_->of(from).most <= fixed[d] - box.shape[d])
      return true;
    return std::ranges::any_of(holds_, [&](const Scalar *s) {
      return isAtMost(*s, end, box.object, static_cast<int64_t>(d));
    });
  }

  /// Whether the comparison says that `end` is no more than an extent.
  bool isAtMost(const Scalar &s, const Sum &end, int tensor, int64_t dimension) const {
    const bool less = s.op == ScalarOp::le || s.op == ScalarOp::lt;
    if (!less && s.op != ScalarOp::ge && s.op != ScalarOp::gt)
      return false;
    const Sum left = sumOf(s.operands[less ? 0 : 1], 0), right = sumOf(s.operands[less ? 1 : 0], 0);
    const Scalar *extent = definition(right.value);
    const int64_t strictly = s.op == ScalarOp::lt || s.op == ScalarOp::gt ? 1 : 0;
    return extent && extent->op == ScalarOp::dim && extent->object == tensor &&
           extent->imm == dimension && left.value == end.value &&
           left.constant + strictly - right.constant >= end.constant;
  }

  const Scalar *definition(ValueId v) const {
    const auto at = definitions_.find(v);
    return at == definitions_.end() ? nullptr : at->second;
  }

  Sum sumOf(ValueId v, int64_t constant) const {
    const Scalar *s = definition(v);
    if (s && s->op == ScalarOp::constant)
      return {kNone, s->imm + constant};
    if (s && (s->op == ScalarOp::add || s->op == ScalarOp::sub))
      for (const size_t i : {size_t{1}, size_t{0}})
        if (const Scalar *by = definition(s->operands[i]);
            by && by->op == ScalarOp::constant && (i == 1 || s->op == ScalarOp::add))
          return sumOf(s->operands[1 - i],
                       constant + (s->op == ScalarOp::add ? by->imm : -by->imm));
    return {v, constant};
  }

  const StructureContext &c_;
  std::map<ValueId, const Scalar *> definitions_;
  std::vector<const Scalar *> holds_; // in the branches around
  std::optional<Ranges> ranges_;      // once asked for
};

} // namespace

void checkUnits(const StructureContext &c) {
  bool any = false;
  walk(c.program.body, [&any](const Stmt &s) { any |= static_cast<bool>(unitsDeed(s.op)); });
  if (any)
    Units(c).check();
}

} // namespace sluice
