#include "kernels/Attention.h"

#include "kernels/AttentionReference.h"
#include "sluice/KernelBuilder.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace sluice {

using namespace lang;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Batch, place in the sequence, head, element.
struct Heads {
  lang::Tensor Q, K, V, O;
  lang::Index queries, keys;
};

Heads headsOf(KernelBuilder &k, const AttentionConfig &c) {
  const TensorOptions heads = {
      .align = 16, .extents = {anyExtent, anyExtent, anyExtent, c.d}, .rows = 1};
  lang::Tensor Q = k.input("Q", c.type, 4, heads), K = k.input("K", c.type, 4, heads);
  lang::Tensor V = k.input("V", c.type, 4, heads), O = k.output("O", c.type, 4, heads);
  lang::Index queries = k.name(Q.dim(1), "queries"), keys = k.name(K.dim(1), "keys");
  k.assume(K.dim(0) == Q.dim(0), "K has as many batches as Q");
  k.assume(K.dim(2) >= 1, "K has a head");
  return {Q, K, V, O, queries, keys};
}

/// What a CTA takes: a tile of the queries of a head, and the head of K and V that goes with it.
struct Place {
  lang::Index batch, head, kv, row;
  lang::Index diagonal, seen; // causal: query r of the tile sees key j where j < r + diagonal
};

/// Tiles of one head side by side share its keys in the second-level cache. Causal ones differ in
/// length: the longest come first, and CTAs that end early take the next.
Place placeOf(KernelBuilder &k, const AttentionConfig &c, const Heads &t) {
  using lang::Index;
  Index shared = k.name(t.Q.dim(2) / t.K.dim(2), "shared"); // heads of Q to one of K and V
  k.assume(shared * t.K.dim(2) == t.Q.dim(2), "the heads of K divide those of Q");
  for (int d = 0; d < 3; ++d)
    k.assume(t.V.dim(d) == t.K.dim(d), "V has the extents of K");
  Index blocks = k.name(ceilDiv(t.queries, c.bm), "blocks");
  const bool persistent = !c.cores && (!c.causal || c.drawn);
  const bool blocksFirst = c.causal && !persistent; // of persistent grids the last goes fastest
  const auto at = blocksFirst ? k.grid(blocks, t.Q.dim(2), t.Q.dim(0), {.dynamic = c.drawn})
                              : k.grid(t.Q.dim(0), t.Q.dim(2), blocks,
                                       {.persistent = persistent, .dynamic = c.drawn});
  Index batch = at[blocksFirst ? 2 : 0], head = at[1], block = at[blocksFirst ? 0 : 2];
  Index i = c.causal ? k.name(blocks - 1 - block, "i") : block;
  Index row = k.name(i * c.bm, "row"), kv = k.name(head / shared, "kv");
  Index diagonal = c.causal ? k.name(row + (t.keys - t.queries + 1), "diagonal") : 0;
  Index seen = c.causal ? k.name(min(t.keys, diagonal + (c.bm - 1)), "seen") : t.keys;
  return {batch, head, kv, row, diagonal, seen};
}

/// Scores of one tile of queries come tile of keys by tile of keys. `most` and `sum` are what has
/// been seen of each row: its largest score and the sum of its weights; the output so far is scaled
/// down where a tile has a larger score (arXiv 2205.14135, algorithm 1).
class Rows {
public:
  Rows(KernelBuilder &k, const AttentionConfig &c, const Heads &t, const Place &at)
      : k(k), c(c), t(t), at(at),
        q(k.load(t.Q.at({at.batch, at.row, at.head, 0}), {c.bm, c.d}, "q")),
        o(c.cores ? k.tile(f32, {c.bm, c.d}, "o") : k.accumulator(f32, {c.bm, c.d}, "o")),
        most(k.tile(f32, {c.bm, 1}, "most")), sum(k.tile(f32, {c.bm, 1}, "sum")),
        p(k.tile(c.type, {c.bm, c.bn}, "p")) {
    k.fill(most, -1e30), k.fill(sum, 0);
    if (c.cores)
      k.fill(o, 0);
  }

