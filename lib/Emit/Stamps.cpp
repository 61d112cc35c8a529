#include "Emit/Stamps.h"

#include "Emit/SyncIds.h"
#include "Program/Agent.h"

namespace sluice {
bool isStamped(const Operation &op) {
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return !o->arriveOnly;
  if (auto *o = std::get_if<ClusterBarrier>(&op))
    return o->kind == ClusterBarrier::wait || o->kind == ClusterBarrier::sync;
  return isOneOf<MbarrierWait, BulkWait, CpAsyncWait, WgmmaWait, CounterWait, Epoch, TmaLoad,
                 TmaStore, Copy, Fill, Wgmma, Map, Reduce, Tcgen05Mma, TmemLoad, TmemStore,
                 TmemWait>(op);
}

std::vector<const Stmt *> stampedStatements(const Program &program) {
  std::vector<const Stmt *> found;
  walk(program.body, [&](const Stmt &s) {
    if (isStamped(s.op))
      found.push_back(&s);
  });
  return found;
}

Tensor stampsTensor(const Program &program) {
  Tensor tensor{"stamps", DType::i32, 1, 0, 16, true, true, {}};
  tensor.extents = {program.warps * (1 + kStampsKept) * int64_t(sizeof(Stamp) / 4)};
  return tensor;
}

} // namespace sluice
