// The way back through norms along rows. Gradients of weight and bias are sums over all rows: each
// CTA adds up its rows in registers, and stores what these are (see SumsOverRows).
#include "kernels/Visits.h"

#include <algorithm>

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t ctasByDefault = 132;
constexpr int64_t mostHeld = 4096; // bytes of a part of a row

using rows::Visits;

const auto plus = [](Element a, Element b) { return a + b; };

/// dW, and dB beside it.
int64_t sumsOf(bool centred) {
  return centred ? 2 : 1;
}

/// Whether a CTA has whole rows, and registers for what it adds up.
bool addsUpWeights(const RowsConfig &c) {
  const int64_t part = rows::columnsOfPart(c) * byteSize(c.type);
  return rows::isOneTile(c) || (c.parts > 1 && part <= mostHeld);
}

/// Both folds are one exchange.
RowsProblem problemOf(int64_t sums) {
  return {.inputs = 2,
          .vectors = 1,
          .folds = 1,
          .clusters = sums > 0,
          .sums = sums,
          .whole = {mostHeld, mostHeld}};
}

/// Whether a thread has registers for the sums beside its columns of a row.
bool hasRegisters(const RowsConfig &c, bool centred) {
  return c.parts > 1 || registersOfRow(rows::columnsOfRow(c), 2 * byteSize(c.type),
                                       sumsOf(centred)) <= registersOfWarp;
}

/// Whether the kernel adds up dW: of rows that are held, where that is left to it.
bool hasWeights(const Parameters &p, bool centred) {
  if (!p.isAuto("weights"))
    return p.text("weights") == "yes";
  if (!rows::isPlanned(p)) {
    const RowsConfig c = rows::configOf(p, ctasByDefault);
    return addsUpWeights(c) && hasRegisters(c, centred);
  }
  RowsProblem problem = problemOf(sumsOf(centred));
  problem.spills = false;
  return !rows::planOf(problem, p, defaultArch(Target::sm_90a)).candidates.empty();
}

/// With the sums that the kernel adds up.
RowsConfig withSums(RowsConfig c, const Parameters &p, bool centred) {
  c.sums = hasWeights(p, centred) ? sumsOf(centred) : 0;
  return c;
}

constexpr const char *insteadOfWeights = "; weights=no, and dW by norm_weights_backward";

/// With N = (X - mean) rstd and G = dY W: dX = rstd (G - mean(G) - N mean(G N)), without mean and
/// mean(G) unless `centred`. mean and rstd are those that the forward kernel saves. dW: sums of
/// dY N over the rows of a CTA, dB: of dY.
class NormBackward {
public:
  NormBackward(KernelBuilder &k, const RowsConfig &c, bool centred, bool weights)
      : k_(k), c_(c), visits_(k, c, 4, mostHeld, /*tiles=*/true) {
    visits_.input("X"), visits_.input("dY"), visits_.vector("W");
    if (centred)
      mean_ = rows::inputOfRows(k, c, "mean");
    rstd_ = rows::inputOfRows(k, c, "rstd"), dX_ = visits_.output("dX");
    if (weights)
      dW_ = visits_.linesOfSums("dW");
    if (weights && centred)
      dB_ = visits_.linesOfSums("dB");
  }

  void build() {
    if (asksAhead()) { // else there are no registers for two blocks' numbers
      scale_ = visits_.numbersAhead(*rstd_, "scale");
      middle_ = mean_ ? visits_.numbersAhead(*mean_, "middle") : scale_;
    }
    if (!dW_)
      return visits_.eachBlock([&] { block(); });
    visits_.everyCta([&] { begin(); }, [&] { block(); }, [&] { end(); });
  }

private:
  /// Numbers of the next row, while warps share this one.
  bool asksAhead() const { return visits_.shares(); }

  Element normal(const Element &x, const Element &middle, const Element &scale) const {
    return (mean_ ? cast(x, f32) - middle : cast(x, f32)) * scale;
  }
  void begin() {
    weight_ = visits_.zeros("weight");
    if (dB_)
      bias_ = visits_.zeros("bias");
  }
  void end() {
    visits_.storeSums(*weight_, *dW_);
    if (dB_)
      visits_.storeSums(*bias_, *dB_);
  }

