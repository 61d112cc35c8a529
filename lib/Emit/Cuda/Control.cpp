// Hands each statement on to who prints it.
#include "Emit/Cuda/Printer.h"

#include "Program/OperationFacts.h"

#include <map>
#include <set>

namespace sluice::cuda {

void ControlPrinter::block(const Block &b) {
  const std::string tmem = parts_.tensorMemory.seen(); // what is read inside is seen inside
  parts_.flow.block(b);
  parts_.tensorMemory.see(tmem);
}

size_t ControlPrinter::statements(const Block &b, size_t at) {
  const Stmt &s = b.stmts[at];
  if (std::holds_alternative<Role>(s.op)) {
    closeGuard();
    return parts_.roles.roles(b, at);
  }
  if (at + 1 < b.stmts.size() && isFoldedMap(s, b.stmts[at + 1])) {
    foldMap(s, b.stmts[at + 1]);
    return at + 2;
  }
  statement(s);
  return at + 1;
}

/// Whether both are printed as one loop.
bool ControlPrinter::isFoldedMap(const Stmt &s, const Stmt &next) {
  const auto *map = std::get_if<Map>(&s.op);
  const auto *reduce = std::get_if<Reduce>(&next.op);
  return map && reduce && s.exec == Exec::threads && next.exec == Exec::threads &&
         parts_.elements.isFolded(*map, *reduce);
}

void ControlPrinter::foldMap(const Stmt &s, const Stmt &next) {
  closeGuard();
  parts_.records.beginStamp(s);
  parts_.elements.foldMap(std::get<Map>(s.op), std::get<Reduce>(next.op));
  parts_.records.endStamp(s);
  parts_.records.beginStamp(next);
  parts_.records.endStamp(next);
}

void ControlPrinter::closeGuard() {
  parts_.roles.closeGuard();
}

std::string ControlPrinter::machineValue(const Scalar &s) {
  switch (s.op) {
  case ScalarOp::dim:
    return parts_.parameters.extent(s.object, int(s.imm));
  case ScalarOp::argument:
    return parts_.parameters.argument(s.object);
  case ScalarOp::warpInRole:
    return warp();
  case ScalarOp::clusterRank:
    return "clusterRank()";
  case ScalarOp::load: {
    View one;
    one.object = s.object;
    for (const ValueId v : s.operands)
      one.offset.push_back({v, 0});
    return "*(" + element(one) + ")";
  }
  default:
    return "0"; // a CTA has no parts
  }
}

void ControlPrinter::statement(const Stmt &s) {
  if (auto *o = std::get_if<Scalar>(&s.op))
    return parts_.scalars.scalar(*o);
  if (auto *o = std::get_if<Grid>(&s.op))
    return grid(*o);
  if (auto *o = std::get_if<For>(&s.op))
    return parts_.flow.loop(*o);
  if (auto *o = std::get_if<If>(&s.op))
    return parts_.flow.branch(*o);
  if (auto *o = std::get_if<CounterAdd>(&s.op);
      o && o->old != kNone && parts_.scalars.isUsed(o->old))
    return draw(s, *o);
  if (auto *o = std::get_if<MbarrierTest>(&s.op))
    return parts_.barriers.ask(s, *o);
  parts_.roles.openGuard(s.exec);
  parts_.records.beginStamp(s);
  operation(s);
  parts_.records.endStamp(s);
  parts_.records.sumSlots(s);
}

void ControlPrinter::operation(const Stmt &s) {
  if (parts_.barriers.synchronise(s))
    return;
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return parts_.tma.tmaLoad(*o);
  if (auto *o = std::get_if<TmaStore>(&s.op))
    return parts_.tma.tmaStore(*o);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return parts_.tma.remoteCopy(*o);
  if (auto *o = std::get_if<ClcTryCancel>(&s.op)) {
    out().line(std::string(o->multicast ? "clcTryCancelMulticast(" : "clcTryCancel(") +
               numberAddress(o->response) + ", " + parts_.barriers.barrier(o->barrier) + ");");
    return;
  }
  if (auto *o = std::get_if<Prefetch>(&s.op); o && s.exec == Exec::one)
    return parts_.tma.prefetch(*o);
  if (parts_.tensorMemory.tensorMemory(s))
    return;
  if (auto *o = std::get_if<ScalarWrite>(&s.op)) {
    out().line("storeNumber(" + numberAddress(o->destination) + ", " + text(o->value) + ");");
    return;
  }
  if (auto *o = std::get_if<Print>(&s.op))
    return parts_.copies.printTile(*o);
  if (auto *o = std::get_if<Raw>(&s.op))
    return parts_.raw.raw(*o);
  if (s.exec != Exec::threads)
    return fail("this operation needs all threads of its warps, and only some execute it");
  if (auto *o = std::get_if<ScalarRead>(&s.op))
    return parts_.scalars.define(
        o->result,
        {.text = (o->response ? "clcQuery(" : "loadNumber(") + numberAddress(o->source) + ")"},
        true);
  if (auto *o = std::get_if<Copy>(&s.op))
    return parts_.copies.copy(*o);
  if (auto *o = std::get_if<Prefetch>(&s.op))
    return parts_.copies.prefetch(*o);
  if (auto *o = std::get_if<Fill>(&s.op))
    return parts_.copies.fill(*o);
  if (auto *o = std::get_if<Wgmma>(&s.op))
    return parts_.matrix.wgmma(*o);
  if (auto *o = std::get_if<Map>(&s.op))
    return parts_.elements.map(*o);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return parts_.elements.reduce(*o);
  fail("this operation has no form in CUDA C++ for " + std::string(name(program_.target)));
}

void ControlPrinter::grid(const Grid &g) {
  static constexpr const char *axes[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  if (g.results.size() > 3)
    return fail("a grid has at most three dimensions");
  for (size_t d = 0; d < g.results.size(); ++d)
    if (parts_.scalars.isUsed(g.results[d]))
      parts_.scalars.define(g.results[d], {.text = axes[d]}, true,
                            d == 0   ? "x"
                            : d == 1 ? "y"
                                     : "z");
}

/// Whole rows of 16 bits that all rounds of a loop compute with and none writes, as weights beside
/// rows that warps share: nvcc holds each element as an f32 over the loop, and spills where they
/// are many (bench/ROWS.md).
void ControlPrinter::round(const Block &body) {
  constexpr int64_t mostUnpacked = 64; // values of a thread
  std::map<const Buffer *, const View *> kept;
  std::set<const Buffer *> written;
  walk(body, [&](const Stmt &s) {
    if (const auto *map = std::get_if<Map>(&s.op))
      for (const View &v : map->ins)
        kept.emplace(program_.buffer(v), &v);
    for (const View *v : touchedBy(s.op).writes)
      written.insert(program_.buffer(*v));
  });
  std::set<std::string> names;
  int64_t values = 0;
  for (const auto &[buffer, view] : kept) {
    if (!buffer || written.contains(buffer) || buffer->space != Space::reg ||
        byteSize(buffer->type) != 2)
      continue;
    const auto tile = registerTile(*view);
    if (tile && tile->blocked && tile->kind == RegisterTile::fragment &&
        names.insert(tile->name).second)
      values += tile->values();
  }
  for (const std::string &name : values > mostUnpacked ? names : std::set<std::string>())
    out().line("keepPacked(" + name + ");");
}

/// The adding lane hands the old value to its warp.
void ControlPrinter::draw(const Stmt &s, const CounterAdd &o) {
  const Exec exec = s.exec;
  parts_.roles.closeGuard();
  std::string old = names_.take(
      o.old < int(program_.valueNames.size()) ? program_.valueNames[o.old] : "", "drawn");
  const bool oneWarp = warps() == 1 || exec == Exec::warp;
  std::string call = scoped(o.relaxed ? "counterDrawRelaxed" : "counterDraw", o.scope) +
                     element(o.counter) + ", " + text(o.value) + ");";
  parts_.barriers.numberCall(call, s);
  if (oneWarp) {
    out().line("const int " + old + " = " + call);
  } else {
    out().line("int " + old + " = 0;");
    out().line("if (" + warp() + (exec == Exec::one ? " == 0)" : " % 4 == 0)"));
    out().line("  " + old + " = " + call);
  }
  parts_.scalars.value(o.old) = {.text = old, .atom = true, .printed = true};
}

} // namespace sluice::cuda
