// Random numbers of element functions, and the arguments that their seeds are.
#include "sluice/Random.h"

#include "Language/Recorder.h"
#include "Program/Philox.h"
#include "sluice/KernelBuilder.h"

#include <array>
#include <cmath>
#include <limits>

using namespace mlir;

namespace sluice::lang {
namespace {

using detail::Recorder;
using Operands = std::array<ElementAt, 5>; // as RandomOp has them

/// Of numbers alone, as a number; NaN, which is a mistake where it is used, where one is no
/// integer.
Element numberOf(const Operands &operands, DType type) {
  constexpr double exact = 9007199254740992; // 2^53
  for (const ElementAt &e : operands)
    if (const double x = e.element.number(); x != std::trunc(x) || !(std::fabs(x) <= exact))
      return std::numeric_limits<double>::quiet_NaN();
  const auto of = [&](size_t i) { return static_cast<int64_t>(operands[i].element.number()); };
  const uint32_t bits = sluice::randomBits(
      {.seed0 = of(2), .seed1 = of(3), .stream = of(4), .row = of(0), .column = of(1)});
  return type == DType::f32 ? Element(uniformOf(bits)) : Element(static_cast<int32_t>(bits));
}

Element writeRandom(const Operands &operands, DType type) {
  Recorder *recorder = nullptr;
  for (const ElementAt &e : operands)
    if (!e.element.isNumber())
      recorder = e.element.handle().owner;
  if (!recorder)
    return numberOf(operands, type);
  Element poison(recorder->poison(), type);
  SmallVector<Value> values;
  for (const ElementAt &e : operands) {
    if (!e.element.isNumber() && isFloat(e.element.type())) {
      recorder->fail(e.at, "a random number follows from integers; an operand is of type " +
                               std::string(name(e.element.type())));
      return poison;
    }
    values.push_back(recorder->use(e, DType::index));
    if (!values.back())
      return poison;
  }
  auto random =
      ir::RandomOp::create(recorder->builder, recorder->at(operands[0].at), recorder->type(type),
                           values[0], values[1], values[2], values[3], values[4]);
  return {recorder->handleOf(random), type};
}

} // namespace

Element random(const Seed &seed, ElementAt stream, ElementAt row, ElementAt column) {
  return writeRandom({row, column, {seed.lower, row.at}, {seed.upper, row.at}, stream}, DType::f32);
}

Element randomBits(const Seed &seed, ElementAt stream, ElementAt row, ElementAt column) {
  return writeRandom({row, column, {seed.lower, row.at}, {seed.upper, row.at}, stream}, DType::i32);
}

Seed KernelBuilder::seed(const std::string &name, SourceLocation at) {
  const Index lower = argument(name + "0", at), upper = argument(name + "1", at);
  return {Element(lower), Element(upper)};
}

} // namespace sluice::lang
