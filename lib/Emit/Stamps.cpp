#include "Emit/Stamps.h"

#include "Emit/SyncIds.h"
#include "Program/Agent.h"
#include "Program/OperationFacts.h"

namespace sluice {
bool isStamped(const Operation &op) {
  const OperationFacts facts = factsOf(op);
  const bool moves = facts.move && !std::holds_alternative<RemoteCopy>(op);
  return facts.waitsForOthers() || facts.group.kind == GroupDeed::waits || moves || facts.product ||
         isOneOf<Epoch, Fill, Map, Reduce>(op);
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
