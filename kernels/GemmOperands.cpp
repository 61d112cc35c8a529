#include "kernels/GemmOperands.h"

#include "Program/Strides.h"
#include "kernels/Alignment.h"

#include <sstream>

namespace sluice {

using namespace lang;

void addTileParameters(KernelEntry &entry, const char *depth, const char *stages) {
  const Parameter all[] = {{"bm", "128", "rows of a tile of C", {}, 1, 1024},
                           {"bn", "128", "columns of a tile of C", {}, 1, 1024},
                           {"bk", depth, "depth of a step", {}, 1, 4096},
                           {"stages", stages, "tiles of each input in flight", {}, 1, 64}};
  entry.parameters.insert(entry.parameters.end(), std::begin(all), std::end(all));
}

Parameter extentParameter(const char *name, const char *value, const char *help) {
  Parameter p{name, value, help};
  p.atLaunch = true;
  return p;
}

std::vector<Parameter> operandParameters() {
  return {
      {"dtype",
       "f16",
       "element type of A and B; tf32: f32 cut by the product; f32: Ascend; e2m1, e2m3, e3m2: "
       "sm_100a",
       {"f16", "bf16", "f32", "tf32", "e4m3", "e5m2", "e2m1", "e2m3", "e3m2", "s8"}},
      {"out",
       "auto",
       "element type of C; auto: that of A, f32 of f32 and tf32, bf16 of smaller floats, s32 of s8",
       {"f16", "bf16", "f32", "s32"}},
      {"a", "row", "A in memory: row-major, or col: columns contiguous", {"row", "col"}},
      {"b", "row", "B in memory: row-major, or col: columns contiguous", {"row", "col"}},
  };
}

Parameter planParameter() {
  return {"plan", "no", "yes: all that is auto above as sluice plan puts it first", {"no", "yes"}};
}

Result<Parameters> planned(const std::string &kernel, const Parameters &p,
                           const std::vector<std::string> &chosen,
                           const std::function<Result<Plan>()> &plan) {
  if (p.text("plan") == "no")
    return p;
  for (const std::string &name : chosen)
    if (!p.isAuto(name))
      return inputError(kernel + " plan=yes chooses " + name + " itself; leave " + name +
                        " at auto, or plan at no");
  auto found = plan();
  if (!found)
    return found.error();
  Parameters with = p;
  const auto alone = std::ranges::find(found->candidates, "", &PlanCandidate::rest);
  std::istringstream settings(alone->settings);
  for (std::string setting; settings >> setting;) {
    const size_t equals = setting.find('=');
    with = with.with(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return with;
}

DType sumsOf(DType type) {
  return isFloat(type) || type == DType::e2m1x2 ? f32 : i32;
}

DType typeOfA(const Parameters &p) {
  const DType type = p.dtype("dtype");
  const bool scaled = p.has("scales") && (p.text("scales") == "mx" || p.text("scales") == "nv");
  const bool alone = !p.has("b_dtype") || p.isAuto("b_dtype") || p.dtype("b_dtype") == type;
  return type == DType::e2m1 && scaled && alone ? DType::e2m1x2 : type;
}

DType typeOfB(const Parameters &p) {
  const bool other =
      p.has("b_dtype") && !p.isAuto("b_dtype") && p.text("b_dtype") != p.text("dtype");
  return other ? p.dtype("b_dtype") : typeOfA(p);
}

double packedPart(DType type) {
  return double(bitsInTensors(type)) / 8 / double(byteSize(type));
}

DType outOf(const Parameters &p) {
  const DType type = typeOfA(p);
  if (!p.isAuto("out"))
    return p.text("out") == "s32" ? i32 : p.dtype("out");
  if (byteSize(type) == 4)
    return f32;
  return byteSize(type) == 2 ? type : sumsOf(type) == f32 ? bf16 : i32;
}

/// Why operands of the type are contiguous along K; empty: they need not be. PTX ISA, tcgen05: the
/// instruction descriptor turns operands of all kinds; of tf32 they lie in 128 bytes swizzled by 32
/// (shared memory descriptor, swizzle 1), which no tensor map of ours has; of 4 and 6 bits none is
/// turned.
static std::string onlyAlongK(DType type, const Arch &arch) {
  if (byteSize(type) == 2 || isAscend(arch.target))
    return "";
  if (arch.target == Target::sm_90a)
    return "wgmma transposes 16-bit operands only";
  if (isPacked(type) || type == DType::e2m1x2)
    return "tcgen05.mma does not transpose operands of 4 and 6 bits";
  return byteSize(type) == 1
             ? ""
             : "tcgen05.mma transposes 32 bits from a swizzle of their own, of 128 bytes by "
               "32, which is not lowered";
}

static std::optional<Error> unsupportedLayout(const Parameters &p, const Arch &arch,
                                              const std::string &start) {
  const bool turnsA = p.text("a") == "col", turnsB = p.text("b") == "row";
  const std::string ofA = turnsA ? onlyAlongK(typeOfA(p), arch) : "",
                    ofB = turnsB ? onlyAlongK(typeOfB(p), arch) : "";
  if (ofA.empty() && ofB.empty())
    return std::nullopt;
  return unsupportedError(start + " a=" + p.text("a") + " b=" + p.text("b") + ": " +
                          (ofA.empty() ? ofB : ofA) +
                          "; use A by rows and B by columns, a=row b=col");
}

/// Numbers of 4 and 6 bits, of which TMA brings 128 side by side (R52).
static std::optional<Error> unsupportedPacked(const std::string &kernel, const Parameters &p,
                                              const Arch &arch, const std::string &start) {
  if (!isPacked(typeOfA(p)) && !isPacked(typeOfB(p)))
    return std::nullopt;
  if (kernel != "gemm" && kernel != "grouped_gemm")
    return unsupportedError(start + ": numbers of 4 and 6 bits are multiplied by gemm and "
                                    "grouped_gemm alone");
  if (arch.target != Target::sm_100a)
    return unsupportedError(start + " on " + arch.name +
                            ": numbers of 4 and 6 bits begin with sm_100a; add --target sm_100a");
  for (const char *depth : {"K", "bk"})
    if (!p.isAuto(depth) && p.number(depth) % packedLine)
      return unsupportedError(start + " " + depth + "=" + p.text(depth) +
                              ": numbers of 4 and 6 bits come 128 at a time; " + depth +
                              " is a multiple of 128");
  return std::nullopt;
}

std::optional<Error> unsupportedTypes(const std::string &kernel, const Parameters &p,
                                      const Arch &arch) {
  const std::string dtype = p.text("dtype"), start = "unsupported: " + kernel + " dtype=" + dtype;
  const bool half = dtype == "f16" || dtype == "bf16", ascend = isAscend(arch.target);
  if (auto wrong = unsupportedPacked(kernel, p, arch, start))
    return wrong;
  if (ascend && !half && dtype != "s8" && dtype != "f32")
    return unsupportedError(start + " on " + arch.name + "; use f16, bf16, f32 or s8");
  if (!ascend && dtype == "f32")
    return unsupportedError(start + " on " + arch.name +
                            ": no tensor core multiplies f32; use tf32");
  if (auto wrong = unsupportedLayout(p, arch, start))
    return wrong;
  if (outOf(p) == i32 && dtype != "s8")
    return unsupportedError(start + " out=s32: its sums are f32; use out=f16, bf16 or f32");
  return std::nullopt;
}

double toleranceOfSums(const Parameters &p, int64_t products) {
  return defaultTolerance(outOf(p)) + productTolerance(typeOfA(p), products);
}

double toleranceOf(const Parameters &p) {
  return toleranceOfSums(p, p.number("K"));
}

TensorOptions matrix(int64_t rows, int64_t cols, bool byColumns, bool batched, DType type) {
  return {.minor = (byColumns ? 0 : 1) + (batched ? 1 : 0),
          .align = alignmentOf(byColumns ? rows : cols, type)};
}

} // namespace sluice
