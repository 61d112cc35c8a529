#include "Ascend/DrawnKernel.h"

#include "Ascend/DrawnBody.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sluice::test::drawn {
namespace {

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

int64_t computed(const std::string &op, int64_t x, int64_t y) {
  if (op == "ceildivsi")
    return (x + y - 1) / y; // of none below zero
  if (op == "maxsi" || op == "minsi")
    return op == "maxsi" ? std::max(x, y) : std::min(x, y);
  if (op == "divsi" || op == "remsi")
    return op == "divsi" ? x / y : x % y;
  return op == "addi" ? x + y : op == "subi" ? x - y : x * y;
}

/// The index of an element of a box in its tensor; nothing: it lies outside.
std::optional<std::vector<int64_t>>
placeOf(const HostTensor &tensor, const std::vector<int64_t> &from, int64_t row, int64_t column) {
  std::vector<int64_t> at = from;
  at.back() += column;
  if (at.size() > 1)
    at[at.size() - 2] += row;
  for (size_t d = 0; d < at.size(); ++d)
    if (at[d] < 0 || at[d] >= tensor.extents[d])
      return std::nullopt;
  return at;
}

size_t numberOf(const HostTensor &tensor, const std::vector<int64_t> &at) {
  int64_t number = 0;
  for (size_t d = 0; d < at.size(); ++d)
    number = number * tensor.extents[d] + at[d];
  return size_t(number);
}

} // namespace

// ---- Scalars

std::string DrawnKernel::constant(int64_t number) {
  return constants_.emplace(number, "%c" + std::to_string(number)).first->second;
}

std::string DrawnKernel::extent(const std::string &tensor, int dimension) {
  const auto found = std::ranges::find(tensors_, tensor, &DrawnTensor::name);
  const std::string v = fresh("d");
  line(v + " = sluice.dim %" + tensor + ", " + std::to_string(dimension) + " : <" + typeOf(*found) +
       ">");
  step([=](Meaning &m) { m.scalars[v] = m.tensors.at(tensor).extents[size_t(dimension)]; });
  return v;
}

std::string DrawnKernel::scalar(const std::string &op, const std::string &x, const std::string &y) {
  const std::string v = fresh("s");
  line(v + " = arith." + op + " " + x + ", " + y + " : index");
  step([=](Meaning &m) { m.scalars[v] = computed(op, m.scalars.at(x), m.scalars.at(y)); });
  return v;
}

std::vector<std::string> DrawnKernel::grid(const std::vector<std::string> &extents) {
  std::vector<std::string> types;
  for (size_t i = 0; i < extents.size(); ++i) {
    gridNames_.push_back(fresh("at"));
    types.push_back("index");
  }
  line(joined(gridNames_) + " = sluice.grid " + joined(extents) + " : " + joined(types));
  gridExtents_ = extents;
  before_ = std::exchange(steps_.back(), {});
  return gridNames_;
}

// ---- Tensors and tiles

std::string DrawnKernel::typeOf(const DrawnTile &tile) {
  return std::to_string(tile.rows) + "x" + std::to_string(tile.columns) + "x" +
         std::string(name(tile.type));
}

std::string DrawnKernel::typeOf(const DrawnTensor &t) {
  std::string text;
  for (const int64_t extent : t.extents) {
    const int64_t known = extent == -2 && t.isFixed ? t.columns : extent;
    text += (known < 0 ? "?" : std::to_string(known)) + "x";
  }
  const bool last = t.minor + 1 == int(t.extents.size());
  return text + std::string(name(t.type)) + (last ? "" : ", minor " + std::to_string(t.minor));
}

std::string DrawnKernel::buffers(const std::vector<DrawnTile> &tiles) {
  std::vector<std::string> names, types;
  for (const DrawnTile &tile : tiles) {
    names.push_back(tile.name);
    types.push_back("!sluice.buffer<" + typeOf(tile) + ">");
  }
  return "(" + joined(names) + " : " + joined(types) + ")";
}

const DrawnTensor &DrawnKernel::tensor(DrawnTensor t) {
  tensors_.push_back(std::move(t));
  return tensors_.back();
}

DrawnTile DrawnKernel::tile(int64_t rows, int64_t columns, DType type, const char *stem) {
  DrawnTile tile{fresh(stem), rows, columns, type};
  line(tile.name + " = sluice.alloc \"" + tile.name.substr(1) + "\" : !sluice.buffer<" +
       typeOf(tile) + ">");
  return tile;
}

