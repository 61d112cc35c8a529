// Numbers that agents hand on through a tile in shared memory.
#include "Simulate/Unit.h"

#include <cstring>

namespace sluice {

UnitNumbers::NumberKey UnitNumbers::numberKey(const Actor &a, const View &view) const {
  return {view.object, a.agent.value(view.slot), a.agent.value(view.offset[0]),
          a.agent.value(view.offset[1])};
}

/// Of a response (1x4) the number is the first.
static View firstOf(View numbers) {
  numbers.shape = {1, 1};
  return numbers;
}

int64_t UnitNumbers::readNumber(Actor &a, const View &from) {
  if (world_.values()) {
    int32_t number = 0;
    std::byte bytes[sizeof number];
    resolve(a, firstOf(from), a.cta).gather({0, 1}, bytes);
    std::memcpy(&number, bytes, sizeof number);
    return number;
  }
  const Numbers &numbers = numbers_[a.cta];
  const auto at = numbers.find(numberKey(a, from));
  return at == numbers.end() ? 0 : at->second;
}

void UnitNumbers::writeNumber(Actor &a, const View &to, int64_t number) {
  if (world_.values()) {
    const auto written = static_cast<int32_t>(number);
    std::byte bytes[sizeof written];
    std::memcpy(bytes, &written, sizeof written);
    resolve(a, firstOf(to), a.cta).scatter({0, 1}, bytes);
  } else {
    numbers_[a.cta][numberKey(a, to)] = static_cast<int32_t>(number);
  }
}

UnitNumbers::Numbers UnitNumbers::copied(const Actor &a, const View &from, const View &to) {
  Numbers numbers;
  const NumberKey source = numberKey(a, from), destination = numberKey(a, to);
  for (const auto &[key, number] : numbers_[a.cta])
    if (key[0] == source[0] && key[1] == source[1])
      numbers[{destination[0], destination[1], key[2], key[3]}] = number;
  return numbers;
}

void UnitNumbers::put(int cta, const Numbers &numbers) {
  for (const auto &[key, number] : numbers)
    numbers_[cta][key] = number;
}

UnitNumbers::Step UnitNumbers::scalarRead(Actor &a, const Stmt &s, const ScalarRead &op) {
  if (!inBounds(a, s, op.source))
    return Step::done;
  const int64_t number = readNumber(a, op.source);
  a.agent.set(op.result, number);
  if (op.response && number < 0)
    parts_.launches.sawNone(a.cta);
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitNumbers::Step UnitNumbers::scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op) {
  if (!inBounds(a, s, op.destination))
    return Step::done;
  writeNumber(a, op.destination, a.agent.value(op.value));
  a.time += world_.arch.issueCycles;
  return Step::done;
}

} // namespace sluice
