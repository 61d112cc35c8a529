#include "kernels/Rows.h"

#include "Arch/GemmCosts.h"
#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

#include <algorithm>

namespace sluice::rows {

using namespace lang;

namespace {

constexpr int64_t mostBytes = 8704; // of a row in the registers of a warp
constexpr int64_t warpsOfCta = 8;   // that share a row

int64_t roundUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

/// So many columns in every launch: which of a tile are there is known where it is printed.
lang::TensorOptions linesOf(const RowsConfig &c) {
  return {.align = alignmentOf(c.columns + c.pad, c.type), .extents = {anyExtent, c.columns}};
}

} // namespace

int64_t ctasOfRow(const RowsConfig &c) {
  return std::max<int64_t>(c.parts / warpsOfCta, 1);
}

int64_t partsOfCta(const RowsConfig &c) {
  return std::min(c.parts, warpsOfCta);
}

int64_t columnsOfPart(const RowsConfig &c) {
  return sluice::columnsOfPart(c.columns, c.parts, c.type);
}

bool hasShortParts(const RowsConfig &c) {
  return columnsOfPart(c) * c.parts != c.columns;
}

int64_t teamsOf(const RowsConfig &c) {
  return std::max<int64_t>(c.ctas / ctasOfRow(c), 1);
}

lang::StoreOptions storesOf(const RowsConfig &c) {
  return c.onChip ? lang::StoreOptions{} : staging(c.staging);
}

lang::GridOptions gridOf(const RowsConfig &c) {
  return {.ctasPerSm = c.perSm};
}

lang::Index teamsFor(KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks) {
  return k.name(c.share ? ceilDiv(blocks, c.share) : min(blocks, teamsOf(c)),
                ctasOfRow(c) > 1 ? "clusters" : "ctas");
}

Share sideBySide(KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks,
                 const lang::Index &team) {
  const lang::Index first = k.name(team * c.share, "first");
  return {first, 1, k.name(min(blocks - first, c.share), "mine")};
}

Share shareOf(KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks,
              const lang::Index &team, const lang::Index &teams) {
  if (c.share)
    return sideBySide(k, c, blocks, team);
  return {team, teams, k.name(ceilDiv(blocks - team, teams), "mine")};
}

Pieces piecesOf(KernelBuilder &k, const lang::Tensor &x, int64_t rows, int64_t columns) {
  const lang::Index across = k.name(ceilDiv(x.dim(1), columns), "across");
  return {across, k.name(ceilDiv(x.dim(0), rows), "blocks")};
}

bool isOneTile(const RowsConfig &c) {
  return c.onChip || (c.parts == 1 && c.columns * byteSize(c.type) <= mostBytes);
}

int64_t columnsOfRow(const RowsConfig &c) {
  return c.onChip ? columnsForVectors(c.columns, c.columns + columnsOfWarp)
                  : roundUp(c.columns, columnsOfWarp);
}

int64_t columnsOfPiece(const RowsConfig &c, int64_t most) {
  return c.onChip ? columnsForVectors(c.columns, most) : sluice::columnsOfPiece(c.columns, most);
}

RowsConfig byLines(RowsConfig c, int64_t most) {
  if (c.line)
    c.columns = most, c.pad = 0;
  return c;
}

RowsConfig byLinesOfRows(RowsConfig c, int64_t most) {
  if (!c.line)
    return c;
  c.rowOfLine = c.columns;
  c.columns *= rowsOfLine(c.columns, c.type, most), c.pad = 0;
  return c;
}

int64_t rowsOfTile(const RowsConfig &c, int64_t columns, int64_t inputs, bool stored) {
  if (c.tileRows)
    return c.tileRows;
  if (c.onChip)
    return rowsForVectors(c, columns, inputs, stored);
  const bool aligned = (c.columns + c.pad) * byteSize(c.type) % 16 == 0;
  const int64_t size = byteSize(c.type);
  const int64_t registers = c.sums ? registersOfRow(columns, inputs * size, c.sums) : 0;
  return sluice::rowsOfTile(columns * size, inputs, c.stages, {stored, aligned, registers});
}

lang::Tensor input(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.input(std::move(name), c.type, 2, linesOf(c));
}

lang::Tensor output(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.output(std::move(name), c.type, 2, linesOf(c));
}

static lang::TensorOptions anyColumns(const RowsConfig &c) {
  if (c.line)
    return {.align = 16, .extents = {anyExtent, c.columns}, .line = true};
  return {.align = alignmentOf(c.columns + c.pad, c.type)};
}

lang::Tensor inputOfPieces(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.input(std::move(name), c.type, 2, anyColumns(c));
}

lang::Tensor outputOfPieces(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.output(std::move(name), c.type, 2, anyColumns(c));
}

lang::Tensor vector(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.input(std::move(name), c.type, 2, {.align = 16, .extents = {1, c.columns}});
}

static lang::TensorOptions numbersOf(const RowsConfig &c) {
  return c.onChip ? oneForEachRow(2) : lang::TensorOptions{};
}

lang::Tensor inputOfRows(KernelBuilder &k, const RowsConfig &c, std::string name, DType type) {
  return k.input(std::move(name), type, 2, numbersOf(c));
}

lang::Tensor outputOfRows(KernelBuilder &k, const RowsConfig &c, std::string name, DType type) {
  return k.output(std::move(name), type, 2, numbersOf(c));
}

// ---- In the catalogue -------------------------------------------------------------------------

static int64_t partsOf(const Parameters &p) {
  return std::max<int64_t>(p.number("parts"), 1);
}

static bool isLine(const Parameters &p) {
  return p.has("line") && p.text("line") == "yes";
}

static int64_t stagesOf(const Parameters &p) {
  if (!p.isAuto("stages"))
    return p.number("stages");
  const int64_t element = byteSize(p.dtype("dtype"));
  return isLine(p) ? stagesOfStaying(mostOfPiece(p.dtype("dtype")), 0, element, mostBytes)
                   : stagesOfStaying(p.number("cols"), p.number("pad"), element, mostBytes);
}

RowsConfig configOf(const Parameters &p, int64_t cores) {
  RowsConfig c = {p.dtype("dtype"),
                  p.number("cols"),
                  stagesOf(p),
                  p.isAuto("ctas") ? cores : p.number("ctas"),
                  p.number("staging"),
                  partsOf(p),
                  p.number("pad"),
                  p.number("share"),
                  0,
                  std::max<int64_t>(p.number("per_sm"), 1),
                  p.text("dynamic") == "yes",
                  isLine(p)};
  c.tileRows = p.has("height") ? p.number("height") : 0;
  return c;
}

/// A cluster lies within a GPC: beyond pairs some SMs stay idle.
static int64_t coresFor(int64_t ctasOfRow, const Arch &arch) {
  return ctasOfRow > 2 && arch.gemm ? arch.gemm->coresOfClusters : arch.cores;
}

RowsConfig configOf(const Parameters &p, const Arch &arch) {
  const int64_t perSm = p.number("share") ? 1 : std::max<int64_t>(p.number("per_sm"), 1);
  RowsConfig c = configOf(p, perSm * coresFor(partsOf(p) / warpsOfCta, arch));
  if (!isAscend(arch.target))
    return c;
  c.onChip = arch.ubBytes;
  c.stages = 2;
  return c;
}

static Result<Parameters> settle(const Parameters &p, const Arch &arch) {
  const RowsConfig c = configOf(p, arch);
  return p.with("ctas", std::to_string(c.ctas)).with("stages", std::to_string(c.stages));
}

Parameter typeParameter(std::string help) {
  return {"dtype", "bf16", std::move(help), {"f16", "bf16", "f32"}};
}

KernelEntry entryWith(std::string name, std::string summary, std::vector<Parameter> parameters) {
  KernelEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = std::move(parameters);
  return entry;
}

KernelEntry entryOf(std::string name, std::string summary, std::vector<std::string> tensors,
                    std::vector<std::string> vectors) {
  KernelEntry entry = entryWith(
      std::move(name), std::move(summary),
      {
          {"rows", "33", "rows", {}, 0, int64_t{1} << 30, true},
          {"cols", "4096", "columns", {}, 1, 1 << 24},
          {"stages",
           "auto",
           "tiles in flight, 0: threads load to registers; auto: as planned, else 4, or 3 of long "
           "rows that start anywhere",
           {},
           0,
           16},
          {"ctas", "auto", "most CTAs that stay; auto: as many as SMs", {}, 1, 1 << 16},
          {"staging",
           "auto",
           "1: results replace loaded tiles, and a role stores them",
           {"0", "1"}},
          typeParameter(),
          {"parts", "auto", "warps that share a row: 8 of a CTA, more of a cluster", {"1"}},
          {"pad", "0", "elements between the rows of tensors of rows x cols", {}, 0, 1 << 20},
          {"share",
           "auto",
           "blocks of rows that a CTA takes; 0: it stays to the last; auto: as planned, or 0",
           {},
           0,
           1 << 16},
          {"per_sm",
           "auto",
           "CTAs that an SM has room for at once; auto: as planned, or 1",
           {},
           1,
           32},
          {"height",
           "auto",
           "rows of a tile where threads load and a warp has each row; auto: as planned, or 8",
           {"8", "16", "32"}},
          {"dynamic",
           "auto",
           "yes: CTAs that share rows and stay draw them from a counter; auto: as planned, or no",
           {"no", "yes"}},
      });
  std::vector<TensorShape> shapes;
  for (std::string &tensor : tensors)
    shapes.push_back({std::move(tensor), {"rows", "cols"}});
  for (std::string &vector : vectors)
    shapes.push_back({std::move(vector), {"1", "cols"}});
  entry.shapes = [shapes](const Parameters &) { return shapes; };
  entry.settle = settle;
  return entry;
}

Parameter &parameterOf(KernelEntry &entry, const std::string &name) {
  return *std::ranges::find(entry.parameters, name, &Parameter::name);
}

KernelEntry padded(KernelEntry entry) {
  entry.shapes = [shapes = entry.shapes](const Parameters &p) {
    std::vector<TensorShape> all = shapes(p);
    for (TensorShape &shape : all)
      if (shape.extents.front() == "rows" && shape.extents.back() != "1")
        shape.pad = p.number("pad");
    return all;
  };
  return entry;
}

void setLine(KernelEntry &entry) {
  entry.parameters.push_back({"line",
                              "auto",
                              "yes: rows that lie side by side are one line of numbers, whatever "
                              "the columns; auto: as planned, or no",
                              {"no", "yes"}});
}

void setUsualStages(KernelEntry &entry, int64_t stages) {
  const auto withStages = [text = std::to_string(stages)](const Parameters &p) {
    return p.isAuto("stages") ? p.with("stages", text) : p;
  };
  parameterOf(entry, "stages").help =
      "tiles in flight; auto: as planned, else " + std::to_string(stages);
  entry.build = [withStages, build = entry.build](const Parameters &p, const Arch &arch) {
    return build(withStages(p), arch);
  };
  entry.settle = [withStages, settle = entry.settle](const Parameters &p, const Arch &arch) {
    return settle(withStages(p), arch);
  };
}

void setParts(KernelEntry &entry) {
  parameterOf(entry, "parts").choices = {"1", "8", "16", "32", "64"};
}

static std::vector<int64_t> labelsOf(const Parameters &p, uint64_t seed) {
  std::vector<int64_t> labels(static_cast<size_t>(p.number("rows")));
  uint64_t state = seed;
  for (int64_t &label : labels) {
    state = state * 6364136223846793005 + 1442695040888963407;
    label = static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(p.number("cols")));
  }
  return labels;
}
static std::string wrongLabels(const Parameters &p, const std::vector<int64_t> &labels) {
  for (const int64_t label : labels)
    if (label < 0 || label >= p.number("cols"))
      return "label " + std::to_string(label) + " is no column: 0 to " +
             std::to_string(p.number("cols") - 1);
  return "";
}

