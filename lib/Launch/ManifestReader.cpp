#include "Launch/Manifest.h"
#include "Launch/ManifestNames.h"
#include "Support/JsonReader.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sluice {
namespace {

/// "gemm.cpp:15:10"; what is none of the kind is a file without a line.
Location placeIn(const std::string &text) {
  const size_t column = text.rfind(':'), line = text.rfind(':', column - 1);
  Location at{text, 0, 0};
  if (column == text.npos || column == 0 || line == text.npos)
    return at;
  at = {text.substr(0, line), std::atoi(text.c_str() + line + 1),
        std::atoi(text.c_str() + column + 1)};
  return at;
}

class Reader {
public:
  explicit Reader(const JsonValue &root) : root_(root) {}

  Result<Manifest> read() {
    const int64_t version = integer(root_, "sluice_manifest");
    if (!error_ && version != Manifest::version)
      fail("its format is version " + std::to_string(version) + ", this library reads " +
           std::to_string(Manifest::version));
    if (!error_) {
      head();
      tensors();
      maps();
      parameters();
      grid();
      assumptions();
      proof();
    }
    if (error_)
      return *error_;
    return std::move(manifest_);
  }

private:
  void fail(const std::string &what) {
    if (!error_)
      error_ = inputError("not a usable launch manifest: " + what);
  }

  const JsonValue &member(const JsonValue &of, const std::string &name, JsonValue::Kind kind) {
    const JsonValue &value = of[name];
    static constexpr const char *kinds[] = {"null",   "true or false", "a number",
                                            "a text", "an array",      "an object"};
    if (value.kind() != kind)
      fail("member '" + name + "' must be " + kinds[kind]);
    return value;
  }
  std::string text(const JsonValue &of, const std::string &name) {
    return member(of, name, JsonValue::text).asText();
  }
  int64_t integer(const JsonValue &of, const std::string &name) {
    return member(of, name, JsonValue::number).asInteger();
  }
  int64_t within(const JsonValue &of, const std::string &name, int64_t low, int64_t high) {
    const int64_t value = integer(of, name);
    if (value < low || value > high)
      fail("member '" + name + "' is " + std::to_string(value) + ", it must be " +
           std::to_string(low) + " to " + std::to_string(high));
    return std::clamp(value, low, high);
  }
  bool truth(const JsonValue &of, const std::string &name) {
    return member(of, name, JsonValue::boolean).truth();
  }
  const std::vector<JsonValue> &items(const JsonValue &of, const std::string &name) {
    return member(of, name, JsonValue::array).items();
  }
  std::vector<int64_t> integers(const JsonValue &of, const std::string &name) {
    std::vector<int64_t> numbers;
    for (const JsonValue &item : items(of, name))
      numbers.push_back(item.asInteger());
    return numbers;
  }
  DType type(const JsonValue &of) {
    const std::string word = text(of, "type");
    auto type = parseDType(word);
    if (!type)
      fail("'" + word + "' is no element type");
    return type.value_or(DType::f32);
  }
  Extent extentName(const std::string &word) {
    constexpr int64_t most = mostExtent;
    Extent extent = parseExtent(word);
    if (!word.empty() && (extent.name.empty() || extent.more < 0 || extent.more > most))
      fail("'" + word + "' is no name of an extent");
    return extent;
  }
  template <typename Named>
  int find(const std::vector<Named> &all, const std::string &name, const char *what) {
    auto at = std::find_if(all.begin(), all.end(), [&](auto &n) { return n.name == name; });
    if (at == all.end())
      fail("it names the " + std::string(what) + " '" + name + "' and does not describe it");
    return at == all.end() ? 0 : static_cast<int>(at - all.begin());
  }

  void head();
  void tensors();
  void inPlace();
  void dimension(const JsonValue &of, int rank, TensorMapPlan &map);
  void maps();
  void parameters();
  void grid();
  ValueId value(const JsonValue &of, const std::string &what, std::vector<Scalar> &scalars);
  void operatorOf(const std::vector<JsonValue> &of, const std::string &what,
                  std::vector<Scalar> &scalars, Scalar &scalar);
  void assumptions();
  void proof();

  LaunchPlan &plan() { return manifest_.plan; }

