#include "kernels/Rows.h"

#include "Arch/GemmCosts.h"
#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

namespace sluice::rows {

using namespace lang;

namespace {

constexpr int64_t columnsOfWarp = 256; // whole rows come 8 columns a lane
constexpr int64_t mostBytes = 8704;    // of a row in the registers of a warp
constexpr int64_t warpsOfCta = 8;      // that share a row

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

int64_t teamsOf(const RowsConfig &c) {
  return std::max<int64_t>(c.ctas / ctasOfRow(c), 1);
}

bool isOneTile(const RowsConfig &c) {
  return c.parts == 1 && c.columns * byteSize(c.type) <= mostBytes;
}

int64_t columnsOfRow(const RowsConfig &c) {
  return roundUp(c.columns, columnsOfWarp);
}

/// The most of which a row of pieces has hardly more columns beyond the tensor's than the least
/// that would do.
int64_t columnsOfPiece(const RowsConfig &c, int64_t most) {
  const int64_t columns = std::max<int64_t>(c.columns, 1), least = roundUp(columns, columnsOfWarp);
  int64_t piece = std::min(least, most);
  while (8 * roundUp(columns, piece) > 9 * least)
    piece -= columnsOfWarp;
  return piece;
}

/// Eight, one a warp; four where rows are long, so that a thread has more registers, or where eight
/// leave no room for the stages.
int64_t rowsOfTile(const RowsConfig &c, int64_t columns, int64_t inputs) {
  constexpr int64_t longRow = 4096, room = 220 << 10; // bytes
  const int64_t bytes = columns * byteSize(c.type);
  return bytes <= longRow && 8 * bytes * inputs * c.stages <= room ? 8 : 4;
}

lang::Tensor input(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.input(std::move(name), c.type, 2, linesOf(c));
}

lang::Tensor output(KernelBuilder &k, const RowsConfig &c, std::string name) {
  return k.output(std::move(name), c.type, 2, linesOf(c));
}

static lang::TensorOptions anyColumns(const RowsConfig &c) {
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

lang::Tensor outputOfRows(KernelBuilder &k, std::string name) {
  return k.output(std::move(name), f32, 2);
}

// ---- In the catalogue -------------------------------------------------------------------------

static int64_t partsOf(const Parameters &p) {
  return std::max<int64_t>(p.number("parts"), 1);
}

RowsConfig configOf(const Parameters &p, int64_t cores) {
  return {p.dtype("dtype"),    p.number("cols"),
          p.number("stages"),  p.isAuto("ctas") ? cores : p.number("ctas"),
          p.number("staging"), partsOf(p),
          p.number("pad")};
}

/// A cluster lies within a GPC: beyond pairs some SMs stay idle.
static int64_t coresFor(int64_t ctasOfRow, const Arch &arch) {
  return ctasOfRow > 2 && arch.gemm ? arch.gemm->coresOfClusters : arch.cores;
}

RowsConfig configOf(const Parameters &p, const Arch &arch) {
  return configOf(p, coresFor(partsOf(p) / warpsOfCta, arch));
}

static Result<Parameters> settle(const Parameters &p, const Arch &arch) {
  return p.with("ctas", std::to_string(configOf(p, arch).ctas));
}

KernelEntry entryOf(std::string name, std::string summary, std::vector<std::string> tensors,
                    std::vector<std::string> vectors) {
  KernelEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.targets = {Target::sm_90a};
  entry.parameters = {
      {"rows", "33", "rows", {}, 0, int64_t{1} << 30, true},
      {"cols", "4096", "columns", {}, 1, 1 << 24},
      {"stages", "4", "tiles in flight", {}, 1, 16},
      {"ctas", "auto", "most CTAs; auto: as many as SMs", {}, 1, 1 << 16},
      {"staging", "auto", "1: results replace loaded tiles, and a role stores them", {"0", "1"}},
      {"dtype", "bf16", "element type", {"f16", "bf16", "f32"}},
      {"parts", "auto", "warps that share a row, of tensors rows x parts x cols / parts", {"1"}},
      {"pad", "0", "elements between the rows of tensors of rows x cols", {}, 0, 1 << 20},
  };
  std::vector<TensorShape> shapes;
  for (std::string &tensor : tensors)
    shapes.push_back({std::move(tensor), {"rows", "cols"}});
  for (std::string &vector : vectors)
    shapes.push_back({std::move(vector), {"1", "cols"}});
  entry.shapes = [shapes](const Parameters &) { return shapes; };
  entry.settle = settle;
  return entry;
}

/// Whether a tensor has the columns of a row, and not a number for each.
static bool isOfColumns(const TensorShape &shape) {
  return shape.extents[1] == "cols";
}

/// The same numbers in rows of `columns`, of tensors that have those of a row.
static void inRowsOf(int64_t columns, const std::vector<TensorShape> &shapes, Matrices &matrices) {
  for (const TensorShape &shape : shapes)
    if (auto at = matrices.find(shape.tensor); at != matrices.end() && isOfColumns(shape)) {
      const int64_t size = at->second.size() / std::max<int64_t>(columns, 1);
      at->second = Matrix(Eigen::Map<const Matrix>(at->second.data(), size, columns));
    }
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

void setParts(KernelEntry &entry) {
  for (Parameter &parameter : entry.parameters)
    if (parameter.name == "parts")
      parameter.choices = {"1", "8", "16", "32", "64"};
  const auto lines = entry.shapes;
  entry.shapes = [lines](const Parameters &p) {
    std::vector<TensorShape> shapes = lines(p);
    if (const int64_t parts = partsOf(p); parts > 1)
      for (TensorShape &shape : shapes)
        if (isOfColumns(shape))
          shape.extents = {shape.extents[0], p.text("parts"),
                           std::to_string(p.number("cols") / parts)};
    return shapes;
  };
  const auto build = entry.build;
  entry.build = [build, name = entry.name](const Parameters &p,
                                           const Arch &arch) -> Result<Kernel> {
    if (p.number("cols") % partsOf(p))
      return inputError(name + " cols=" + p.text("cols") + " parts=" + p.text("parts") +
                        ": parts of a row have equally many columns");
    return build(p, arch);
  };
  const auto reference = entry.reference;
  entry.reference = [reference, lines](const Parameters &p,
                                       const Matrices &in) -> Result<Matrices> {
    Matrices whole = in;
    inRowsOf(p.number("cols"), lines(p), whole);
    Result<Matrices> out = reference(p, whole);
    if (out)
      inRowsOf(p.number("cols") / partsOf(p), lines(p), *out);
    return out;
  };
  if (const auto host = entry.hostReference)
    entry.hostReference = [host](const Parameters &p) {
      return partsOf(p) > 1 ? HostReference() : host(p);
    };
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

void setPlan(KernelEntry &entry, std::function<RowsProblem(const Parameters &)> kind) {
  entry.parameters.push_back(planParameter());
  entry.chosen = {"parts", "staging"};
  entry.plan = [kind](const Parameters &p, const Arch &arch) -> Result<Plan> {
    const RowsConfig c = configOf(p, arch);
    RowsProblem problem = kind(p);
    problem.rows = p.number("rows");
    problem.columns = c.columns;
    problem.type = c.type;
    problem.stages = c.stages;
    problem.ctas = c.ctas;
    return planRows(problem, arch);
  };
  // Extents of tensors follow from what is chosen, on every machine alike.
  const auto chosen = [name = entry.name, names = entry.chosen,
                       plan = entry.plan](const Parameters &p) -> Result<Parameters> {
    auto with = planned(name, p, names, [&] { return plan(p, defaultArch(Target::sm_90a)); });
    return with ? with->with("plan", "no") : with;
  };
  const auto orAsGiven = [chosen](const Parameters &p) {
    auto with = chosen(p);
    return with ? *with : p;
  };
  entry.build = [chosen, build = entry.build](const Parameters &p,
                                              const Arch &arch) -> Result<Kernel> {
    auto with = chosen(p);
    return with ? build(*with, arch) : with.error();
  };
  entry.settle = [chosen, settle = entry.settle](const Parameters &p,
                                                 const Arch &arch) -> Result<Parameters> {
    auto with = chosen(p);
    return with ? settle(with->with("parts", std::to_string(partsOf(*with)))
                             .with("staging", std::to_string(with->number("staging"))),
                         arch)
                : with;
  };
  entry.shapes = [orAsGiven, shapes = entry.shapes](const Parameters &p) {
    return shapes(orAsGiven(p));
  };
  entry.reference = [orAsGiven, reference = entry.reference](const Parameters &p,
                                                             const Matrices &in) {
    return reference(orAsGiven(p), in);
  };
  entry.hostReference = [orAsGiven, host = entry.hostReference](const Parameters &p) {
    return host(orAsGiven(p));
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