  /// The values of a tile are added under the weights of the next.
  void overKeys() {
    lang::Index tiles = k.name(ceilDiv(max(at.seen - c.bn, 0), c.bn), "tiles"); // behind the first
    weigh(scoresOf(0), 0, /*isFirst=*/true);
    k.loop(tiles, stages(c.stages).inTurn(c.turns), "t", [&](lang::Index step) {
      lang::Index first = k.name(step * c.bn, "first"), next = k.name(first + c.bn, "next");
      Tile s = scoresOf(next);
      addValues(first);
      weigh(s, next);
    });
    addValues(k.name(tiles * c.bn, "last"));
  }

  /// The cube core multiplies values while the vector cores weigh the next scores: those of the
  /// tile before or, with weights that are handed on one step late, of that before it, so that the
  /// next scores are on their way when it waits for weights. The last steps have no keys.
  void overKeysOnCores() {
    lang::Index steps = k.name(ceilDiv(max(at.seen, 0), c.bn) + c.behind, "steps");
    Tile weighed = k.tile(f32, {c.bm, c.bn}, "weighed"), less = k.tile(f32, {c.bm, 1}, "less");
    k.fill(p, 0);
    if (c.behind == 2)
      k.fill(weighed, 0), k.fill(less, 1);
    k.loop(steps, stages(c.stages).inTurn(c.turns), "t", [&](lang::Index step) {
      lang::Index first = k.name(step * c.bn, "first");
      Tile s = handed(scoresOf(first), c.scores, "scores");
      Tile before = valuesFrom(k.name(max(first - c.behind * c.bn, 0), "before"));
      Tile values = handed(k.product(p, before, "values"), c.values, "weighted");
      if (c.behind == 2)
        k.update(p, {weighed}, [](auto s) { return s; });
      weighOnCores(s, first, weighed, less, values);
    });
  }

  void store() {
    if (c.cores)
      return storeFromCores();
    Tile result = k.map(
        {o, sum}, c.type, [](auto o, auto sum) { return select(sum == 0.0, 0.0, o / sum); },
        "result");
    k.store(result, t.O.at({at.batch, at.row, at.head, 0}));
  }

  /// A row that sees a key has a sum of 1 at least; one that sees none has zeros in `o`.
  void storeFromCores() {
    k.update(o, {o, sum}, [](auto o, auto sum) { return o / max(sum, 0.5); });
    Tile result = k.map(
        {o}, c.type, [](auto o) { return o; }, "result");
    k.store(result, t.O.at({at.batch, at.row, at.head, 0}));
  }

private:
  Tile scoresOf(lang::Index first) {
    Tile keys = k.load(t.K.at({at.batch, first, at.kv, 0}), {c.bn, c.d}, "k");
    return k.product(q, transpose(keys), "s");
  }
  Tile valuesFrom(lang::Index first) {
    return k.load(t.V.at({at.batch, first, at.kv, 0}), {c.bn, c.d}, "v");
  }
  /// What the cube core has multiplied, as the vector cores get it.
  Tile handed(const Tile &product, DType type, const char *name) {
    if (type == f32)
      return product;
    return k.map(
        {product}, type, [](auto e) { return e; }, name);
  }
  void addValues(lang::Index first) { k.mma(o, p, valuesFrom(first)); }
  void hideUnseen(Tile &s, lang::Index first, bool isFirst);
  void weigh(Tile s, lang::Index first, bool isFirst = false);
  void weighOnCores(const Tile &scores, lang::Index first, Tile &weighed, Tile &less,
                    const Tile &values);

  KernelBuilder &k;
  const AttentionConfig &c;
  const Heads &t;
  const Place &at;
  Tile q, o, most, sum, p; // p: weights of a tile of keys
};

/// Keys behind the last, and those that a query comes before, weigh nothing.
void Rows::hideUnseen(Tile &s, lang::Index first, bool isFirst) {
  lang::Index left = isFirst ? t.keys : k.name(t.keys - first, "left");
  k.when(left < c.bn, [&] {
    k.updateWithCoordinates(
        s, {s}, [&](auto s, auto, auto key) { return select(key < Element(left), s, -infinity); });
  });
  if (!c.causal)
    return;
  lang::Index behind = isFirst ? at.diagonal : k.name(at.diagonal - first, "behind");
  k.when(behind < c.bn, [&] {
    k.updateWithCoordinates(s, {s}, [&](auto s, auto query, auto key) {
      return select(key < query + Element(behind), s, -infinity);
    });
  });
}

