#include "Program/Agent.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

namespace {

template <typename Op> bool is(const Stmt *s) {
  return s && std::holds_alternative<Op>(s->op);
}

bool isShift(const Access &x) {
  return is<TmemShift>(x.stmt);
}

/// Whether it is of a pair of CTAs.
bool worksOnPair(const Access &x) {
  const auto *product = x.stmt ? std::get_if<Tcgen05Mma>(&x.stmt->op) : nullptr;
  const auto *copy = x.stmt ? std::get_if<TmemCopy>(&x.stmt->op) : nullptr;
  const auto *shift = x.stmt ? std::get_if<TmemShift>(&x.stmt->op) : nullptr;
  return (product && product->pair) || (copy && copy->pair) || (shift && shift->pair);
}

/// Whether two instructions of one thread run in order (PTX ISA 9.7.16.6.2, pipelined
/// instructions): products that add up in one accumulator, of one shape and kind, and meet there; a
/// product behind a copy or a shift, a shift behind a product, of as many CTAs. Of wgmma all do.
bool arePipelined(const Program &program, const Access &prior, const Access &now) {
  if (worksOnPair(prior) != worksOnPair(now))
    return false;
  if (is<TmemCopy>(prior.stmt) || isShift(prior))
    return is<Tcgen05Mma>(now.stmt);
  if (isShift(now))
    return is<Tcgen05Mma>(prior.stmt);
  if (is<TmemCopy>(now.stmt))
    return false;
  const auto *first = std::get_if<Tcgen05Mma>(&prior.stmt->op);
  const auto *second = now.stmt ? std::get_if<Tcgen05Mma>(&now.stmt->op) : nullptr;
  if (!first || !second)
    return !first && !second;
  const auto type = [&](const View &v) { return program.type(v); };
  return prior.object == now.object && first->d.object == now.object &&
         second->d.object == now.object && first->d.shape == second->d.shape &&
         first->d.offset == second->d.offset && first->a.rows() == second->a.rows() &&
         first->scales.has_value() == second->scales.has_value() &&
         type(first->a) == type(second->a) && type(first->b) == type(second->b);
}

/// Each lane uses its registers in program order: a load of tensor memory comes after what it did.
bool isOwnRegister(const Actor &a, const Access &prior, const Access &now) {
  return prior.stamp.component == a.lanesComponent && now.stmt &&
         std::holds_alternative<TmemLoad>(now.stmt->op);
}

/// A warp's loads and stores reach the same lanes of tensor memory, each thread its own: their
/// waits alone order them, without fences (PTX ISA 9.7.16.6.4, same thread).
bool areOwnLanes(const Actor &a, const Access &prior, const Access &now) {
  const auto isOfLanes = [&a](const Access &x) {
    return x.stamp.component >= 0 && (x.stamp.component == a.tensorLoads.component ||
                                      x.stamp.component == a.tensorStores.component);
  };
  return isOfLanes(prior) && isOfLanes(now);
}

} // namespace

/// The same lanes go on after their own access; an accumulator is handed on from product to
/// product.
bool RunOrder::goesOn(const Actor &a, const Access &prior, const Access &now) const {
  const int32_t strand = prior.stamp.component;
  return strand == now.stamp.component &&
         (strand == a.lanesComponent || strand == a.electedComponent ||
          (prior.queued && now.queued && arePipelined(program_, prior, now)));
}

/// Products of one thread into different sums: that they run in order goes beyond the PTX ISA.
bool RunOrder::inIssueOrder(const Access &prior, const Access &now) const {
  if (context_.strict || !prior.queued || !now.queued ||
      prior.stamp.component != now.stamp.component)
    return false;
  if (is<TmemCopy>(now.stmt) && !isShift(prior)) {
    context_.assumptions.insert("copies-in-order: copies of one thread to tensor memory "
                                "(tcgen05.cp) come after the products and copies before them that "
                                "use the same columns (--strict goes without)");
    return true;
  }
  if (!std::holds_alternative<Tcgen05Mma>(prior.stmt->op))
    return false;
  context_.assumptions.insert("tensor-in-order: products of one thread that use the same columns "
                              "of tensor memory run one after the other, those of different sums "
                              "too (--strict goes without)");
  return true;
}

