#include "Program/Strides.h"

#include "Program/Agent.h"

#include <set>

namespace sluice {

std::vector<const Tensor *> storedInPieces(const Program &program) {
  std::set<int> stored;
  walk(program.body, [&stored](const Stmt &s) {
    if (auto *store = std::get_if<TmaStore>(&s.op);
        store && store->destination.kind == View::tensor)
      stored.insert(store->destination.object);
  });
  std::vector<const Tensor *> open;
  for (const int t : stored)
    if (lineBytes(program.tensors[t]) < 0)
      open.push_back(&program.tensors[t]);
  return open;
}

} // namespace sluice
