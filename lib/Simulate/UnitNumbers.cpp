// Numbers that agents hand on through a tile in shared memory.
#include "Simulate/Unit.h"

#include <cstring>

namespace sluice {

Unit::NumberKey Unit::numberKey(const Actor &a, const View &view) const {
  return {view.object, a.agent.value(view.slot), a.agent.value(view.offset[0]),
          a.agent.value(view.offset[1])};
}

Unit::Step Unit::scalarRead(Actor &a, const Stmt &s, const ScalarRead &op) {
  if (!inBounds(a, s, op.source))
    return Step::done;
  int64_t read = 0;
  if (world_.values()) {
    int32_t number = 0;
    std::byte bytes[sizeof number];
    resolve(a, op.source, a.cta).gather({0, 1}, bytes);
    std::memcpy(&number, bytes, sizeof number);
    read = number;
  } else if (const auto at = ctas_[a.cta].numbers.find(numberKey(a, op.source));
             at != ctas_[a.cta].numbers.end()) {
    read = at->second;
  }
  a.agent.set(op.result, read);
  a.time += world_.arch.issueCycles;
  return Step::done;
}

Unit::Step Unit::scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op) {
  if (!inBounds(a, s, op.destination))
    return Step::done;
  const auto number = static_cast<int32_t>(a.agent.value(op.value));
  if (world_.values()) {
    std::byte bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    resolve(a, op.destination, a.cta).scatter({0, 1}, bytes);
  } else {
    ctas_[a.cta].numbers[numberKey(a, op.destination)] = number;
  }
  a.time += world_.arch.issueCycles;
  return Step::done;
}

} // namespace sluice