void setLabels(KernelEntry &entry) {
  entry.steering = {{"labels", labelsOf, wrongLabels,
                     [](const Parameters &) { return std::string("(i * 7919 + 13) % cols"); }}};
}

LoadedRows loadedWhereShort(const Parameters &p) {
  const bool isShort = p.number("cols") <= 2 * columnsOfWarp && byteSize(p.dtype("dtype")) == 2;
  return isShort ? LoadedRows::chosen : LoadedRows::inRings;
}

Plan planOf(RowsProblem problem, const Parameters &p, const Arch &arch) {
  const RowsConfig c = configOf(p, arch);
  problem.rows = p.number("rows");
  problem.columns = c.columns;
  problem.pad = c.pad;
  problem.type = c.type;
  problem.stages = p.number("stages");
  if (!p.isAuto("stages") && (c.stages == 0 || c.stages != problem.usual))
    problem.loaded = c.stages ? LoadedRows::inRings : LoadedRows::byThreads;
  problem.share = !p.isAuto("share") ? c.share : p.isAuto("ctas") ? -1 : 0;
  problem.ctas = p.isAuto("ctas") ? 0 : c.ctas;
  problem.perSm = p.number("per_sm");
  problem.draws = problem.draws && p.text("dynamic") != "no";
  problem.most = mostBytes;
  if (p.has("height") && !p.isAuto("height"))
    problem.height = c.tileRows, problem.loaded = LoadedRows::byThreads;
  if (p.has("line") && p.text("line") != "no")
    problem.line = isLine(p) ? AsLine::always : AsLine::chosen;
  return planRows(problem, arch);
}