DrawnTile DrawnKernel::load(const DrawnTensor &from, const std::vector<std::string> &at,
                            int64_t rows, int64_t columns) {
  DrawnTile to = tile(rows, columns, from.type, "x");
  to.isLoaded = true;
  line("sluice.load %" + from.name + "[" + joined(at) + "] to " + to.name + " : <" + typeOf(from) +
       ">, <" + typeOf(to) + ">");
  step([=, tensor = from.name](Meaning &m) {
    BoundedTile result{rows, columns, std::vector<Bounded>(size_t(rows * columns))};
    const HostTensor &source = m.tensors.at(tensor);
    std::vector<int64_t> first;
    for (const std::string &scalar : at)
      first.push_back(m.scalars.at(scalar));
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        if (const auto place = placeOf(source, first, r, c))
          result.numbers[size_t(r * columns + c)].value = source.at(*place);
    m.tiles[to.name] = std::move(result);
  });
  return to;
}

void DrawnKernel::store(const DrawnTile &tile, const DrawnTensor &to,
                        const std::vector<std::string> &at) {
  line("sluice.store " + tile.name + " to %" + to.name + "[" + joined(at) + "] : <" + typeOf(tile) +
       ">, <" + typeOf(to) + ">");
  step([=, tensor = to.name](Meaning &m) {
    const HostTensor &target = m.tensors.at(tensor);
    std::vector<int64_t> first;
    for (const std::string &scalar : at)
      first.push_back(m.scalars.at(scalar));
    for (int64_t r = 0; r < tile.rows; ++r)
      for (int64_t c = 0; c < tile.columns; ++c)
        if (const auto place = placeOf(target, first, r, c))
          m.outputs.at(tensor)[numberOf(target, *place)] = m.tiles.at(tile.name).at(r, c);
  });
}

void DrawnKernel::storeTransposed(const DrawnTile &tile, const DrawnTensor &to,
                                  const std::vector<std::string> &at) {
  DrawnTile turned{fresh("turned"), tile.columns, tile.rows, tile.type};
  line(turned.name + " = sluice.transpose " + tile.name + " : <" + typeOf(tile) + ">");
  line("sluice.store " + turned.name + " to %" + to.name + "[" + joined(at) + "] : <" +
       typeOf(turned) + ", minor 0>, <" + typeOf(to) + ">");
  step([=, tensor = to.name](Meaning &m) {
    const HostTensor &target = m.tensors.at(tensor);
    std::vector<int64_t> first;
    for (const std::string &scalar : at)
      first.push_back(m.scalars.at(scalar));
    for (int64_t r = 0; r < turned.rows; ++r)
      for (int64_t c = 0; c < turned.columns; ++c)
        if (const auto place = placeOf(target, first, r, c))
          m.outputs.at(tensor)[numberOf(target, *place)] = m.tiles.at(tile.name).at(c, r);
  });
}

void DrawnKernel::fill(const DrawnTile &tile, double number) {
  line("sluice.fill " + tile.name + " with " + DrawnBody::spelled(number) + " : <" + typeOf(tile) +
       ">");
  step([=](Meaning &m) {
    m.tiles[tile.name] = {tile.rows, tile.columns,
                          std::vector<Bounded>(size_t(tile.rows * tile.columns), {number, 0})};
  });
}

void DrawnKernel::map(const std::vector<DrawnTile> &from, const std::vector<DrawnTile> &to,
                      int operations, bool adds) {
  DrawnBody body(*this, from);
  body.drawResults(to, operations, adds);
  line("sluice.map ins" + buffers(from) + " outs" + buffers(to) +
       (body.hasCoordinates() ? " coordinates {" : " {"));
  body_ += body.text(indent_);
  line("}");
  step([=](Meaning &m) {
    std::vector<BoundedTile> made;
    for (const DrawnTile &tile : to)
      made.push_back({tile.rows, tile.columns, {}});
    for (int64_t r = 0; r < to[0].rows; ++r)
      for (int64_t c = 0; c < to[0].columns; ++c) {
        std::vector<Bounded> inputs;
        for (const DrawnTile &tile : from)
          inputs.push_back(m.tiles.at(tile.name).at(r, c));
        const auto values = body.valuesFor(std::move(inputs), r, c);
        for (size_t i = 0; i < to.size(); ++i)
          made[i].numbers.push_back(values[i]);
      }
    for (size_t i = 0; i < to.size(); ++i)
      m.tiles[to[i].name] = std::move(made[i]);
  });
}

