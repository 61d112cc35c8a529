// The warps of a warpgroup come to the same products, one after another, with the same tiles (R13).
// What follows from the text StructureWarpgroups.cpp tells. Where a number decides that each warp
// reads from shared memory it may be another one for a warp that reads later.
#include "Program/Blocks.h"
#include "Program/Uses.h"
#include "Verify/Names.h"
#include "Verify/ProductsOfNumbers.h"
#include "Verify/Run.h"
#include "Verify/Sources.h"

#include <algorithm>

namespace sluice {
namespace {

class Finder {
public:
  explicit Finder(const Program &program) : isRead_(ofNumbersRead(program)) {
    findIn(program.body, false);
  }

  ProductsOfNumbers found;

private:
  void findIn(const Block &block, bool decided) {
    for (const Stmt &s : block.stmts)
      find(s, decided);
  }

  void find(const Stmt &s, bool decided) {
    if (auto *loop = std::get_if<For>(&s.op))
      decided |= isAnyRead({loop->lower, loop->upper, loop->step, loop->condition});
    else if (auto *branch = std::get_if<If>(&s.op))
      decided |= isAnyRead({branch->condition});
    forBlocks(s, [&](const Block &inner) { findIn(inner, decided); });
    if (std::holds_alternative<Wgmma>(s.op)) {
      std::vector<ValueId> used;
      forEachUse(s, [&used](const ValueId &v) { used.push_back(v); });
      if (const bool chooses = isAnyRead(used); chooses || decided)
        found[&s] = chooses;
    }
  }

  bool isAnyRead(const std::vector<ValueId> &values) const {
    return std::ranges::any_of(values, [this](ValueId v) { return v != kNone && isRead_[v]; });
  }

  const std::vector<bool> isRead_;
};

} // namespace

ProductsOfNumbers findProductsOfNumbers(const Program &program) {
  const bool any = !isAscend(program.target);
  return any ? Finder(program).found : ProductsOfNumbers{};
}

bool RunWarpgroups::comesWithItsGroup(const Actor &a, const Stmt &s, const Wgmma &op) {
  const auto decided = context_.productsOfNumbers.find(&s);
  if (decided == context_.productsOfNumbers.end())
    return true;
  Together::Product product{&s, {}};
  if (decided->second) {
    for (const View *v : {&op.d, &op.a, &op.b})
      for (const Index &i : {v->slot, v->offset[0], v->offset[1]})
        product.tiles.push_back(a.agent.value(i));
    product.tiles.push_back(a.agent.value(op.accumulate));
  }
  const int warp = a.agent.id().warp;
  Together &group = together_[{a.cta, warp / 4}];
  size_t &done = group.done[static_cast<size_t>(warp % 4)];
  if (done < group.open.size() && group.open[done] != product) {
    const Together::Product &other = group.open[done];
    refuse("R13",
           what(a, s) + " is not what another warp of its warpgroup has multiplied: " +
               (other.stmt == &s ? "other tiles"
                                 : operationName(other.stmt->op) + place(other.stmt->loc)) +
               ". Numbers that each warp reads decide, and what they read has been overwritten "
               "between. Let all four read it before it is",
           s);
    return false;
  }
  if (done == group.open.size())
    group.open.push_back(std::move(product));
  ++done;
  while (std::ranges::all_of(group.done, [](size_t n) { return n > 0; })) {
    group.open.pop_front();
    for (size_t &n : group.done)
      --n;
  }
  return true;
}

bool RunWarpgroups::leftByItsGroup() {
  for (const auto &[key, group] : together_)
    if (!group.open.empty()) {
      const Stmt &s = *group.open.front().stmt;
      refuse("R13",
             operationName(s.op) + place(s.loc) + ": some warps of warpgroup " +
                 std::to_string(key.second) +
                 " come to it and others do not. Numbers that each warp reads decide, and what "
                 "they read has been overwritten between. Let all four read it before it is",
             s);
      return true;
    }
  return false;
}

} // namespace sluice
