#include "Ascend/DrawnBody.h"

#include "Support/Rounding.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice::test::drawn {

DrawnBody::DrawnBody(DrawnKernel &kernel, const std::vector<DrawnTile> &from)
    : kernel_(kernel), from_(from) {
  int64_t rows = 1, columns = 1;
  for (const DrawnTile &tile : from)
    rows = std::max(rows, tile.rows), columns = std::max(columns, tile.columns);
  for (const DrawnTile &tile : from)
    values_.push_back(
        {kernel_.fresh("a"), tile.type, tile.rows == rows && tile.columns == columns});
  places_ = {kernel_.fresh("r"), kernel_.fresh("k")};
  for (const std::string &place : places_)
    values_.push_back({place, DType::index, false});
}

std::string DrawnBody::spelled(double number) {
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.9e", number);
  return text;
}

// ---- Values

size_t DrawnBody::add(const std::string &text, DType type, Operation compute,
                      std::vector<size_t> operands, const std::string &operation) {
  const bool whole = std::ranges::any_of(operands, [&](size_t o) { return values_[o].isWhole; });
  const std::string name = kernel_.fresh("e");
  lines_.push_back(name + " = " + text);
  values_.push_back({name, type, whole});
  steps_.push_back({operation, std::move(compute), std::move(operands)});
  return values_.size() - 1;
}

size_t DrawnBody::constant(DType type) {
  const double drawn = kernel_.oneIn(4)
                           ? kernel_.oneOf<double>({0.0, 1.0, -1.0, 0.5, 2.0, 4.0, 0.25, 1024.0})
                           : double(kernel_.upTo(8000) - 4000) / 1000;
  const double number = roundTo(type, drawn);
  return add("arith.constant " + spelled(number) + " : " + std::string(name(type)), type,
             [number](const std::vector<Bounded> &) {
               return Bounded{number, 0};
             },
             {});
}

size_t DrawnBody::converted(size_t value, DType type) {
  const DType from = values_[value].type;
  if (from == type)
    return value;
  if (from != DType::f32 && type != DType::f32) // by way of f32
    return converted(converted(value, DType::f32), type);
  const std::string op = type == DType::f32 ? "extf" : "truncf";
  return add("arith." + op + " " + values_[value].name + " : " + std::string(name(from)) + " to " +
                 std::string(name(type)),
             type, [type](const std::vector<Bounded> &x) { return rounded(type, x[0]); }, {value});
}

size_t DrawnBody::any(DType type, bool whole) {
  std::vector<size_t> same, others;
  for (size_t i = 0; i < values_.size(); ++i) {
    const Value &v = values_[i];
    if (v.type == DType::index || v.type == DType::i1 || (whole && !v.isWhole))
      continue;
    (v.type == type ? same : others).push_back(i);
  }
  if (same.size() > 3 && kernel_.oneIn(2)) // the last ones more often
    same.erase(same.begin(), same.end() - 3);
  if (!same.empty() && (others.empty() || !kernel_.oneIn(5)))
    return kernel_.oneOf(same);
  if (!whole && kernel_.oneIn(3))
    return constant(type);
  return converted(kernel_.oneOf(others.empty() ? same : others), type);
}

size_t DrawnBody::operation(DType type) {
  const std::string of = " : " + std::string(name(type));
  if (kernel_.oneIn(8))
    return choice(type);
  if (mayPlace_ && kernel_.oneIn(8))
    return byPlace(type);
  if (kernel_.oneIn(40)) { // without an instruction
    const size_t x = any(DType::f32, true), y = any(DType::f32, false), z = any(DType::f32, false);
    return add("math.fma " + values_[x].name + ", " + values_[y].name + ", " + values_[z].name +
                   " : f32",
               DType::f32,
               [](const std::vector<Bounded> &o) { return multipliedAndAdded(o[0], o[1], o[2]); },
               {x, y, z});
  }
  if (!kernel_.oneIn(3))
    return binary(type);
  const std::string op = kernel_.oneOf<std::string>(
      {"absf", "absf", "negf", "exp", "log", "sqrt", "sqrt", "rsqrt", "exp2", "tanh", "erf"});
  const bool approximate = op == "exp2" || op == "tanh" || op == "erf";
  const size_t x = any(type, true);
  return add((op == "negf" ? "arith." : "math.") + op + " " + values_[x].name +
                 (approximate && !kernel_.oneIn(30) ? " fastmath<afn>" : "") + of,
             type, ofOne(op, type), {x}, op);
}

size_t DrawnBody::binary(DType type) {
  const std::string op =
      kernel_.oneOf<std::string>({"addf", "addf", "subf", "subf", "mulf", "mulf", "divf",
                                  "maximumf", "minimumf", "maxnumf", "minnumf"});
  size_t x = any(type, true), y = any(type, false);
  if (kernel_.oneIn(2))
    std::swap(x, y);
  return ofTwo(op, type, x, y);
}

