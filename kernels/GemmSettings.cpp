#include "kernels/GemmSettings.h"

#include "Plan/BlackwellGemm.h"
#include "Plan/GemmGrid.h"
#include "kernels/GemmAscend.h"
#include "kernels/GemmOperands.h"

namespace sluice {

using namespace lang;

static Parameter batch() {
  constexpr int64_t most = 65535; // CTAs along the third dimension of a grid
  Parameter p{"batch", "auto", "products side by side, of tensors of rank 3; auto: one",
              {},      1,      most};
  p.atLaunch = true;
  return p;
}

static Parameter cacheParameter(const char *name, const std::string &tensor) {
  return {name,
          "auto",
          "NVIDIA: which lines L2 evicts first, those of " + tensor + " or others; auto: no hint",
          {"evict_first", "evict_last"}};
}

std::vector<Parameter> gemmParameters() {
  std::vector<Parameter> all = {
      extentParameter("M", "4096", "rows of A and C"),
      extentParameter("N", "4096", "columns of B and C"),
      extentParameter("K", "4096", "columns of A, rows of B"),
      batch(),
      {"bm", "auto", "rows of a tile of C", {}, 1, 1024},
      {"bn", "auto", "columns of a tile of C", {}, 1, 1024},
      {"bk", "auto", "depth of a step along K", {}, 1, 4096},
      {"stages", "auto", "tiles of A and B in flight", {}, 1, 64},
      {"promote",
       "auto",
       "e4m3, e5m2: steps along K before f32 takes their sums; auto: none does",
       {},
       1,
       4096},
      {"staging",
       "auto",
       "NVIDIA: slots in which parts of C wait for TMA; 1: all of C, 0: warps store what they hold",
       {},
       0,
       8},
      {"mode",
       "auto",
       "how the work is dealt out; streamk: the steps of all tiles in equal shares",
       {"specialised", "pipelined", "persistent", "pingpong", "streamk"}},
      {"dynamic",
       "auto",
       "NVIDIA, persistent: yes: CTAs draw their tiles from a counter while they run; auto: no",
       {"no", "yes"}},
      {"swap",
       "auto",
       "yes: C^T = B^T A^T, for few rows: bm a multiple of 8, bn one of 64; auto: no",
       {"no", "yes"}},
      {"cluster", "auto", "CTAs side by side that share their loads", {"1x1", "2x1", "1x2", "2x2"}},
      {"pair",
       "auto",
       "sm_100a: yes: the two CTAs of a cluster multiply together; auto: no",
       {"no", "yes"}},
      {"split",
       "auto",
       "CTAs of a cluster, or cores of Ascend, that share the steps along K of a tile; auto: 1",
       {"1", "2", "3", "4", "5", "6", "7", "8"}},
      {"group",
       "auto",
       "persistent, Ascend: rows of tiles taken together; 0: row by row",
       {},
       0,
       1024},
      {"steps",
       "auto",
       "alternate: a CTA with several tiles takes those of every second one from the last to the "
       "first, while L2 still has it; sums then round by where a tile lies; auto: forward",
       {"forward", "alternate"}},
      {"unit",
       "auto",
       "Ascend: yes: FIX takes each 512 bytes of C as soon as M has summed them up; auto: where "
       "the "
       "plan says so",
       {"no", "yes"}},
      cacheParameter("a_cache", "A"),
      cacheParameter("b_cache", "B"),
      cacheParameter("c_cache", "C"),
      {"plan",
       "auto",
       "yes: all that is auto above as sluice plan puts it first; auto: so but for sm_90a, where "
       "none of it is given",
       {"no", "yes"}},
  };
  const std::vector<Parameter> operands = operandParameters(), epilogue = epilogueParameters();
  all.insert(all.begin() + 4, operands.begin(), operands.end());
  const Parameter typeOfB{
      "b_dtype",
      "auto",
      "that of B where it differs: floats of 8 bits may, on sm_100a also those of 4 and 6",
      {"e4m3", "e5m2", "e2m1", "e2m3", "e3m2"}};
  all.insert(all.begin() + 5, typeOfB); // behind dtype
  all.insert(all.end() - 12, epilogue.begin(), epilogue.end());
  return all;
}

static CachePolicy policyOf(const Parameters &p, const char *name) {
  return p.isAuto(name) ? CachePolicy::normal : *parseCachePolicy(p.text(name));
}

/// Stages that fit beside C in so many slots of staging.
static int64_t stagesBesideC(const GemmConfig &c, int64_t staging, const Arch &arch) {
  const bool pair = c.grid.pair && c.grid.cluster[0] == 2;
  const int64_t factors = c.blockFactors ? bytesOfFactors(*c.blockFactors, c.bm, c.bn, c.bk) : 0;
  if (c.swapped) // C^T = B^T A^T; of it the whole tile waits
    return stagesBeside({c.bn, c.bm, c.bk, 1, c.split, !c.aByColumns, false, factors}, c.type,
                        c.out, arch);
  return stagesBeside({c.bm, c.bn, c.bk, staging, c.split, c.bByColumns, pair, factors}, c.type,
                      c.out, arch);
}

/// Whether TMA stores rows of C; else the warps that compute do.
static bool isStoredByTma(const GemmConfig &c) {
  constexpr int64_t bytes = 16; // that rows are a multiple of
  return c.N * byteSize(c.out) % bytes == 0;
}

/// Whether a role of its own stores the whole tile, in rows of a swizzle.
static bool storedInBoxes(const GemmConfig &c, const Arch &arch) {
  constexpr int64_t swizzle = 32; // bytes, of the narrowest
  return c.grid.persistent && !c.swapped && isStoredByTma(c) && c.staging.value_or(1) == 1 &&
         c.bn * byteSize(c.out) % swizzle == 0 && stagesBesideC(c, 1, arch) >= c.stages;
}

/// Whether an epilogue replaces what waits in C's place: by the 32 columns, or all of fewer.
static bool mappedInParts(const GemmConfig &c) {
  constexpr int64_t columns = 32;
  return c.bn < columns || c.bn % columns == 0;
}

/// As many as fit, up to `most`. Where nothing is said, C waits in parts if its rows are wide or if
/// the whole of it left room for fewer than three.
static int64_t stagesThatFit(const GemmConfig &c, const Arch &arch, int64_t most) {
  if (isAscend(arch.target))
    return std::clamp<int64_t>(arch.l1Bytes / ((c.bm + c.bn) * c.bk * byteSize(c.type)), 1, most);
  auto beside = [&](int64_t staging) { return stagesBesideC(c, staging, arch); };
  const bool whole = c.bn / c.split * byteSize(c.out) <= 512 && beside(1) >= 3;
  return std::clamp<int64_t>(beside(c.staging.value_or(whole ? 1 : 2)), 1, most);
}

/// All of M in a swap, up to what a tile is otherwise: by the 8, of s8 above 32 and beside factors
/// by the 16.
static int64_t fewRows(const GemmConfig &c) {
  const int64_t granule = (c.type == DType::s8 && c.M > 32) || c.blockFactors ? 16 : 8;
  return std::clamp<int64_t>((c.M + granule - 1) / granule * granule, granule, 128);
}

/// Tiles that fill the matrix unit and leave room for the copies in flight. Ascend: 256 deep in L1
/// (the way to L0 splits it), 128 x 128 so that L0C holds two.
static GemmConfig configOf(const Parameters &p, const Arch &arch) {
  bool ascend = isAscend(arch.target);
  auto number = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  GemmConfig c;
  c.type = typeOfA(p), c.typeOfB = typeOfB(p);
  const int64_t ofElement = numbersOf(c.type);
  c.M = p.number("M"), c.N = p.number("N"), c.K = p.number("K") / ofElement;
  c.batched = p.number("batch") > 0;
  c.out = outOf(p);
  if (hasBlockScales(p))
    c.blockFactors = blockFactorsOf(p);
  c.aByColumns = p.text("a") == "col", c.bByColumns = p.text("b") == "col";
  c.swapped = p.text("swap") == "yes";
  c.bm = number("bm", c.swapped ? fewRows(c) : 128), c.bn = number("bn", 128),
  c.bk = number("bk", (ascend ? 256 : 128 / byteSize(c.type)) * ofElement) / ofElement;
  if (const std::string &cluster = p.text("cluster"); cluster != "auto")
    c.grid.cluster = {cluster[0] - '0', cluster[2] - '0'};
  c.grid.pair = p.text("pair") == "yes";
  c.grid.pingpong = p.text("mode") == "pingpong";
  c.grid.loadAhead = p.text("mode") == "pipelined";
  const bool streamed = p.text("mode") == "streamk";
  c.grid.persistent = c.grid.pingpong || streamed || p.text("mode") == "persistent";
  c.grid.dynamic = p.text("dynamic") == "yes";
  const GemmShape tile{c.bm, c.bn, 1, c.grid.cluster[0], c.grid.cluster[1]};
  const int64_t rows = ceilDiv(c.M, c.bm * tile.clusterM);
  c.grid.group = streamed            ? number("group", 0)
                 : c.grid.persistent ? number("group", rowsOfSquare(rows, arch.cores, tile))
                 : ascend            ? number("group", 0)
                                     : 0;
  if (c.batched && c.grid.persistent && !streamed) // row by row, but matrix after matrix
    c.grid.group = std::max<int64_t>(c.grid.group, 1);
  if (streamed)
    c.grid.stream = std::max<int64_t>(rows * ceilDiv(c.N, c.bn * tile.clusterN), 1) *
                    tile.clusterM * tile.clusterN * std::max<int64_t>(p.number("batch"), 1);
  c.split = p.isAuto("split") ? 1 : std::stoll(p.text("split"));
  c.alternate = p.text("steps") == "alternate";
  c.byUnits = p.text("unit") == "yes";
  c.promote = number("promote", 0);
  if (!p.isAuto("staging"))
    c.staging = p.number("staging");
  c.stages = number("stages", stagesThatFit(c, arch, ascend ? 2 : 4));
  c.cacheOfA = policyOf(p, "a_cache"), c.cacheOfB = policyOf(p, "b_cache");
  c.cacheOfC = policyOf(p, "c_cache");
  c.epilogue = epilogueOf(p);
  c.epilogue.swapped = c.swapped, c.epilogue.onVectors = ascend;
  const bool inBoxes = storedInBoxes(c, arch);
  // Shorter tiles would end before it.
  c.pacedStore = inBoxes && c.bm % 64 == 0 && c.K >= 4 * c.bk;
  c.epilogue.pacedResidual =
      inBoxes && mappedInParts(c) && c.K >= 1024; // a box takes about as long as a step along K
  return c;
}

/// What no instruction multiplies, or no epilogue computes.
static std::optional<Error> unsupported(const Parameters &p, const Arch &arch) {
  const std::string dtype = p.text("dtype"), start = "unsupported: gemm dtype=" + dtype;
  const bool small = isFloat(p.dtype("dtype")) && byteSize(p.dtype("dtype")) == 1;
  if (!small && !p.isAuto("b_dtype"))
    return unsupportedError(start + " b_dtype=" + p.text("b_dtype") +
                            ": only floats of 4, 6 and 8 bits are multiplied with each other; "
                            "leave b_dtype at auto");
  if (auto wrong = unsupportedBlockScales(p, arch))
    return wrong;
  if (auto wrong = unsupportedTypes("gemm", p, arch))
    return wrong;
  if (!small && !p.isAuto("promote"))
    return unsupportedError(start + " promote=" + p.text("promote") +
                            ": its sums are exact enough as they are; leave promote at auto");
  for (const char *part : {"epilogue", "residual", "alpha", "beta", "scales"})
    if (const std::string &asked = p.text(part);
        outOf(p) == i32 && asked != "none" && asked != "no")
      return unsupportedError(start + " " + part + "=" + asked +
                              " out=s32: epilogues compute in f32; use out=f16, bf16 or f32");
  return std::nullopt;
}

/// What is computed is C^T: its rows by the 64, its columns by the 8.
static std::optional<Error> wrongSwap(const GemmConfig &c) {
  if (!c.swapped)
    return std::nullopt;
  const GemmEpilogue &e = c.epilogue;
  if (c.batched && (e.scaleOfRow || e.scaleOfCol))
    return unsupportedError("unsupported: gemm swap=yes with scales of a batch; leave swap at no");
  if (c.bm % 8 || c.bm > 256 || c.bn % 64 || c.bn > 256)
    return inputError("gemm swap=yes: bm=" + std::to_string(c.bm) + " bn=" + std::to_string(c.bn) +
                      "; bm is a multiple of 8, bn one of 64, both up to 256");
  return std::nullopt;
}

/// Whether C^T may be planned: where nothing says no, and of single matrices that TMA can move.
static GemmProblem::Swap swapOf(const Parameters &p, const GemmConfig &c) {
  if (c.swapped)
    return GemmProblem::Swap::shall;
  GemmConfig other = c;
  other.swapped = true;
  const bool possible = !wrongSwap(other) && !c.batched && c.promote == 0 && isStoredByTma(c);
  return p.isAuto("swap") && possible ? GemmProblem::Swap::may : GemmProblem::Swap::no;
}

Result<Plan> planOfGemm(const Parameters &p, const Arch &arch) {
  if (auto wrong = unsupported(p, arch))
    return *wrong;
  const GemmConfig c = configOf(p, arch);
  if (isAscend(arch.target))
    return planForAscend(p, c, arch);
  if (auto wrong = wrongSwap(c))
    return *wrong;
  const int64_t size = byteSize(c.type);
  const int64_t products = std::max<int64_t>(p.number("batch"), 1);
  GemmProblem problem{products * c.M,
                      c.N,
                      c.K,
                      c.type,
                      c.out,
                      (c.aByColumns ? c.M : c.K) * size,
                      (c.bByColumns ? c.K : c.N) * size,
                      c.aByColumns,
                      c.bByColumns,
                      swapOf(p, c),
                      c.promote ? 2 : 1,
                      !c.promote && !c.alternate && !c.grid.dynamic};
  if (arch.target == Target::sm_90a)
    return planGemm(problem, arch);
  problem.drawn = c.grid.dynamic;
  problem.block = c.blockFactors ? c.blockFactors->elements() : 0;
  problem.packedA = packedPart(c.type), problem.packedB = packedPart(c.typeOfB);
  problem.held = c.promote || (!c.epilogue.computes() && c.out == sumsOf(c.type));
  return planBlackwellGemm(problem, arch);
}

/// R waits where C does, if C waits as a whole, and comes in time if the role that stores brings
/// it, even for a single tile. Larger tiles of C would leave no room for stages; where CTAs share
/// the steps of a tile, none has several; without a role that loads, none stores.
static Parameters withRoomForResidual(const Parameters &p, const GemmConfig &c) {
  constexpr int64_t most = 65536; // bytes
  if (c.swapped || c.split > 1 || c.grid.loadAhead || c.bm * c.bn * byteSize(c.out) > most)
    return p;
  const Parameters whole = p.number("staging") == 1 || !isStoredByTma(c)
                               ? p
                               : p.with("staging", "1").with("stages", "auto");
  return c.grid.stream ? whole : whole.with("mode", "persistent");
}

/// Ascend cores take tiles in turn.
static std::optional<Error> wrongOrder(const GemmConfig &c, const Arch &arch) {
  if (!c.alternate)
    return std::nullopt;
  if (c.promote)
    return inputError("gemm steps=alternate: promote sums up in order; leave one at auto");
  if (!c.grid.persistent && !isAscend(arch.target))
    return inputError("gemm steps=alternate: a CTA takes one tile; add mode=persistent or "
                      "mode=pingpong, or leave steps at auto");
  return std::nullopt;
}

/// The vector cores take whole tiles.
static std::optional<Error> wrongUnits(const GemmConfig &c, const Arch &arch) {
  if (!c.byUnits)
    return std::nullopt;
  if (!isAscend(arch.target))
    return unsupportedError("gemm unit=yes: units are those of L0C, which is of Ascend's cores; "
                            "leave unit at auto");
  if (c.split > 1)
    return unsupportedError("gemm unit=yes split=" + std::to_string(c.split) +
                            ": the vector cores add the parts up; leave one of them at auto");
  if (c.epilogue.computes())
    return unsupportedError("gemm unit=yes: the vector cores take whole tiles of sums, which they "
                            "finish; leave unit at auto");
  return std::nullopt;
}

/// Tiles are drawn where each CTA takes several, one at a time.
static std::optional<Error> wrongDrawing(const GemmConfig &c) {
  if (!c.grid.dynamic)
    return std::nullopt;
  if (!c.grid.persistent || c.grid.pingpong)
    return inputError("gemm dynamic=yes: tiles are drawn by CTAs that take several, one after the "
                      "other; add mode=persistent, or leave dynamic at auto");
  return std::nullopt;
}

/// CTAs have parts of tiles, and hand on sums for as many tiles as the shape has.
static std::optional<Error> wrongStream(const GemmConfig &c) {
  constexpr int64_t most = 65536;
  if (!c.grid.stream)
    return std::nullopt;
  const std::string start = "unsupported: gemm mode=streamk ";
  if (c.grid.stream > most)
    return unsupportedError(start + "of " + std::to_string(c.grid.stream) + " tiles; " +
                            std::to_string(most) + " are the most, use mode=persistent");
  for (const auto &[asked, what] : {std::pair{c.split > 1, "split"},
                                    {c.grid.group > 0, "group"},
                                    {c.grid.dynamic, "dynamic"},
                                    {c.alternate, "steps=alternate"},
                                    {c.promote > 0, "promote"}})
    if (asked)
      return unsupportedError(start + "beside " + what +
                              ": CTAs take ranges of the steps of all tiles; leave one at auto");
  return std::nullopt;
}

/// Settings of C's way out, and of the order of tiles, that the others leave nothing to do.
static std::optional<Error> withoutEffect(const Parameters &p, const GemmConfig &c,
                                          const Arch &arch) {
  if (c.staging.value_or(0) > 0 && !isStoredByTma(c))
    return unsupportedError("unsupported: gemm staging=" + p.text("staging") + ": rows of C are " +
                            std::to_string(c.N * byteSize(c.out)) +
                            " bytes, and TMA stores such of a multiple of 16; leave staging at "
                            "auto");
  if (!p.isAuto("group") && !c.grid.persistent && !isAscend(arch.target))
    return inputError("gemm group=" + p.text("group") +
                      ": only a CTA with several tiles takes them in groups; add mode=persistent "
                      "or mode=pingpong, or leave group at auto");
  return std::nullopt;
}

/// CTAs that share the steps of a tile each finish a block of its columns, or of rows in a swap.
static std::optional<Error> wrongSplit(const GemmConfig &c) {
  constexpr int64_t granule = 8; // columns
  if (c.split == 1)
    return std::nullopt;
  const std::string start = "gemm split=" + std::to_string(c.split);
  if ((c.split & (c.split - 1)) != 0)
    return inputError(start + ": 2, 4 or 8 CTAs of a cluster share the steps of a tile");
  if (c.grid.persistent)
    return unsupportedError("unsupported: " + start +
                            " in a persistent grid; leave mode at specialised");
  if (c.promote)
    return unsupportedError("unsupported: " + start + " promote=" + std::to_string(c.promote) +
                            ": leave one of them at auto");
  if (const int64_t dealt = c.swapped ? c.bm : c.bn; dealt % (granule * c.split) != 0)
    return inputError(start + (c.swapped ? ": bm=" : ": bn=") + std::to_string(dealt) +
                      " must be a multiple of " + std::to_string(granule * c.split) +
                      ", as each CTA finishes " + (c.swapped ? "rows" : "columns") +
                      " by the eight");
  return std::nullopt;
}

const std::vector<std::string> &plannedOfGemm() {
  static const std::vector<std::string> names = {"bm",   "bn",      "bk",   "stages", "staging",
                                                 "mode", "cluster", "pair", "split",  "group"};
  return names;
}

/// With the settings that the planner puts first: if asked, and but for sm_90a where none is given.
static Result<Parameters> chosen(const Parameters &p, const Arch &arch) {
  const std::vector<std::string> &plannable = plannedOfGemm();
  const bool open = std::ranges::all_of(plannable, [&](auto &name) { return p.isAuto(name); });
  const bool byItself = p.isAuto("plan") && arch.target != Target::sm_90a && open;
  const Parameters asked = p.isAuto("plan") ? p.with("plan", byItself ? "yes" : "no") : p;
  auto with = planned("gemm", asked, plannable, [&] { return planOfGemm(p, arch); });
  if (!with)
    return with.error();
  if (asked.text("plan") == "no" || arch.target != Target::sm_90a || !epilogueOf(p).residual)
    return *with;
  return withRoomForResidual(*with, configOf(*with, arch));
}

Result<Parameters> settledGemm(const Parameters &p, const Arch &arch) {
  auto settled = chosen(p, arch);
  if (!settled)
    return settled.error();
  const GemmConfig c = configOf(*settled, arch);
  Parameters all = settled->with("bm", std::to_string(c.bm))
                       .with("bn", std::to_string(c.bn))
                       .with("bk", std::to_string(c.bk * numbersOf(c.type)))
                       .with("stages", std::to_string(c.stages))
                       .with("plan", "auto");
  return c.grid.persistent ? all.with("group", std::to_string(c.grid.group)) : all;
}

/// What is wrong whatever the settings.
static std::optional<Error> refused(const Parameters &p, const Arch &arch) {
  if (auto wrong = unsupported(p, arch))
    return wrong;
  if (auto wrong = isAscend(arch.target) ? nvidiasAlone(p) : std::nullopt)
    return wrong;
  if (const std::string wrong = wrongEpilogue(epilogueOf(p)); !wrong.empty())
    return inputError(wrong);
  return std::nullopt;
}

Result<GemmConfig> gemmConfig(const Parameters &p, const Arch &arch) {
  if (auto wrong = refused(p, arch))
    return *wrong;
  auto settled = chosen(p, arch);
  if (!settled)
    return settled.error();
  const GemmConfig config = configOf(*settled, arch);
  for (auto wrongIn : {wrongSwap, wrongStream,
                       isAscend(arch.target) ? wrongSplitOfCores : wrongSplit, wrongDrawing})
    if (auto wrong = wrongIn(config))
      return *wrong;
  if (auto wrong = wrongOrder(config, arch))
    return *wrong;
  if (auto wrong = wrongUnits(config, arch))
    return *wrong;
  if (auto wrong = withoutEffect(p, config, arch))
    return *wrong;
  return config;
}

} // namespace sluice
