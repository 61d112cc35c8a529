#include "Ascend/Bounded.h"

#include "Support/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace sluice::test::drawn {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

struct Format {
  double unit, tiny, largest; // of the last place, of a number around 1
};
Format formatOf(DType type) {
  if (type == DType::f16)
    return {0x1p-10, 0x1p-24, 65504};
  return type == DType::bf16 ? Format{0x1p-7, 0x1p-126, 3.3895e38}
                             : Format{0x1p-23, 0x1p-126, 3.4028e38};
}

/// Whether one of them is a NaN for certain.
bool hasNaN(const std::vector<Bounded> &operands) {
  return std::ranges::any_of(operands,
                             [](const Bounded &x) { return std::isnan(x.value) && x.reach == 0; });
}

/// The result of an operation of which NaN makes NaN.
Bounded settled(DType type, const std::vector<Bounded> &operands, double value, double reach) {
  if (hasNaN(operands))
    return {std::numeric_limits<double>::quiet_NaN(), 0};
  const bool exact = std::ranges::all_of(operands, [](const Bounded &x) { return x.reach == 0; });
  if (!std::isfinite(value))
    return {value, exact ? 0 : unknown};
  return rounded(type, {value, std::isnan(reach) ? unknown : reach});
}

double extreme(bool larger, double x, double y) {
  if (x == 0 && y == 0) // -0 is below 0
    return larger == std::signbit(x) ? y : x;
  return larger ? std::max(x, y) : std::min(x, y);
}

Bounded ofExtreme(const std::string &name, DType type, const Bounded &x, const Bounded &y) {
  if (name.find("num") != name.npos) { // the number, where the other is none
    if ((std::isnan(x.value) && x.reach > 0) || (std::isnan(y.value) && y.reach > 0))
      return {0, unknown};
    if (std::isnan(x.value) || std::isnan(y.value))
      return rounded(type, std::isnan(x.value) ? y : x);
  }
  const double value = extreme(name.starts_with("max"), x.value, y.value);
  return settled(type, {x, y}, value, std::max(x.reach, y.reach));
}

Bounded quotient(DType type, const Bounded &x, const Bounded &y) {
  const double least = std::fabs(y.value) - y.reach;
  if (y.reach > 0 && !(least > y.reach))
    return {0, hasNaN({x, y}) ? 0 : unknown};
  const double value = x.value / y.value;
  const double moved = x.reach + std::fabs(value) * y.reach;
  return settled(type, {x, y}, value, moved > 0 ? moved / least : 0);
}

/// What a function may be off by, beside its operand: as a part of the result.
double errorOf(const std::string &name, double x) {
  if (name == "exp" || name == "exp2")
    return 0x1p-20 * (1 + std::fabs(x));
  return name == "tanh" || name == "erf" ? 0x1p-20 : 0x1p-21;
}

} // namespace

bool Bounded::isKnown() const {
  return std::isfinite(reach);
}

Bounded rounded(DType type, Bounded x) {
  const Format f = formatOf(type);
  if (!x.isKnown() || !std::isfinite(x.value))
    return x;
  const double reach = x.reach + std::fabs(x.value) * f.unit + f.tiny;
  const bool same = x.reach == 0 && roundTo(type, x.value) == x.value;
  if (!(std::fabs(x.value) + reach < f.largest))
    return {x.value, same ? 0 : unknown};
  return {roundTo(type, x.value), same ? 0 : reach};
}

Operation ofTwo(const std::string &name, DType type) {
  return [name, type](const std::vector<Bounded> &operands) -> Bounded {
    const Bounded &x = operands[0], &y = operands[1];
    if (!x.isKnown() || !y.isKnown())
      return {0, unknown};
    if (name == "addf")
      return settled(type, operands, x.value + y.value, x.reach + y.reach);
    if (name == "subf")
      return settled(type, operands, x.value - y.value, x.reach + y.reach);
    if (name == "divf")
      return quotient(type, x, y);
    if (name != "mulf")
      return ofExtreme(name, type, x, y);
    const double reach =
        std::fabs(x.value) * y.reach + std::fabs(y.value) * x.reach + x.reach * y.reach;
    return settled(type, operands, x.value * y.value, reach);
  };
}

