#include "Launch/Manifest.h"

#include "Launch/ManifestNames.h"
#include "Program/WorkspaceCounters.h"
#include "Support/Json.h"

namespace sluice {
namespace {

template <typename Numbers> void list(JsonWriter &json, const char *key, const Numbers &numbers) {
  json.key(key).beginArray();
  for (auto n : numbers)
    json.value(n);
  json.endArray();
}

/// ["ceildiv", ["extent", "C", 0], 128]
void writeValue(JsonWriter &json, const LaunchPlan &plan, const std::vector<Scalar> &scalars,
                size_t v) {
  const Scalar &s = scalars[v];
  if (s.op == ScalarOp::constant) {
    json.value(s.imm);
    return;
  }
  json.beginArray();
  if (s.op == ScalarOp::dim)
    json.value("extent").value(plan.tensors[s.object].name).value(s.imm);
  else if (s.op == ScalarOp::argument)
    json.value("argument").value(plan.arguments[s.object].name);
  for (const LaunchOperator &o : launchOperators)
    if (o.op == s.op)
      json.value(o.name);
  for (ValueId operand : s.operands)
    writeValue(json, plan, scalars, operand);
  json.endArray();
}

void writeGrid(JsonWriter &json, const LaunchPlan &plan) {
  json.key("grid");
  if (!plan.grid.unknown.empty()) {
    json.null().member("grid_unknown", plan.grid.unknown);
    return;
  }
  json.beginArray();
  for (size_t side = 0; side < 3; ++side)
    if (side < plan.grid.extents.size())
      writeValue(json, plan, plan.grid.scalars, plan.grid.extents[side]);
    else
      json.value(1);
  json.endArray();
}

void writeExtents(JsonWriter &json, const LaunchPlan &plan, size_t tensor) {
  const Tensor &t = plan.tensors[tensor];
  json.key("extents").beginArray();
  for (size_t d = 0; d < size_t(t.rank); ++d) {
    const bool named = tensor < plan.extentNames.size() && d < plan.extentNames[tensor].size() &&
                       !plan.extentNames[tensor][d].name.empty();
    if (d < t.extents.size() && t.extents[d] >= 0)
      json.value(t.extents[d]);
    else if (named)
      json.value(textOf(plan.extentNames[tensor][d]));
    else
      json.null();
  }
  json.endArray();
}

void writeTensors(JsonWriter &json, const LaunchPlan &plan) {
  json.key("tensors").beginArray();
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    const Tensor &t = plan.tensors[i];
    json.beginObject().member("name", t.name).member("type", name(t.type));
    writeExtents(json, plan, i);
    json.member("contiguous", t.minor).member("align", t.align);
    json.member("input", t.input).member("output", t.output);
    if (t.isLine)
      json.member("line", true);
    if (holdsCounters(t))
      json.member("zeros", true);
    if (t.inPlaceOf >= 0)
      json.member("in_place", plan.tensors[t.inPlaceOf].name);
    json.endObject();
  }
  json.endArray().key("arguments").beginArray();
  for (const Argument &a : plan.arguments)
    json.beginObject().member("name", a.name).member("type", name(a.type)).endObject();
  json.endArray();
}

/// [2, 1, 0]; of a dimension in parts [dimension, extent, step].
void writeDims(JsonWriter &json, const TensorMapPlan &map) {
  json.key("dims").beginArray();
  for (size_t i = 0; i < map.dims.size(); ++i) {
    const MapPart part = map.part(i);
    if (part.extent)
      json.beginArray().value(map.dims[i]).value(part.extent).value(part.step).endArray();
    else
      json.value(map.dims[i]);
  }
  json.endArray();
}

void writeMaps(JsonWriter &json, const LaunchPlan &plan) {
  json.key("tensor_maps").beginArray();
  for (const TensorMapPlan &m : plan.maps) {
    json.beginObject().member("tensor", plan.tensors[m.tensor].name);
    writeDims(json, m);
    list(json, "box", m.box);
    json.member("swizzle", m.swizzle).member("promotion", m.promotion);
    json.member("promotion_otherwise", m.promotionOtherwise)
        .member("fill", "zero")
        .member("stores", m.stores)
        .endObject();
  }
  json.endArray();
}

void writeParameters(JsonWriter &json, const LaunchPlan &plan) {
  json.key("parameters").beginArray();
  for (const KernelParameter &p : plan.parameters) {
    const bool map = p.kind == KernelParameter::tensorMap;
    json.beginObject().member("kind", parameterKindNames[p.kind]).member("name", p.name);
    if (p.kind == KernelParameter::argument)
      json.member("of", plan.arguments[p.object].name);
    else
      json.member("of", plan.tensors[map ? plan.maps[p.object].tensor : p.object].name);
    if (map)
      json.member("map", p.object);
    if (p.kind == KernelParameter::extent || p.kind == KernelParameter::stride)
      json.member("dim", p.dim);
    json.endObject();
  }
  json.endArray();
}

void writeAssumptions(JsonWriter &json, const LaunchPlan &plan) {
  json.key("assumptions").beginArray();
  for (const Assumption &a : plan.assumptions) {
    json.beginObject().member("text", a.text).member("at", placeText(a)).key("holds");
    writeValue(json, plan, a.scalars, a.scalars.size() - 1);
    json.endObject();
  }
  json.endArray();
}

} // namespace

std::string manifestText(const Manifest &m) {
  JsonWriter json;
  json.beginObject().member("sluice_manifest", Manifest::version);
  json.member("kernel", m.plan.kernel).member("target", name(m.plan.target));
  json.member("source", m.source).member("cubin", m.cubin);
  json.member("cubin_sha256", m.cubinSha256);
  list(json, "block", std::vector<int>{m.plan.threads, 1, 1});
  json.member("shared_bytes", m.plan.sharedBytes);
  list(json, "cluster", m.plan.cluster);
  json.member("overlaps_previous", m.plan.overlapsPrevious);
  writeGrid(json, m.plan);
  writeTensors(json, m.plan);
  writeMaps(json, m.plan);
  writeParameters(json, m.plan);
  writeAssumptions(json, m.plan);
  json.key("proof").beginObject().member("verdict", m.proof.verdict);
  json.member("trip_counts", m.proof.tripCounts).member("assumptions", m.proof.assumptions);
  json.endObject().endObject();
  return json.str();
}

} // namespace sluice
