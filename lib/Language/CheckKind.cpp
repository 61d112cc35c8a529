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
  case Kind::tmaUmma:
    return "PipelineTmaUmma";
  case Kind::ummaAsync:
    return "PipelineUmmaAsync";
  case Kind::asyncUmma:
    return "PipelineAsyncUmma";
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

bool isUmma(Operation *op) {
  return isa<ir::Tcgen05MmaOp>(op);
}

/// What is wrong with a write of a producer to a ring of a kind; empty: nothing.
std::string wrongWrite(Kind kind, const TileAccess &access, const std::string &tile) {
  const bool byTma = isByTma(access.op, access.view), loads = isa<ir::LoadOp>(access.op);
  const bool forUmma = kind == Kind::tmaUmma || kind == Kind::asyncUmma;
  const std::string byThreads = forUmma ? "PipelineAsyncUmma" : "PipelineAsync";
  if (kind == Kind::ummaAsync)
    return isUmma(access.op) ? ""
                             : "products, and " + tile + " is written otherwise; that is " +
                                   (byTma ? "PipelineTmaAsync" : "PipelineAsync");
  if (isUmma(access.op))
    return std::string(kind == Kind::threads || kind == Kind::asyncUmma ? "threads" : "TMA") +
           ", and products add to " + tile + "; that is PipelineUmmaAsync";
  if (kind == Kind::threads || kind == Kind::asyncUmma)
    return byTma ? "threads, and TMA loads " + tile + "; that is " +
                       (forUmma ? "PipelineTmaUmma" : "PipelineTmaAsync")
                 : "";
  if (kind == Kind::cpAsync)
    return loads ? "" : "cp.async, and threads write " + tile + "; that is PipelineAsync";
  if (byTma)
    return "";
  return loads ? "TMA, which cannot load " + tile +
                     " so: it takes tensors with align = 16 that are contiguous as the tile is; " +
                     byThreads + " is filled by threads"
               : "TMA, and threads write " + tile + "; that is " + byThreads;
}

/// What is wrong with what a consumer does; empty: nothing.
std::string wrongUse(Kind kind, const TileAccess &access, const std::string &tile) {
  if (kind == Kind::ummaAsync && isUmma(access.op))
    return "threads, and a product takes " + tile + "; threads hand it on: PipelineAsyncUmma";
  if ((kind == Kind::tmaUmma || kind == Kind::asyncUmma) && !isUmma(access.op))
    return "products in tensor memory, and threads take " + tile + "; that is " +
           (kind == Kind::tmaUmma ? "PipelineTmaAsync" : "PipelineAsync");
  return "";
}

} // namespace

/// Taken by products and by threads.
void Roles::checkManyConsumers(Ring &ring, const std::string &who) {
  bool products = false, threads = false;
  forEach(ring, ring.op.getConsumers(), [&](const TileAccess &access) {
    const bool multiplies = isa<ir::MmaOp, ir::WgmmaOp, ir::Tcgen05MmaOp>(access.op);
    products |= multiplies;
    threads |= !multiplies;
  });
  if (!products || !threads)
    r_.fail(ring.at, who + "taken by products and by threads; " +
                         (products ? "no role reads it with its threads"
                                   : "no role multiplies what is in it") +
                         ", that is PipelineTmaAsync");
}

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
  forEach(ring, ring.op.getConsumers(), [&](const TileAccess &access) {
    std::string wrong = wrongUse(ring.kind, access, r_.describe(access.view));
    if (!wrong.empty())
      r_.fail(access.op, who + "taken by " + wrong);
  });
  if (ring.kind == Kind::tmaManyConsumers)
    checkManyConsumers(ring, who);
}

} // namespace sluice::lang::detail