Operation ofOne(const std::string &name, DType type) {
  using Function = double (*)(double);
  static const std::map<std::string, Function> functions = {
      {"exp", [](double x) { return std::exp(x); }},
      {"exp2", [](double x) { return std::exp2(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"erf", [](double x) { return std::erf(x); }}};
  return [name, type](const std::vector<Bounded> &operands) -> Bounded {
    const Bounded &x = operands[0];
    if (!x.isKnown())
      return x;
    if (name == "absf")
      return {std::fabs(x.value), x.reach};
    if (name == "negf")
      return {-x.value, x.reach};
    const Function f = functions.at(name); // all of them rise or fall all the way
    const double value = f(x.value);
    const double moved = // NaN where an end has none
        std::fabs(f(x.value + x.reach) - value) + std::fabs(f(x.value - x.reach) - value);
    const Bounded result = settled(type, operands, value, x.reach > 0 ? moved : 0);
    // Smallest numbers count as 0.
    const bool small = std::fabs(x.value) - x.reach < 0x1p-125 && x.value != 0;
    if (!std::isfinite(value) || !result.isKnown())
      return small && !hasNaN(operands) ? Bounded{0, unknown} : result;
    if (small && (name == "log" || name == "sqrt" || name == "rsqrt"))
      return {0, unknown};
    return {result.value, result.reach + std::fabs(value) * errorOf(name, x.value) + 0x1p-125};
  };
}

bool isLeftOpen(const std::string &name, const std::vector<Bounded> &operands) {
  const bool compares = name.starts_with("max") || name.starts_with("min") || name == "tanh" ||
                        name == "erf"; // which are held within bounds
  return std::ranges::any_of(
      operands, [&](const Bounded &x) { return x.isOpen || (compares && std::isnan(x.value)); });
}

Bounded multipliedAndAdded(const Bounded &x, const Bounded &y, const Bounded &z) {
  if (!x.isKnown() || !y.isKnown() || !z.isKnown())
    return {0, unknown};
  const double reach =
      std::fabs(x.value) * y.reach + std::fabs(y.value) * x.reach + x.reach * y.reach + z.reach;
  return settled(DType::f32, {x, y, z}, x.value * y.value + z.value, reach);
}

Bounded compared(const std::string &relation, const Bounded &x, const Bounded &y) {
  if (!x.isKnown() || !y.isKnown())
    return {0, unknown};
  const double a = x.value, b = y.value;
  const bool holds = relation == "olt"   ? a < b
                     : relation == "ole" ? a <= b
                     : relation == "ogt" ? a > b
                     : relation == "oge" ? a >= b
                     : relation == "oeq" ? a == b
                                         : a != b;
  const double reach = x.reach + y.reach;
  const bool near = reach > 0 && !hasNaN({x, y}) && !(std::fabs(a - b) > reach);
  return {double(holds), near ? unknown : 0};
}

Bounded chosen(const Bounded &truth, const Bounded &x, const Bounded &y) {
  return truth.isKnown() ? (truth.value != 0 ? x : y) : truth;
}

Bounded folded(const std::string &name, double start, const std::vector<Bounded> &numbers) {
  const Operation join = ofTwo(name, DType::f32);
  const bool isOpen = isLeftOpen(name, numbers);
  Bounded all = {start, 0};
  double sizes = std::fabs(start), reach = 0;
  for (const Bounded &x : numbers) {
    all = join({all, x});
    sizes += std::fabs(x.value);
    reach += x.reach;
  }
  if (name != "addf" || !all.isKnown() || !std::isfinite(all.value))
    return {all.value, all.reach, isOpen};
  const double orders = double(numbers.size() + 1) * 0x1p-23 * sizes;
  const double most = sizes + reach < 3e38 ? reach + 2 * orders : unknown;
  return {all.value, most, isOpen};
}

} // namespace sluice::test::drawn
