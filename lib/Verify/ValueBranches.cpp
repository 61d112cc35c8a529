#include "Verify/ValueBranches.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Verify/Rewriting.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

class ValueBranches : Rewriting {
public:
  explicit ValueBranches(const Program &program) : Rewriting(program) {
    walk(program_.body, [this](const Stmt &s) {
      if (const TileProduct product = productOf(s.op))
        keepOperands(product);
    });
  }

  std::optional<Program> rewrite() {
    rewrite(program_.body);
    return result();
  }

private:
  /// Where its tiles come from (R28) is asked of what a product reads, and of a sum until it begins
  /// anew; of what a map has changed it is asked no more.
  void keepOperands(const TileProduct &product) {
    const Index &adds = *product.accumulate;
    const int64_t *known = adds.isConstant() ? &adds.constant : constantOf(adds.value);
    kept_.insert({product.a->object, product.b->object});
    if (!known || *known != 0)
      kept_.insert(product.d->object);
  }

  void rewrite(Block &block) {
    std::vector<Stmt> all;
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { rewrite(inner); });
      auto *branch = std::get_if<If>(&s.op);
      if (!branch || !branch->results.empty() || !changesValues(branch->thenBlock) ||
          !changesValues(branch->elseBlock)) {
        all.push_back(std::move(s));
        continue;
      }
      found_ = true;
      for (Block *arm : {&branch->thenBlock, &branch->elseBlock})
        std::ranges::move(arm->stmts, std::back_inserter(all));
    }
    block.stmts = std::move(all);
  }

  bool changesValues(const Block &arm) const {
    return std::ranges::all_of(arm.stmts, [this](const Stmt &s) {
      auto *map = std::get_if<Map>(&s.op);
      return map ? changesInPlace(*map) : isArithmetic(s);
    });
  }
  /// All that it writes it reads: where it is not taken, nothing lacks what it would have written.
  bool changesInPlace(const Map &map) const {
    const auto isHeld = [this](const View &v) {
      return program_.buffer(v) && program_.buffers[v.object].space == Space::reg &&
             !kept_.contains(v.object);
    };
    return std::ranges::all_of(map.ins, isHeld) &&
           std::ranges::all_of(map.outs, [&](const View &out) {
             return isHeld(out) && std::ranges::any_of(map.ins, [&out](const View &in) {
                      return in.object == out.object && in.slot == out.slot &&
                             in.offset == out.offset && in.shape == out.shape;
                    });
           });
  }

  std::set<int> kept_; // buffers that are changed where the author changes them alone
};

} // namespace

std::optional<Program> withoutValueBranches(const Program &program) {
  return ValueBranches(program).rewrite();
}

} // namespace sluice