  void block() {
    if (!asksAhead()) {
      scale_ = visits_.numbersOf(*rstd_, "scale");
      middle_ = mean_ ? visits_.numbersOf(*mean_, "middle") : scale_; // not read without
    }
    Tile ownAlong = visits_.numbers(0, "own_along"), ownShift = ownAlong;
    if (mean_)
      ownShift = visits_.numbers(0, "own_shift");
    visits_.first([&](const Visits::Tiles &in, const lang::Index &column) {
      addUp(in[0], in[1], visits_.vectorsAt(column)[0], ownAlong, ownShift);
    });
    const auto [along, shift] = joined(ownAlong, ownShift);
    visits_.second([&](const Visits::Tiles &in, const Visits::Tiles &w, const lang::Index &column) {
      Tile dx = gradient(in[0], in[1], w[0], along, shift);
      // Slots are handed back first where registers allow: the fence there waits for stores too.
      if (dW_ && asksAhead())
        addWeights(in[0], in[1]);
      visits_.store(dx, *dX_, column);
      if (dW_ && !asksAhead())
        addWeights(in[0], in[1]);
    });
  }
  /// Of whole rows, in one exchange.
  std::pair<Tile, Tile> joined(const Tile &along, const Tile &shift) {
    if (!mean_ || !visits_.shares()) {
      Tile all = visits_.joined(along, 0, plus, "along");
      return {all, mean_ ? shift : all};
    }
    const Visits::Tiles all = visits_.ofAllParts({along, shift});
    return {k_.reduce(all[0], 1, 0, plus, "along"), k_.reduce(all[1], 1, 0, plus, "shift")};
  }
  /// G N and G, along rows.
  void addUp(const Tile &x, const Tile &dy, const Tile &w, const Tile &along, const Tile &shift) {
    Tile g = k_.map(
        {dy, w}, f32, [](auto dy, auto w) { return cast(dy, f32) * cast(w, f32); }, "g");
    Tile gn = k_.map(
        {g, x, *middle_, *scale_}, f32,
        [&](auto g, auto x, auto middle, auto scale) { return g * normal(x, middle, scale); },
        "gn");
    k_.update(along, {along, k_.rowSum(gn)}, plus);
    if (mean_)
      k_.update(shift, {shift, k_.rowSum(g)}, plus);
  }
  Tile gradient(const Tile &x, const Tile &dy, const Tile &w, const Tile &along,
                const Tile &shift) {
    const Element part(1.0 / double(c_.columns));
    return k_.map(
        {x, dy, w, *middle_, *scale_, along, shift}, c_.type,
        [&](auto x, auto dy, auto w, auto middle, auto scale, auto along, auto shift) {
          const Element g = cast(dy, f32) * cast(w, f32);
          const Element less = normal(x, middle, scale) * (along * part);
          return (mean_ ? g - shift * part - less : g - less) * scale;
        },
        "dx");
  }
  void addWeights(const Tile &x, const Tile &dy) {
    k_.update(*weight_, {*weight_, x, dy, *middle_, *scale_},
              [&](auto sum, auto x, auto dy, auto middle, auto scale) {
                return sum + cast(dy, f32) * normal(x, middle, scale);
              });
    if (dB_)
      k_.update(*bias_, {*bias_, dy}, [](auto sum, auto dy) { return sum + cast(dy, f32); });
  }

  KernelBuilder &k_;
  const RowsConfig &c_;
  Visits visits_;
  std::optional<lang::Tensor> mean_, rstd_, dX_, dW_, dB_;
  std::optional<Tile> weight_, bias_, middle_, scale_;
};

Result<Kernel> buildNormBackward(const RowsConfig &c, bool centred, bool weights) {
  KernelBuilder k(centred ? "layernorm_backward" : "rmsnorm_backward");
  NormBackward(k, c, centred, weights).build();
  return k.build();
}

/// Lines of sums: one for each row of the tile of each CTA.
int64_t rowsOfTile(const RowsConfig &c) {
  return c.parts > 1 ? 1 : rows::rowsOfTile(c, rows::columnsOfRow(c), 2);
}

std::vector<TensorShape> shapesOf(const Parameters &p, bool centred) {
  std::vector<TensorShape> shapes = {{"X", {"rows", "cols"}},
                                     {"dY", {"rows", "cols"}},
                                     {"W", {"1", "cols"}},
                                     {"rstd", {"rows", "1"}},
                                     {"dX", {"rows", "cols"}}};
  if (centred)
    shapes.push_back({"mean", {"rows", "1"}});
  const RowsConfig c = withSums(rows::configOf(p, ctasByDefault), p, centred);
  const std::string lines = std::to_string(rows::teamsOf(c) * rowsOfTile(c));
  if (hasWeights(p, centred))
    shapes.push_back({"dW", {lines, "cols"}});
  if (hasWeights(p, centred) && centred)
    shapes.push_back({"dB", {lines, "cols"}});
  return shapes;
}

Matrices referenceOf(const RowsConfig &c, const Matrices &in, bool centred) {
  Matrix n = in.at("X"), g = in.at("dY").array().rowwise() * in.at("W").row(0).array();
  const auto scale = in.at("rstd").col(0).array();
  if (centred)
    n.colwise() -= in.at("mean").col(0);
  n.array().colwise() *= scale;
  const auto along = (g.array() * n.array()).rowwise().mean().eval();
  if (centred)
    g.colwise() -= g.rowwise().mean().eval();
  g -= (n.array().colwise() * along).matrix();
  return {{"dX", (g.array().colwise() * scale).matrix()},
          {"dW", rows::sumsOfCtas(in.at("dY").cwiseProduct(n), rows::teamsOf(c), rowsOfTile(c))},
          {"dB", rows::sumsOfCtas(in.at("dY"), rows::teamsOf(c), rowsOfTile(c))}};
}

