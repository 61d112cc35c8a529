// Pairs of CTAs (R45), without a run: whether a kernel uses its tensor memory by pairs, and has
// them.
#include "Program/OperationFacts.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

namespace sluice {

namespace {

/// Whether it is of a pair; nothing: it is of no CTA's tensor memory, or of the warp alone.
std::optional<bool> isOfPair(const Operation &op) {
  return std::visit(
      [](const auto &o) -> std::optional<bool> {
        if constexpr (requires { o.pair; })
          return o.pair;
        else
          return std::nullopt;
      },
      op);
}

} // namespace

void checkPairs(const StructureContext &c) {
  const int64_t *cluster = c.program.cluster;
  const int64_t ctas = cluster[0] * cluster[1] * cluster[2];
  const Stmt *first = nullptr;
  walk(c.program.body, [&](const Stmt &s) {
    const std::optional<bool> pair = isOfPair(s.op);
    if (!pair)
      return;
    const std::string what = operationName(s.op) + place(s.loc);
    if (!first && *pair && ctas % 2 != 0)
      c.refuse("R45",
               what +
                   ": a pair is two CTAs of a cluster whose ranks differ in the last bit; the "
                   "cluster has " +
                   std::to_string(ctas) + ". Give the kernel a cluster of pairs",
               s.loc);
    if (first && *isOfPair(first->op) != *pair)
      c.refuse("R45",
               what + " is of " + (*pair ? "a pair" : "one CTA") + ", and " +
                   operationName(first->op) + place(first->loc) + " of " +
                   (*pair ? "one CTA" : "a pair") +
                   ": tensor memory is of the one or of the other throughout a kernel (ctas 2)",
               s.loc);
    first = first ? first : &s;
  });
}

} // namespace sluice