/// A product between the two is behind the one and in front of the other.
bool RunOrder::handedOn(const Cell &cell, const Access &now) {
  const Access &prior = cell.write;
  return prior.queued && now.queued && prior.stamp.component == now.stamp.component &&
         (isShift(now) || isShift(prior)) && std::ranges::any_of(cell.reads, [&](const Access &r) {
           return r.stamp.component == now.stamp.component && is<Tcgen05Mma>(r.stmt);
         });
}

bool RunOrder::ordered(const Actor &a, const Access &prior, const Access &now,
                       const Strands &who) const {
  return !conditions().order || ((who.know(prior) || goesOn(a, prior, now) ||
                                  isOwnRegister(a, prior, now) || inIssueOrder(prior, now)) &&
                                 lanesKnow(a, prior, now));
}

bool RunOrder::behindFences(const Actor &a, const Access &prior, const Access &now,
                            const Strands &who) const {
  return who.knowBehindFence(prior) || goesOn(a, prior, now) || areOwnLanes(a, prior, now) ||
         inIssueOrder(prior, now);
}

bool RunOrder::visible(const Actor &a, const Access &prior, const Access &now,
                       const Strands &who) const {
  return !conditions().sight || who.see(prior, &Sight::memory) || goesOn(a, prior, now);
}

RunOrder::Step RunOrder::invisible(const Actor &a, const Stmt &s, const std::string &bytes,
                                   const Access &write, const std::string &object) {
  const bool sameCta = actors_[write.actor].cta == a.cta;
  about(write, "writes " + bytes);
  return refuse(
      "R36",
      what(a, s) + " reads " + bytes + " that " + what(write) +
          " wrote before, but what leads from there to here hands on no memory" +
          (sameCta ? ": the end of a copy carries the bytes of that copy alone. Let an arrive "
                     "after the write count for the phase too, or put a barrier between"
           : joinedGrid()
               ? " between CTAs. Let the add and the wait of the counter that joins them have "
                 "`scope gpu`, and the add release"
               : " between CTAs. Give the arrive and the wait that join the two CTAs "
                 "`scope cluster`, or put a cluster barrier between"),
      s, object);
}

RunOrder::Step RunOrder::unfenced(const Actor &a, const Stmt &s, const std::string &bytes,
                                  const Access &write, bool writes, const std::string &object,
                                  const char *fence) {
  about(write, "writes " + bytes);
  return refuse("R23",
                what(a, s) + (writes ? " overwrites " : " reads ") + bytes + " that " +
                    what(write) + " wrote through the generic proxy, and no " + fence +
                    " lies between. Put the fence after the write, before the barrier that "
                    "publishes it",
                s, object);
}

/// Of a tensor.
bool RunOrder::mayOvertake(const Access &prior, bool priorWrites, const Access &now, bool writes,
                           const Strands &who) {
  return !priorWrites && writes && now.async && !prior.async && !who.see(prior, &Sight::global);
}

bool RunOrder::overtakes(const Actor &a, const Stmt &s, const Access &read,
                         const std::string &bytes, const std::string &object, const char *fence) {
  if (!context_.strict) {
    context_.assumptions.insert(
        "reads-in-time: what " + operationName(read.stmt->op) + place(read.stmt->loc) +
        " reads of " + object + " has come before " + operationName(s.op) + place(s.loc) +
        " overwrites it, without " + fence +
        " between (R39; an H100 has overtaken such reads of shared memory, --strict refuses it)");
    return false;
  }
  about(read, "reads " + bytes);
  refuse("R39",
         what(a, s) + " overwrites " + bytes + " that " + what(read) +
             " has read through the generic proxy, and no " + fence +
             " lies between. Put the fence after the read, before the arrive that releases the "
             "bytes",
         s, object);
  return true;
}

} // namespace sluice