/// Of the scores of the keys from `first` on: their weights, and the output so far is scaled down.
void Rows::weigh(Tile s, lang::Index first, bool isFirst) {
  const double scale = std::numbers::log2e / std::sqrt(double(c.d));
  hideUnseen(s, first, isFirst);
  Tile largest = k.rowMax(s, "largest");
  Tile less = k.map(
      {most, largest}, f32,
      [&](auto most, auto largest) { return exp2((most - max(most, largest)) * scale); }, "less");
  k.update(most, {most, largest}, [](auto most, auto largest) { return max(most, largest); });
  k.update(s, {s, most}, [&](auto s, auto most) { return exp2(s * scale - most * scale); });
  Tile weights = k.rowSum(s, "weights");
  k.update(sum, {sum, less, weights}, [](auto sum, auto less, auto w) { return sum * less + w; });
  k.update(o, {o, less}, [](auto o, auto less) { return o * less; });
  k.update(p, {s}, [](auto s) { return s; });
}

/// A vector core has an instruction for e^x and none for 2^x. `less` is what the output is scaled
/// by once `values` are in it: of this step or, where weights are handed on late, of the one
/// before.
void Rows::weighOnCores(const Tile &scores, lang::Index first, Tile &weighed, Tile &less,
                        const Tile &values) {
  const double root = 1 / std::sqrt(double(c.d));
  k.update(weighed, {scores}, [&](auto s) { return cast(s, f32) * root; });
  hideUnseen(weighed, first, /*isFirst=*/false);
  Tile largest = k.rowMax(weighed, "largest");
  const auto addValues = [&] {
    k.update(o, {o, values, less},
             [](auto o, auto values, auto less) { return (o + cast(values, f32)) * less; });
  };
  if (c.behind == 2)
    addValues();
  k.update(less, {most, largest},
           [](auto most, auto largest) { return exp(most - max(most, largest)); });
  k.update(most, {most, largest}, [](auto most, auto largest) { return max(most, largest); });
  k.update(weighed, {weighed, most}, [](auto s, auto most) { return exp(s - most); });
  if (c.behind == 1)
    k.update(p, {weighed}, [](auto s) { return s; }); // the cube core waits for them
  Tile weights = k.rowSum(weighed, "weights");
  k.update(sum, {sum, less, weights}, [](auto sum, auto less, auto w) { return sum * less + w; });
  if (c.behind == 1)
    addValues();
}

} // namespace

