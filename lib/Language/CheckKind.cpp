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

} // namespace

void Roles::checkKind(Ring &ring) {
  if (ring.kind == Kind::any)
    return;
  const std::string who = nameOf(ring.kind) + " '" + ring.name + "' is filled by ";
  const bool byTma = ring.kind != Kind::threads;
  forEach(ring, ring.op.getProducers(), [&](const TileAccess &access) {
    if (!access.writes || isByTma(access.op, access.view) == byTma)
      return;
    const std::string tile = r_.describe(access.view);
    if (!byTma)
      r_.fail(access.op, who + "threads, and TMA loads " + tile + "; that is PipelineTmaAsync");
    else if (isa<ir::LoadOp>(access.op))
      r_.fail(access.op, who + "TMA, which cannot load " + tile +
                             " so: it takes tensors with align = 16 that are contiguous as the "
                             "tile is; PipelineAsync is filled by threads");
    else
      r_.fail(access.op, who + "TMA, and threads write " + tile + "; that is PipelineAsync");
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
    r_.fail(
        ring.at,
        nameOf(ring.kind) + " '" + ring.name + "' is taken by products and by threads; " +
            (products ? "no role reads it with its threads" : "no role multiplies what is in it") +
            ", that is PipelineTmaAsync");
}

} // namespace sluice::lang::detail