DrawnTile DrawnKernel::fold(const DrawnTile &from) {
  struct Way {
    const char *join;
    double start;
  };
  const Way way = oneOf<Way>({{"addf", 0},
                              {"addf", 0},
                              {"maximumf", -INFINITY},
                              {"minimumf", INFINITY},
                              {"maximumf", 0},
                              {"maxnumf", 0.5}});
  DrawnTile to = tile(from.rows, 1, DType::f32, "q");
  DrawnBody body(*this, {from});
  body.drawResults({to}, oneIn(2) ? 0 : upTo(2));
  line("sluice.reduce ins" + buffers({from}) + " outs" + buffers({to}) + " axis 1 from [" +
       DrawnBody::spelled(way.start) + "] {");
  body_ += body.textOfFold(indent_, way.join);
  line("}");
  step([=](Meaning &m) {
    BoundedTile result{from.rows, 1, {}};
    const BoundedTile &tile = m.tiles.at(from.name);
    for (int64_t r = 0; r < from.rows; ++r) {
      std::vector<Bounded> numbers;
      for (int64_t c = 0; c < from.columns; ++c)
        numbers.push_back(body.valuesFor({tile.at(r, c)}, r, c)[0]);
      result.numbers.push_back(folded(way.join, way.start, numbers));
    }
    m.tiles[to.name] = std::move(result);
  });
  return to;
}

std::string DrawnKernel::beginLoop(const std::string &end, int stages) {
  const std::string variable = fresh("t");
  line("scf.for " + variable + " = " + constant(0) + " to " + end + " step " + constant(1) + " {");
  indent_ += "  ";
  steps_.emplace_back();
  loops_.push_back({variable, end, stages});
  return variable;
}

void DrawnKernel::endLoop() {
  const Loop loop = loops_.back();
  loops_.pop_back();
  const Steps inner = steps_.back();
  steps_.pop_back();
  indent_.resize(indent_.size() - 2);
  line(loop.stages ? "} {sluice.stages = " + std::to_string(loop.stages) + "}" : "}");
  step([=](Meaning &m) {
    for (int64_t t = 0; t < m.scalars.at(loop.end); ++t) {
      m.scalars[loop.variable] = t;
      for (const Step &step : inner)
        step(m);
    }
  });
}

// ---- The whole

std::string DrawnKernel::text() const {
  std::vector<std::string> arguments;
  for (const DrawnTensor &t : tensors_)
    arguments.push_back("%" + t.name + ": !sluice.tensor<" + typeOf(t) + "> {sluice.name = \"" +
                        t.name + "\"" + (t.output ? ", sluice.out}" : "}"));
  std::string text = "sluice.kernel @drawn(" + joined(arguments) +
                     ")\n    attributes {target = \"" + target_ + "\"" +
                     (mutexes_ ? ", sluice.mutexes" : "") + "} {\n";
  for (const auto &[number, name] : constants_)
    text += "  " + name + " = arith.constant " + std::to_string(number) + " : index\n";
  return text + body_ + "}\n";
}

std::map<std::string, std::vector<Bounded>>
DrawnKernel::outputsFor(std::map<std::string, HostTensor> tensors) {
  Meaning m;
  m.tensors = std::move(tensors);
  for (const auto &[number, name] : constants_)
    m.scalars[name] = number;
  for (const DrawnTensor &t : tensors_)
    if (t.output)
      m.outputs[t.name].assign(size_t(m.tensors.at(t.name).elements()), {NAN, 0}); // until written
  for (const Step &step : before_)
    step(m);
  int64_t tiles = 1;
  for (const std::string &extent : gridExtents_)
    tiles *= m.scalars.at(extent);
  for (int64_t tile = 0; tile < tiles; ++tile) {
    int64_t rest = tile;
    for (size_t d = gridNames_.size(); d-- > 0;) {
      m.scalars[gridNames_[d]] = rest % m.scalars.at(gridExtents_[d]);
      rest /= m.scalars.at(gridExtents_[d]);
    }
    for (const Step &step : steps_.back())
      step(m);
  }
  return m.outputs;
}

} // namespace sluice::test::drawn