/// Who draws rows, in a kernel that asks for nothing a row ahead and adds up nothing over rows.
static std::optional<Error> wrongDraws(const std::string &name, const Parameters &p,
                                       const RowsProblem &problem) {
  const bool can = problem.clusters && !problem.sums && problem.visits == 2;
  const int64_t bytes = p.number("cols") * byteSize(p.dtype("dtype"));
  const bool ofWarps = problem.draws && problem.visits == 1 && p.number("parts") <= 1;
  if (p.text("dynamic") != "yes" ||
      (p.number("share") == 0 &&
       ((can && p.number("parts") >= warpsOfCta) || (ofWarps && bytes <= mostBytes))))
    return std::nullopt;
  return inputError(name + " dynamic=yes" +
                    (can ? " parts=" + p.text("parts") + " share=" + p.text("share") +
                               ": CTAs that share rows and stay draw them; give parts=8 or more too"
                         : std::string(": its rows are not drawn; leave dynamic out")));
}

bool isPlanned(const Parameters &p) {
  return p.text("plan") == "yes" || (p.isAuto("plan") && p.isAuto("parts") && p.isAuto("staging"));
}

/// Tiles of more rows than warps are of rows that threads load.
static std::optional<Error> wrongHeight(const std::string &name, const Parameters &p,
                                        const Arch &arch) {
  if (p.isAuto("height"))
    return std::nullopt;
  const std::string start = name + " height=" + p.text("height");
  if (isAscend(arch.target))
    return unsupportedError(start + ": a tile on Ascend has the rows that fit");
  const bool rings = p.isAuto("stages") ? !isPlanned(p) : p.number("stages") > 0;
  if (rings || p.number("parts") > 1)
    return inputError(start + ": of rows that threads load, a warp each; give stages=0, and parts "
                              "at auto, or 1");
  return std::nullopt;
}