  const JsonValue &root_;
  Manifest manifest_;
  std::optional<Error> error_;
};

void Reader::head() {
  plan().kernel = text(root_, "kernel");
  const std::string target = text(root_, "target");
  if (auto known = parseTarget(target))
    plan().target = *known;
  else
    fail("unknown target '" + target + "'");
  manifest_.source = text(root_, "source");
  manifest_.cubin = text(root_, "cubin");
  manifest_.cubinSha256 = text(root_, "cubin_sha256");
  const auto block = integers(root_, "block"), cluster = integers(root_, "cluster");
  if (block.size() != 3 || block[0] < 1 || block[0] > 1024 || block[1] != 1 || block[2] != 1)
    fail("member 'block' must be [1 to 1024, 1, 1]");
  else
    plan().threads = static_cast<int>(block[0]);
  if (cluster.size() != 3 || *std::min_element(cluster.begin(), cluster.end()) < 1)
    fail("member 'cluster' must be three positive numbers");
  else
    std::copy(cluster.begin(), cluster.end(), plan().cluster.begin());
  plan().sharedBytes = within(root_, "shared_bytes", 0, 1 << 20);
  plan().overlapsPrevious = truth(root_, "overlaps_previous");
}

void Reader::tensors() {
  for (const JsonValue &item : items(root_, "tensors")) {
    Tensor t;
    t.name = text(item, "name");
    t.type = type(item);
    std::vector<Extent> names;
    for (const JsonValue &extent : items(item, "extents")) {
      t.extents.push_back(extent.kind() == JsonValue::number ? extent.asInteger() : -1);
      names.push_back(extentName(extent.asText()));
    }
    t.rank = static_cast<int>(t.extents.size());
    t.minor = static_cast<int>(within(item, "contiguous", 0, std::max(t.rank - 1, 0)));
    t.align = within(item, "align", 1, 1 << 20);
    t.isLine = item["line"].kind() != JsonValue::null && truth(item, "line");
    if (t.isLine && (t.rank != 1 || t.extents[0] >= 0))
      fail("tensor '" + t.name + "' is a line and has one extent, of any size");
    t.input = truth(item, "input"), t.output = truth(item, "output");
    plan().tensors.push_back(std::move(t));
    plan().extentNames.push_back(std::move(names));
  }
  inPlace();
  for (const JsonValue &item : items(root_, "arguments"))
    plan().arguments.push_back({text(item, "name"), type(item)});
}

/// Tensors that may be written in the place of another; those of the others have no such member.
void Reader::inPlace() {
  const std::vector<JsonValue> &all = items(root_, "tensors");
  for (size_t i = 0; i < plan().tensors.size(); ++i) {
    if (all[i]["in_place"].kind() == JsonValue::null)
      continue;
    Tensor &written = plan().tensors[i];
    written.inPlaceOf = find(plan().tensors, text(all[i], "in_place"), "tensor");
    const Tensor &read = plan().tensors[written.inPlaceOf];
    if (!written.output || written.input || !read.input || read.output || read.rank != written.rank)
      fail("member 'in_place' of tensor '" + written.name + "' names no input like it");
  }
}

/// A number, or a dimension that the map takes in parts: its number, and extent and step of those.
void Reader::dimension(const JsonValue &of, int rank, TensorMapPlan &map) {
  const bool hasParts = of.kind() == JsonValue::array && of.items().size() == 3;
  const auto number = [&](size_t i) { return of.items()[i].asInteger(); };
  const int64_t d = hasParts ? number(0) : of.asInteger();
  if ((!hasParts && of.kind() != JsonValue::number) || d < 0 || d >= rank)
    return fail("a tensor map has a dimension that its tensor does not have");
  map.dims.push_back(static_cast<int>(d));
  map.parts.push_back(hasParts ? MapPart{number(1), number(2)} : MapPart());
  if (map.parts.back().step < 1 || (hasParts && map.parts.back().extent < 1))
    fail("parts of a dimension of a tensor map have an extent and a step");
}

void Reader::maps() {
  for (const JsonValue &item : items(root_, "tensor_maps")) {
    TensorMapPlan m;
    m.tensor = find(plan().tensors, text(item, "tensor"), "tensor");
    const int rank = plan().tensors.empty() ? 0 : plan().tensors[m.tensor].rank;
    for (const JsonValue &dim : items(item, "dims"))
      dimension(dim, rank, m);
    m.box = integers(item, "box");
    if (m.dims.empty() || m.dims.size() > 5 || m.box.size() != m.dims.size())
      fail("a tensor map has 1 to 5 dimensions, and as many in 'dims' as in 'box'");
    m.swizzle = within(item, "swizzle", 0, 128);
    m.promotion = within(item, "promotion", 0, 256);
    m.promotionOtherwise = within(item, "promotion_otherwise", 0, 256);
    m.stores = item["stores"].truth(); // not there in manifests from before
    if (text(item, "fill") != "zero")
      fail("a tensor map is filled with zero");
    plan().maps.push_back(std::move(m));
  }
}

void Reader::parameters() {
  for (const JsonValue &item : items(root_, "parameters")) {
    KernelParameter p{};
    const std::string kind = text(item, "kind"), of = text(item, "of");
    const auto *at = std::find(std::begin(parameterKindNames), std::end(parameterKindNames), kind);
    if (at == std::end(parameterKindNames))
      return fail("'" + kind + "' is no kind of parameter");
    p.kind = static_cast<KernelParameter::Kind>(at - std::begin(parameterKindNames));
    p.name = text(item, "name");
    if (p.kind == KernelParameter::tensorMap) {
      p.object = static_cast<int>(within(item, "map", 0, int64_t(plan().maps.size()) - 1));
    } else if (p.kind == KernelParameter::argument) {
      p.object = find(plan().arguments, of, "argument");
    } else {
      p.object = find(plan().tensors, of, "tensor");
      if (p.kind != KernelParameter::pointer && !error_)
        p.dim = static_cast<int>(
            within(item, "dim", 0, std::max(plan().tensors[p.object].rank - 1, 0)));
    }
    if (error_)
      return;
    plan().parameters.push_back(std::move(p));
  }
}

void Reader::grid() {
  if (root_["grid"].kind() == JsonValue::null) {
    plan().grid.unknown = text(root_, "grid_unknown");
    return;
  }
  const auto &sides = items(root_, "grid");
  if (sides.size() != 3)
    return fail("member 'grid' must have three sides");
  for (const JsonValue &side : sides)
    plan().grid.extents.push_back(value(side, "the grid", plan().grid.scalars));
}

/// `scalars`: of `what`, "the grid".
ValueId Reader::value(const JsonValue &of, const std::string &what, std::vector<Scalar> &scalars) {
  Scalar scalar{ScalarOp::constant, kNone, {}};
  if (of.kind() == JsonValue::number)
    scalar.imm = of.asInteger();
  else if (of.kind() == JsonValue::array && !of.items().empty())
    operatorOf(of.items(), what, scalars, scalar);
  else
    fail(what + " has a value that is neither a number nor an operation");
  if (scalars.size() >= maxPassedScalars)
    fail(what + " takes more than " + std::to_string(maxPassedScalars) + " steps");
  if (error_)
    return 0;
  scalar.result = static_cast<ValueId>(scalars.size());
  scalars.push_back(std::move(scalar));
  return scalars.back().result;
}

void Reader::operatorOf(const std::vector<JsonValue> &of, const std::string &what,
                        std::vector<Scalar> &scalars, Scalar &scalar) {
  const std::string &word = of[0].asText();
  if (word == "extent" && of.size() == 3) {
    scalar.op = ScalarOp::dim;
    scalar.object = find(plan().tensors, of[1].asText(), "tensor");
    scalar.imm = of[2].asInteger();
    if (!error_ && (scalar.imm < 0 || scalar.imm >= plan().tensors[scalar.object].rank))
      fail(what + " takes an extent that tensor '" + of[1].asText() + "' does not have");
    return;
  }
  if (word == "argument" && of.size() == 2) {
    scalar.op = ScalarOp::argument;
    scalar.object = find(plan().arguments, of[1].asText(), "argument");
    return;
  }
  for (const LaunchOperator &o : launchOperators) {
    if (o.name != word || of.size() != o.operands + 1)
      continue;
    scalar.op = o.op;
    for (size_t i = 1; i < of.size() && !error_; ++i)
      scalar.operands.push_back(value(of[i], what, scalars));
    return;
  }
  fail(what + " has an unknown operation '" + word + "' of " + std::to_string(of.size() - 1) +
       " operands");
}

/// Manifests from before there were any have no such member.
void Reader::assumptions() {
  if (root_["assumptions"].kind() == JsonValue::null)
    return;
  for (const JsonValue &item : items(root_, "assumptions")) {
    Assumption a;
    a.text = text(item, "text");
    a.loc = placeIn(text(item, "at"));
    value(item["holds"], "an assumption", a.scalars);
    plan().assumptions.push_back(std::move(a));
  }
}

void Reader::proof() {
  const JsonValue &proof = member(root_, "proof", JsonValue::object);
  manifest_.proof.verdict = text(proof, "verdict");
  manifest_.proof.tripCounts = text(proof, "trip_counts");
  for (const JsonValue &item : items(proof, "assumptions"))
    manifest_.proof.assumptions.push_back(item.asText());
}

} // namespace

Result<Manifest> readManifest(std::string_view text) {
  auto root = readJson(text);
  if (!root)
    return root.error();
  if (root->kind() != JsonValue::object)
    return inputError("not a usable launch manifest: it is no JSON object");
  return Reader(*root).read();
}

} // namespace sluice