size_t DrawnBody::ofTwo(const std::string &op, DType type, size_t x, size_t y) {
  return add("arith." + op + " " + values_[x].name + ", " + values_[y].name + " : " +
                 std::string(name(type)),
             type, drawn::ofTwo(op, type), {x, y}, op);
}

/// By a comparison of data.
size_t DrawnBody::choice(DType type) {
  const std::string relation =
      kernel_.oneOf<std::string>({"olt", "ole", "ogt", "oge", "oeq", "une"});
  const DType of = kernel_.oneIn(2) ? type : DType::f32;
  const size_t a = any(of, true), b = any(of, false);
  const size_t truth = add(
      "arith.cmpf " + relation + ", " + values_[a].name + ", " + values_[b].name + " : " +
          std::string(name(of)),
      DType::i1,
      [relation](const std::vector<Bounded> &o) { return compared(relation, o[0], o[1]); }, {a, b});
  const size_t x = any(type, false), y = any(type, true);
  return add("arith.select " + values_[truth].name + ", " + values_[x].name + ", " +
                 values_[y].name + " : " + std::string(name(type)),
             type, [](const std::vector<Bounded> &o) { return chosen(o[0], o[1], o[2]); },
             {truth, x, y});
}

/// A constant from a column on, or from one that goes with the row.
size_t DrawnBody::byPlace(DType type) {
  coordinates_ = true;
  const int64_t limit = kernel_.upTo(100);
  const bool slopes = kernel_.oneIn(3);
  const size_t row = from_.size(), column = row + 1;
  const size_t number = add("arith.constant " + std::to_string(limit) + " : index", DType::index,
                            [limit](const std::vector<Bounded> &) {
                              return Bounded{double(limit), 0};
                            },
                            {});
  size_t end = number;
  if (slopes)
    end = add("arith.addi " + places_[0] + ", " + values_[number].name + " : index", DType::index,
              [](const std::vector<Bounded> &o) {
                return Bounded{o[0].value + o[1].value, 0};
              },
              {row, number});
  const size_t in =
      add("arith.cmpi slt, " + places_[1] + ", " + values_[end].name + " : index", DType::i1,
          [](const std::vector<Bounded> &o) {
            return Bounded{double(o[0].value < o[1].value), 0};
          },
          {column, end});
  const size_t kept = any(type, true), other = constant(type);
  return add("arith.select " + values_[in].name + ", " + values_[kept].name + ", " +
                 values_[other].name + " : " + std::string(name(type)),
             type, [](const std::vector<Bounded> &o) { return chosen(o[0], o[1], o[2]); },
             {in, kept, other});
}

void DrawnBody::drawResults(const std::vector<DrawnTile> &to, int operations, bool adds) {
  mayPlace_ = to[0].columns > 1;
  for (int i = 0; i < operations; ++i)
    operation(kernel_.oneIn(4) ? to[0].type : DType::f32);
  for (const DrawnTile &tile : to) {
    size_t last = operations && values_.back().type != DType::index && values_.back().isWhole
                      ? values_.size() - 1
                      : any(tile.type, true);
    last = converted(last, tile.type);
    results_.push_back(adds ? ofTwo("addf", tile.type, 0, last) : last);
  }
}

// ---- Text and meaning

std::string DrawnBody::arguments() const {
  std::string text;
  const size_t count = from_.size() + (coordinates_ ? 2 : 0);
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + values_[i].name + ": " + std::string(name(values_[i].type));
  return text;
}

std::string DrawnBody::text(const std::string &indent) const {
  std::string text = indent + "^bb0(" + arguments() + "):\n", names, types;
  for (const std::string &line : lines_)
    text += indent + "  " + line + "\n";
  for (const size_t result : results_) {
    names += (names.empty() ? "" : ", ") + values_[result].name;
    types += (types.empty() ? "" : ", ") + std::string(name(values_[result].type));
  }
  return text + indent + "  sluice.yield " + names + " : " + types + "\n";
}

std::string DrawnBody::textOfFold(const std::string &indent, const std::string &join) const {
  const std::string state = kernel_.fresh("f"), both = kernel_.fresh("f");
  std::string text = indent + "^bb0(" + state + ": f32, " + arguments() + "):\n";
  for (const std::string &line : lines_)
    text += indent + "  " + line + "\n";
  return text + indent + "  " + both + " = arith." + join + " " + state + ", " +
         values_[results_[0]].name + " : f32\n" + indent + "  sluice.yield " + both + " : f32\n";
}

std::vector<Bounded> DrawnBody::valuesFor(std::vector<Bounded> inputs, int64_t row,
                                          int64_t column) const {
  std::vector<Bounded> values = std::move(inputs);
  values.push_back({double(row), 0});
  values.push_back({double(column), 0});
  for (const Step &step : steps_) {
    std::vector<Bounded> operands;
    for (const size_t o : step.operands)
      operands.push_back(values[o]);
    values.push_back(step.compute(operands));
    values.back().isOpen = isLeftOpen(step.operation, operands);
  }
  std::vector<Bounded> results;
  for (const size_t result : results_)
    results.push_back(values[result]);
  return results;
}

} // namespace sluice::test::drawn