/// CTAs that end are as many as there are shares.
static std::optional<Error> wrongShare(const std::string &name, const Parameters &p) {
  if (p.number("share") == 0 || p.isAuto("ctas"))
    return std::nullopt;
  return inputError(name + " share=" + p.text("share") + " ctas=" + p.text("ctas") +
                    ": CTAs that take a share end, and are as many as there are shares; leave "
                    "either at auto");
}

/// Why lines of several rows, beside what all rows share, are not so; empty: they are.
static std::string wrongRowsOfLine(const Parameters &p) {
  if (p.number("cols") < leastInLine)
    return " cols=" + p.text("cols") + ": beside what all rows share rows of a line have " +
           std::to_string(leastInLine) + " columns or more";
  const bool planned = isPlanned(p) && p.isAuto("share");
  const bool byThreads = !p.isAuto("stages") && p.number("stages") == 0;
  if (!byThreads && (!p.isAuto("ctas") || (p.number("share") == 0 && !planned)))
    return ": CTAs that stay would load what all rows share for each tile; give share, and no ctas";
  return "";
}

/// Rows that are one line lie side by side, and TMA does not end where they do.
static std::optional<Error> wrongLine(const std::string &name, const Parameters &p,
                                      const Arch &arch, const RowsProblem &problem) {
  if (!isLine(p))
    return std::nullopt;
  const std::string start = name + " line=yes";
  if (isAscend(arch.target))
    return unsupportedError(start + ": lines are of the NVIDIA targets");
  if (p.number("pad"))
    return inputError(start + " pad=" + p.text("pad") +
                      ": rows with elements between them are no line of numbers");
  if (p.number("staging"))
    return inputError(start + " staging=1: a line may end anywhere, and TMA stores multiples of 16 "
                              "bytes; leave staging at auto, or 0");
  const std::string why = problem.vectors ? wrongRowsOfLine(p) : "";
  return why.empty() ? std::nullopt : std::optional(inputError(start + why));
}

