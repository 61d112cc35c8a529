// Numbers that agents hand on through a tile in shared memory.
#include "Simulate/Unit.h"

#include <cstring>

namespace sluice {

Unit::NumberKey Unit::numberKey(const Actor &a, const View &view) const {
  return {view.object, a.agent.value(view.slot), a.agent.value(view.offset[0]),
          a.agent.value(view.offset[1])};
}

int64_t Unit::readNumber(Actor &a, const View &from) {
  if (world_.values()) {
    int32_t number = 0;
    std::byte bytes[sizeof number];
    resolve(a, from, a.cta).gather({0, 1}, bytes);
    std::memcpy(&number, bytes, sizeof number);
    return number;
  }
  const auto at = ctas_[a.cta].numbers.find(numberKey(a, from));
  return at == ctas_[a.cta].numbers.end() ? 0 : at->second;
}

void Unit::writeNumber(Actor &a, const View &to, int64_t number) {
  if (world_.values()) {
    const auto written = static_cast<int32_t>(number);
    std::byte bytes[sizeof written];
    std::memcpy(bytes, &written, sizeof written);
    resolve(a, to, a.cta).scatter({0, 1}, bytes);
  } else {
    ctas_[a.cta].numbers[numberKey(a, to)] = static_cast<int32_t>(number);
  }
}

Unit::Step Unit::scalarRead(Actor &a, const Stmt &s, const ScalarRead &op) {
  if (!inBounds(a, s, op.source))
    return Step::done;
  a.agent.set(op.result, readNumber(a, op.source));
  a.time += world_.arch.issueCycles;
  return Step::done;
}

Unit::Step Unit::scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op) {
  if (!inBounds(a, s, op.destination))
    return Step::done;
  writeNumber(a, op.destination, a.agent.value(op.value));
  a.time += world_.arch.issueCycles;
  return Step::done;
}

} // namespace sluice