int64_t linesOf(const std::vector<TensorShape> &shapes) {
  const auto sums = std::ranges::find(shapes, "dW", &TensorShape::tensor);
  return std::stoll(sums->extents[0]);
}

/// On Ascend, with as many lines of sums as on every machine: row r is added to line r % lines.
Result<Kernel> buildOnCores(const std::string &name, const Parameters &p, const Arch &arch,
                            bool centred, int64_t lines) {
  const RowsConfig all = withSums(rows::configOf(p, arch), p, centred);
  const auto c = rows::addingUp(all, lines, 2, arch.cores);
  if (!c)
    return unsupportedError(name + " ctas=" + p.text("ctas") + ": tiles have an even number of " +
                            "rows, which does not divide " + std::to_string(lines) +
                            " lines of sums" + insteadOfWeights);
  return buildNormBackward(*c, centred, true);
}

KernelEntry backwardEntry(std::string name, std::string summary, bool centred) {
  KernelEntry entry = rows::entryOf(std::move(name), std::move(summary), {});
  // As many tiles of two inputs as find room; two CTAs on an SM where one sum leaves registers.
  rows::parameterOf(entry, "stages").value = centred ? "3" : "2";
  Parameter &ctas = rows::parameterOf(entry, "ctas");
  ctas.value = std::to_string(centred ? ctasByDefault : 2 * ctasByDefault);
  ctas.help = "CTAs; each, or each cluster, adds up dW and dB for itself";
  rows::parameterOf(entry, "share").choices = {"0"}; // sums are those of CTAs that stay
  entry.parameters.push_back({"weights",
                              "yes",
                              "no: dX alone; auto: yes where a CTA has registers for sums of a row",
                              {"yes", "no", "auto"}});
  entry.shapes = [centred](const Parameters &p) { return shapesOf(p, centred); };
  entry.build = [centred, name = entry.name](const Parameters &p,
                                             const Arch &arch) -> Result<Kernel> {
    const RowsConfig c = withSums(rows::configOf(p, arch), p, centred);
    const bool weights = hasWeights(p, centred);
    if (weights && !addsUpWeights(c))
      return unsupportedError(name + " cols=" + p.text("cols") + " parts=" + p.text("parts") +
                              ": no registers for sums of such rows" + insteadOfWeights);
    return buildNormBackward(c, centred, weights);
  };
  entry.reference = [centred](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    return referenceOf(withSums(rows::configOf(p, ctasByDefault), p, centred), in, centred);
  };
  entry.hostReference = [centred](const Parameters &) -> HostReference {
    const std::string mean = centred ? "mean(i, 0)" : "0.0", shift = centred ? "shift" : "0.0";
    return {"dX",
            "const double middle = " + mean +
                ", scale = rstd(i, 0);\n"
                "double along = 0, shift = 0;\n"
                "for (i64 x = 0; x < cols; ++x) {\n"
                "  const double g = dY(i, x) * W(0, x) / double(cols);\n"
                "  along += g * (X(i, x) - middle) * scale;\n"
                "  shift += g;\n"
                "}\n"
                "const double g = dY(i, j) * W(0, j) - " +
                shift + " - (X(i, j) - middle) * scale * along;\n" + "return g * scale;\n",
            "2 * cols", "double(dX.extent(0)) * double(dX.extent(1))"};
  };
  entry.settle = [centred, settle = entry.settle](const Parameters &p, const Arch &arch) {
    return settle(p.with("weights", hasWeights(p, centred) ? "yes" : "no"), arch);
  };
  rows::setParts(entry);
  rows::setPlan(
      entry,
      [centred](const Parameters &p) {
        return problemOf(hasWeights(p, centred) ? sumsOf(centred) : 0);
      },
      insteadOfWeights);
  entry.build = [centred, shapes = entry.shapes, settle = entry.settle, build = entry.build,
                 name = entry.name](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    if (!isAscend(arch.target) || !hasWeights(p, centred))
      return build(p, arch);
    if (auto settled = settle(p, arch); !settled)
      return settled.error();
    return buildOnCores(name, p, arch, centred, linesOf(shapes(p)));
  };
  return entry;
}

} // namespace

KernelEntry rmsNormBackwardEntry() {
  return backwardEntry("rmsnorm_backward",
                       "dX of rmsnorm from dY; dW as sums for sum_rows to add up", false);
}

KernelEntry layerNormBackwardEntry() {
  return backwardEntry("layernorm_backward",
                       "dX of layernorm from dY; dW and dB as sums for sum_rows to add up", true);
}

} // namespace sluice