/// Extents of sums follow from who holds a row, and are the same on every machine: as the default
/// one's plan has it. Who stores rows that warps share is the machine's own choice.
static Result<Plan> planOfSums(const decltype(KernelEntry::plan) &plan, const Parameters &p,
                               const Arch &arch) {
  auto common = plan(p, defaultArch(Target::sm_90a)), own = plan(p, arch);
  if (!common || !own)
    return common;
  const auto partsOf = [](const PlanCandidate &candidate) {
    return candidate.settings.substr(0, candidate.settings.find(' '));
  };
  const std::string parts = partsOf(common->candidates.front());
  std::erase_if(own->candidates,
                [&](const PlanCandidate &candidate) { return partsOf(candidate) != parts; });
  return parts == "parts=1" || own->candidates.empty() ? common : own;
}

void setPlan(KernelEntry &entry, std::function<RowsProblem(const Parameters &)> kind,
             std::string instead) {
  entry.parameters.push_back({"plan",
                              "auto",
                              "parts, staging, stages and share as sluice plan puts them first; "
                              "auto: where parts and staging are auto; no: for what is auto "
                              "parts=1 staging=0 stages=4 share=0",
                              {"no", "yes"}});
  entry.chosen = {"parts", "staging"};
  const auto wrongOf = [kind, name = entry.name](const Parameters &p,
                                                 const Arch &arch) -> std::optional<Error> {
    if (auto wrong = wrongLine(name, p, arch, kind(p)))
      return wrong;
    if (auto wrong = wrongHeight(name, p, arch))
      return wrong;
    if (isAscend(arch.target))
      return std::nullopt;
    if (auto wrong = wrongShare(name, p))
      return wrong;
    return wrongDraws(name, p, kind(p));
  };
  entry.plan = [kind, instead, wrongOf, name = entry.name](const Parameters &p,
                                                           const Arch &arch) -> Result<Plan> {
    if (isAscend(arch.target))
      return unsupportedError(name + ": rows are not planned for Ascend yet");
    if (auto wrong = wrongOf(p, arch))
      return *wrong;
    Plan plan = planOf(kind(p), p, arch);
    if (plan.candidates.empty())
      return unsupportedError(name + " cols=" + p.text("cols") + ": " +
                              plan.rejected.back().reason + instead);
    return plan;
  };
  const auto chosen = [name = entry.name, plan = entry.plan, kind,
                       wrongOf](const Parameters &p, const Arch &arch) -> Result<Parameters> {
    if (auto wrong = wrongOf(p, arch))
      return *wrong;
    if (isAscend(arch.target))
      return p;
    if (!isPlanned(p))
      return p;
    auto with = planned(name, p, {"parts", "staging"},
                        [&] { return kind(p).sums ? planOfSums(plan, p, arch) : plan(p, arch); });
    return with ? with->with("plan", "auto") : with;
  };
  const auto orAsGiven = [chosen](const Parameters &p) {
    auto with = chosen(p, defaultArch(Target::sm_90a));
    return with ? *with : p;
  };
  entry.build = [chosen, build = entry.build](const Parameters &p,
                                              const Arch &arch) -> Result<Kernel> {
    auto with = chosen(p, arch);
    return with ? build(*with, arch) : with.error();
  };
  entry.settle = [chosen, settle = entry.settle](const Parameters &p,
                                                 const Arch &arch) -> Result<Parameters> {
    auto with = chosen(p, arch);
    if (!with)
      return with;
    if (with->has("line"))
      *with = with->with("line", isLine(*with) ? "yes" : "no");
    return settle(with->with("parts", std::to_string(partsOf(*with)))
                      .with("staging", std::to_string(with->number("staging")))
                      .with("share", std::to_string(with->number("share")))
                      .with("per_sm", std::to_string(std::max<int64_t>(with->number("per_sm"), 1)))
                      .with("dynamic", with->text("dynamic") == "yes" ? "yes" : "no"),
                  arch);
  };
  // Sums have a line for each row of a tile, which follows from who holds one.
  entry.shapes = [orAsGiven, shapes = entry.shapes](const Parameters &p) {
    return shapes(orAsGiven(p));
  };
  entry.reference = [orAsGiven, reference = entry.reference](const Parameters &p,
                                                             const Matrices &in) {
    return reference(orAsGiven(p), in);
  };
}

void setReference(KernelEntry &entry, std::string output,
                  std::function<Matrix(const Matrices &)> compute, std::string element,
                  std::string terms) {
  entry.reference = [output, compute](const Parameters &, const Matrices &in) -> Result<Matrices> {
    return Matrices{{output, compute(in)}};
  };
  entry.hostReference = [output, element, terms](const Parameters &) -> HostReference {
    return {output, element, terms,
            "double(" + output + ".extent(0)) * double(" + output + ".extent(1))"};
  };
}

} // namespace sluice::rows
