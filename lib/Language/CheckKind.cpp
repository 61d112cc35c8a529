// Pipelines that their author calls by a name, against what the roles do with them.
#include "Language/Recorder.h"
#include "Transform/Tiles.h"

using namespace mlir;

namespace sluice::lang::detail {
namespace {

/// What they are called.
std::string nameOf(Kind kind) {
  switch (kind) {
  case Kind::threads:
    return "PipelineAsync";
  case Kind::tma:
    return "PipelineTmaAsync";
  case Kind::tmaManyConsumers:
    return "PipelineTmaMultiConsumersAsync";
  case Kind::cpAsync:
    return "PipelineCpAsync";
  case Kind::tmaStore:
    return "PipelineTmaStore";
  case Kind::any:
    break;
  }
  return "pipeline";
}

bool isByTma(Operation *op, Value tile) {
  auto load = dyn_cast<ir::LoadOp>(op);
  return load && tmaCanLoad(load, mlir::cast<ir::BufferType>(tile.getType()));
}

bool names(ArrayAttr roles, StringRef role) {
  return llvm::is_contained(roles.getAsValueRange<StringAttr>(), role);
}

/// Accesses of one side, and what is said of the first that is wrong.
template <typename F> void forEach(const Ring &ring, ArrayAttr side, F &&visit) {
  for (Value buffer : ring.buffers)
    for (const TileAccess &access : accessesOf(buffer.getDefiningOp<ir::AllocOp>()))
      if (names(side, roleOf(access.op)))
        visit(access);
}

/// What is wrong with a write of a producer to a ring of a kind; empty: nothing.
std::string wrongWrite(Kind kind, const TileAccess &access, const std::string &tile) {
  const bool byTma = isByTma(access.op, access.view), loads = isa<ir::LoadOp>(access.op);
  if (kind == Kind::threads)
    return byTma ? "threads, and TMA loads " + tile + "; that is PipelineTmaAsync" : "";
  if (kind == Kind::cpAsync)
    return loads ? "" : "cp.async, and threads write " + tile + "; that is PipelineAsync";
  if (byTma)
    return "";
  return loads ? "TMA, which cannot load " + tile +
                     " so: it takes tensors with align = 16 that are contiguous as the tile is; "
                     "PipelineAsync is filled by threads"
               : "TMA, and threads write " + tile + "; that is PipelineAsync";
}

} // namespace

void Roles::checkKind(Ring &ring) {
  if (ring.kind == Kind::any)
    return;
  const std::string who = nameOf(ring.kind) + " '" + ring.name + "' is ";
  forEach(ring, ring.op.getProducers(), [&](const TileAccess &access) {
    std::string wrong =
        access.writes ? wrongWrite(ring.kind, access, r_.describe(access.view)) : "";
    if (!wrong.empty())
      r_.fail(access.op, who + "filled by " + wrong);
  });
  if (ring.kind != Kind::tmaManyConsumers)
    return;
  bool products = false, threads = false;
  forEach(ring, ring.op.getConsumers(), [&](const TileAccess &access) {
    const bool multiplies = isa<ir::MmaOp, ir::WgmmaOp>(access.op);
    products |= multiplies;
    threads |= !multiplies;
  });
  if (!products || !threads)
    r_.fail(ring.at, who + "taken by products and by threads; " +
                         (products ? "no role reads it with its threads"
                                   : "no role multiplies what is in it") +
                         ", that is PipelineTmaAsync");
}

} // namespace sluice::lang::detail
