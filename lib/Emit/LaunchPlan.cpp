#include "Emit/LaunchPlan.h"

#include "Machine/Agent.h"
#include "Machine/Json.h"

namespace sluice {

Result<std::array<int64_t, 3>> launchGrid(const Program &program, const Launch &launch) {
  // CUDA C++ Programming Guide, "Compute Capabilities": x to 2^31 - 1, y and z to 65535.
  constexpr int64_t limits[3] = {0x7fffffff, 65535, 65535};
  std::array<int64_t, 3> grid{1, 1, 1};
  std::vector<int64_t> extents = gridExtents(program, launch);
  for (size_t d = 0; d < extents.size() && d < 3; ++d) {
    grid[d] = extents[d];
    if (grid[d] < 0 || grid[d] > limits[d])
      return inputError("kernel " + program.name + ": side " + std::to_string(d) +
                            " of the grid is " + std::to_string(grid[d]) + ", the limit is " +
                            std::to_string(limits[d]),
                        program.loc);
    if (grid[d] % program.cluster[d])
      return inputError("kernel " + program.name + ": side " + std::to_string(d) +
                            " of the grid is " + std::to_string(grid[d]) +
                            ", no multiple of the cluster's " + std::to_string(program.cluster[d]),
                        program.loc);
  }
  return grid;
}

namespace {

template <typename Numbers> void list(JsonWriter &json, const char *key, const Numbers &numbers) {
  json.key(key).beginArray();
  for (auto n : numbers)
    json.value(n);
  json.endArray();
}

void writeMaps(JsonWriter &json, const LaunchPlan &plan, const Program &program) {
  json.key("tensor_maps").beginArray();
  for (const TensorMapPlan &m : plan.maps) {
    json.beginObject().member("tensor", program.tensors[m.tensor].name);
    list(json, "dims", m.dims);
    list(json, "box", m.box);
    json.member("swizzle", m.swizzle).endObject();
  }
  json.endArray();
}

std::string_view objectName(const KernelParameter &p, const LaunchPlan &plan, const Program &q) {
  if (p.kind == KernelParameter::argument)
    return q.arguments[p.object].name;
  return q.tensors[p.kind == KernelParameter::tensorMap ? plan.maps[p.object].tensor : p.object]
      .name;
}

} // namespace

std::string manifest(const LaunchPlan &plan, const Program &program) {
  static constexpr const char *kinds[] = {"tensor_map", "pointer", "extent", "stride", "argument"};
  JsonWriter json;
  json.beginObject().member("kernel", plan.kernel).member("threads", plan.threads);
  json.member("shared_bytes", plan.sharedBytes);
  list(json, "cluster", plan.cluster);
  writeMaps(json, plan, program);
  json.key("parameters").beginArray();
  for (const KernelParameter &p : plan.parameters) {
    json.beginObject().member("kind", kinds[p.kind]).member("name", p.name);
    json.member("of", objectName(p, plan, program));
    if (p.kind == KernelParameter::tensorMap)
      json.member("map", p.object);
    if (p.kind == KernelParameter::extent || p.kind == KernelParameter::stride)
      json.member("dim", p.dim);
    json.endObject();
  }
  json.endArray();
  json.key("tensors").beginArray();
  for (const Tensor &t : program.tensors)
    json.beginObject()
        .member("name", t.name)
        .member("type", name(t.type))
        .member("rank", t.rank)
        .member("minor", t.minor)
        .member("align", t.align)
        .member("input", t.input)
        .member("output", t.output)
        .endObject();
  json.endArray().endObject();
  return json.str();
}

} // namespace sluice
