#include "Emit/SyncIds.h"

namespace sluice {
namespace {

class Collector {
public:
  void block(const Block &b) {
    for (const Stmt &s : b.stmts) {
      if (auto *loop = std::get_if<For>(&s.op)) {
        block(loop->body);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        block(branch->thenBlock);
        block(branch->elseBlock);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        role_ = role;
        block(role->body);
        role_ = nullptr;
      } else if (isSynchronisation(s.op)) {
        found.push_back({&s, role_});
      }
    }
  }
  std::vector<Synchronisation> found;

private:
  const Role *role_ = nullptr;
};

} // namespace

bool isSynchronisation(const Operation &op) {
  return isOneOf<MbarrierInit, MbarrierInval, MbarrierArrive, MbarrierArriveExpectTx,
                 MbarrierExpectTx, MbarrierWait, MbarrierTest, NamedBarrier, WarpSync,
                 ClusterBarrier, Fence, BulkCommit, BulkWait, CpAsyncCommit, CpAsyncWait,
                 CpAsyncArrive, CounterAdd, CounterWait, GridDependency, WgmmaFence, WgmmaCommit,
                 WgmmaWait, Tcgen05Commit, TmemWait>(op);
}

std::vector<Synchronisation> synchronisations(const Program &program) {
  Collector collector;
  collector.block(program.body);
  return std::move(collector.found);
}

} // namespace sluice