Result<Kernel> buildAttention(const AttentionConfig &c) {
  KernelBuilder k("attention");
  k.fastMath({.approximate = true, .contract = true});
  const Heads heads = headsOf(k, c);
  const Place place = placeOf(k, c, heads);
  Rows rows(k, c, heads, place);
  if (c.cores)
    rows.overKeysOnCores();
  else
    rows.overKeys();
  rows.store();
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

/// What was fastest on an H100, over lengths of 1024 to 16384 (bench/RESULTS.md). Elsewhere what
/// fits: on Blackwell a thread has a row of the scores in its registers.
static void plan(AttentionConfig &c, Target target) {
  if (target == Target::sm_100a) {
    c.bm = c.d == 256 ? 128 : 256; // two tiles in turns
    c.bn = c.d == 64 ? 128 : c.d == 128 ? 96 : 64;
    return;
  }
  if (c.cores) {
    c.bm = c.d == 256 ? 64 : 128;
    c.bn = c.d == 256 ? 64 : 128;
    return;
  }
  c.bn = c.d == 256 ? 80 : c.d == 128 && !c.causal ? 176 : 128;
  c.stages = c.d == 128 && c.causal ? 3 : 2;
  c.turns = c.d == 64 ? c.causal : c.d == 256 && !c.causal;
}

/// A step more for each tile of queries, and shorter steps. Where scores are rounded V is at work
/// all the time anyway; else as many keys pay for it (bench/RESULTS.md).
static int64_t behindFor(const AttentionConfig &c, int64_t keys) {
  const int64_t seen = c.causal ? keys / 2 : keys; // of most tiles
  return c.scores == f32 && seen >= (c.values == f32 ? 2048 : 1024) ? 2 : 1;
}

static Result<Kernel> build(const Parameters &p, const Arch &arch) {
  AttentionConfig c;
  c.d = p.number("d");
  c.type = p.dtype("dtype");
  c.causal = p.text("causal") == "yes";
  c.cores = isAscend(arch.target);
  if (!p.isAuto("handed") && !c.cores)
    return unsupportedError("attention handed=" + p.text("handed") +
                            ": what the cores of an Ascend "
                            "machine hand each other; leave handed at auto");
  c.scores = p.text("handed") == "dtype" ? c.type : f32;
  c.values = p.text("handed") == "dtype" || p.text("handed") == "values" ? c.type : f32;
  plan(c, arch.target);
  if (!p.isAuto("behind") && !c.cores)
    return unsupportedError("attention behind=" + p.text("behind") +
                            ": how far the cores of an Ascend machine work apart; leave behind at "
                            "auto");
  c.behind = p.isAuto("behind") ? behindFor(c, p.number("Skv")) : p.number("behind");
  if (p.number("bm"))
    c.bm = p.number("bm");
  if (p.number("bn"))
    c.bn = p.number("bn");
  if (p.number("stages"))
    c.stages = p.number("stages");
  c.drawn = p.text("drawn") == "yes";
  if (p.text("turns") != "auto")
    c.turns = p.text("turns") == "yes";
  return buildAttention(c);
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"Q", {"B", "S", "H", "d"}},
          {"K", {"B", "Skv", "Hkv", "d"}},
          {"V", {"B", "Skv", "Hkv", "d"}},
          {"O", {"B", "S", "H", "d"}}};
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  return attentionOfHeads(p, in);
}

static HostReference hostReference(const Parameters &p) {
  return attentionOnHost(p.text("causal") == "yes");
}

KernelEntry attentionEntry() {
  KernelEntry entry;
  entry.name = "attention";
  entry.summary = "O = softmax(Q K^T / sqrt(d)) V of every head, tensors [B, S, H, d]";
  entry.targets = {Target::sm_90a, Target::sm_100a, Target::ascend910b, Target::ascend950};
  entry.parameters = {
      {"B", "2", "batches", {}, 0, 65535, true},
      {"H", "4", "heads of Q and O", {}, 1, 65535, true},
      {"Hkv", "4", "heads of K and V; divides H", {}, 1, 65535, true},
      {"S", "512", "queries", {}, 0, 1 << 24, true},
      {"Skv", "512", "keys", {}, 0, 1 << 24, true},
      {"d", "128", "head dimension", {"64", "128", "256"}},
      {"causal", "no", "a query sees no key behind it", {"no", "yes"}},
      {"bm", "auto", "rows of a tile of queries, a multiple of 64; auto: by d", {}, 1, 256},
      {"bn", "auto", "rows of a tile of keys; auto: by d and causal", {}, 1, 256},
      {"stages",
       "auto",
       "tiles of keys and of values on their way; auto: by d and causal",
       {},
       0,
       8},
      {"drawn", "no", "CTAs draw their tiles while they run", {"no", "yes"}},
      {"turns", "auto", "warpgroups multiply one after another", {"auto", "no", "yes"}},
      {"dtype", "bf16", "element type", {"f16", "bf16"}},
      {"handed",
       "auto",
       "Ascend: type of scores and values between the cores; values: values alone have dtype; "
       "dtype: both, less to move, less exact; auto: f32",
       {"f32", "values", "dtype"}},
      {"behind",
       "auto",
       "Ascend: tiles of keys from the scores that are weighed to the values that are multiplied; "
       "2: shorter steps, and one more; auto: by Skv and handed",
       {"1", "2"}},
  };
  entry.shapes = shapes;
  entry.build = build;
  entry.reference = reference;
  entry.tolerance = [](const Parameters &p) { // scores and values are rounded on their way, too
    const bool scores = p.text("handed") == "dtype", values = p.text("handed") == "values";
    return defaultTolerance(p.dtype("dtype")) * (scores ? 4 : values ? 2 : 1);
  };
  entry.hostReference = hostReference;
  return entry;
}

} // namespace sluice
