// Random kernels of tiles whose statements stand in roles at random: the rings between these are
// derived, proven for every launch, and the kernel computes what it should under random delays.
// With one verb of a derived ring moved, removed or doubled each is refused, or it still computes
// that.
#include "Graphs/VerbMutants.h"

#include "sluice/Compile.h"
#include "sluice/KernelBuilder.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include "Explore/Explore.h"
#include "Support/HostTensor.h"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

namespace sluice::test {
namespace {

using lang::f32;
using lang::Tile;

constexpr int64_t tileRows = 128, tileColumns = 8; // f32

/// One and the values before it that it adds up, with a tile of its own tensor where it loads one.
struct Value {
  int role = -1;              // who computes it; negative: nobody is named
  std::vector<int> from = {}; // values before it
  bool evenOnly = false;      // it adds them in even steps alone
  bool isVector = false;      // the sum of each row, which others add to all columns
  bool loads = false;
  int loader = -1;    // who loads its tile: see loadBy()
  bool isSum = false; // over all steps, and stored
  int storer = -1;    // 0: who computes it, 1: a role that stores
};

struct TileGraph {
  std::vector<Value> values;
  int64_t stages = 1;
  bool persistent = false;
  std::vector<int64_t> warps = {}; // of roles that compute

  std::string str() const {
    std::ostringstream s;
    s << stages << " stages" << (persistent ? " persistent" : "");
    for (int64_t of : warps)
      s << ", " << of << " warps";
    for (const Value &v : values) {
      s << "; role " << v.role << (v.isVector ? " sums of rows" : "")
        << (v.evenOnly ? " in even steps of" : " of");
      for (int from : v.from)
        s << " " << from;
      s << (v.loads ? " loads by " + std::to_string(v.loader) : "");
      s << (v.isSum ? " stored by " + std::to_string(v.storer) : "");
    }
    return s.str();
  }
};

TileGraph drawGraph(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto upTo = [&](int most) { return int(random() % uint64_t(most + 1)); };
  TileGraph graph;
  graph.stages = 1 + upTo(3);
  graph.persistent = upTo(2) == 0;
  for (int role = 0; role < 3; ++role) // with those that are derived, no more than a CTA has
    graph.warps.push_back(upTo(2) || role == 2 ? 4 : 8);
  const int count = 2 + upTo(3);
  for (int i = 0; i < count; ++i) {
    Value value;
    value.role = upTo(3) - 1;
    value.loads = i == 0 || upTo(1) == 0;
    value.loader = upTo(4) - 1;
    if (i == 0 && value.loader == 2) // the loop has stages: some tile comes through a ring
      value.loader = 0;
    for (int from = 0; from < i; ++from)
      if (upTo(1) == 0)
        value.from.push_back(from);
    value.evenOnly = upTo(3) == 0;
    value.isSum = i + 1 == count || upTo(3) == 0;
    value.isVector = !value.isSum && upTo(2) == 0;
    value.storer = upTo(2) - 1;
    graph.values.push_back(value);
  }
  return graph;
}

// ---- Written down ------------------------------------------------------------------------------

class Writer {
public:
  explicit Writer(const TileGraph &graph) : g_(graph), k_("graph") {}

  Result<Kernel> kernel() {
    for (size_t i = 0; i < g_.values.size(); ++i) {
      if (g_.values[i].loads)
        x_.emplace(i, k_.input("X" + std::to_string(i), f32, 2, {.align = 16}));
      if (g_.values[i].isSum)
        y_.emplace(i, k_.output("Y" + std::to_string(i), f32, 2, {.align = 16}));
    }
    const lang::Tensor &first = x_.begin()->second;
    auto [i, j] = k_.grid(ceilDiv(first.dim(0), tileRows), 1, {.persistent = g_.persistent});
    row_ = i * tileRows;
    std::map<size_t, Tile> sums;
    for (auto &[number, y] : y_) {
      sums.emplace(number, k_.tile(f32, {tileRows, tileColumns}, "sum"));
      in(g_.values[number].role, [&] { k_.fill(sums.at(number), 0); });
    }
    k_.loop(ceilDiv(first.dim(1), tileColumns), lang::stages(g_.stages), "t", [&](lang::Index t) {
      std::vector<Tile> values;
      for (size_t number = 0; number < g_.values.size(); ++number)
        values.push_back(compute(number, values, t));
      for (auto &[number, sum] : sums)
        in(g_.values[number].role, [&] { add(sum, values[number]); });
    });
    for (auto &[number, sum] : sums)
      store(number, sum);
    return k_.build();
  }

private:
  void in(int role, const std::function<void()> &body) {
    role < 0 ? body()
             : k_.role("r" + std::to_string(role), lang::warps(g_.warps[size_t(role)]), body);
  }

  void add(const Tile &sum, const Tile &x) {
    k_.update(sum, {sum, x}, [](lang::Element a, lang::Element b) { return a + b; });
  }

  /// Nobody who is named, a role that loads alone, who computes with it, another one that computes.
  void loadBy(const Value &value, const std::function<void()> &load) {
    if (value.loader < 0)
      load();
    else if (value.loader < 2)
      k_.role("load" + std::to_string(value.loader), lang::warps(1), load);
    else
      in(value.loader == 2 ? value.role : (value.role + 1) % 3, load);
  }

  Tile compute(size_t number, const std::vector<Tile> &before, const lang::Index &t) {
    const Value &value = g_.values[number];
    Tile own = k_.tile(f32, {tileRows, tileColumns}, "value");
    Tile rows = k_.tile(f32, {tileRows, 1}, "rows");
    Tile x = k_.tile(f32, {tileRows, tileColumns}, "x");
    const auto load = [&] { k_.load(x_.at(number).at({row_, t * tileColumns}), x); };
    if (value.loads)
      loadBy(value, load);
    in(value.role, [&] {
      k_.fill(own, 1);
      const auto addAll = [&] {
        for (int from : value.from)
          add(own, before[from]);
        if (value.loads)
          add(own, x);
      };
      value.evenOnly ? k_.when(t % 2 == 0, addAll) : addAll();
      if (value.isVector)
        k_.copy(k_.rowSum(own), rows);
    });
    return value.isVector ? rows : own;
  }

  void store(size_t number, const Tile &sum) {
    const Value &value = g_.values[number];
    const auto body = [&] { k_.store(sum, y_.at(number).at({row_, 0})); };
    if (value.storer < 0)
      body();
    else if (value.storer == 0)
      in(value.role, body);
    else
      k_.role("out", lang::warps(1), body);
  }

  const TileGraph &g_;
  lang::KernelBuilder k_;
  std::map<size_t, lang::Tensor> x_, y_; // by value
  lang::Index row_ = 0;
};

// ---- What is true of it ------------------------------------------------------------------------

double element(size_t value, int64_t row, int64_t column) {
  return double((row * 31 + column * 17 + int64_t(value) * 5) % 11) - 5;
}

double tileIn(const TileGraph &graph, size_t number, int64_t step, int64_t row, int64_t column);

/// What a value is worth to who adds it there.
double valueIn(const TileGraph &graph, size_t number, int64_t step, int64_t row, int64_t column) {
  const Value &value = graph.values[number];
  double sum = 0;
  for (int64_t c = 0; value.isVector && c < tileColumns; ++c)
    sum += tileIn(graph, number, step, row, c);
  return value.isVector ? sum : tileIn(graph, number, step, row, column);
}

double tileIn(const TileGraph &graph, size_t number, int64_t step, int64_t row, int64_t column) {
  const Value &value = graph.values[number];
  if (value.evenOnly && step % 2)
    return 1;
  double sum = 1 + (value.loads ? element(number, row, step * tileColumns + column) : 0);
  for (int from : value.from)
    sum += valueIn(graph, from, step, row, column);
  return sum;
}

std::vector<HostTensor> tensorsOf(const Program &program, int64_t rows, int64_t steps) {
  std::vector<HostTensor> all;
  for (const auto &tensor : program.tensors) {
    const int64_t columns = tensor.output ? tileColumns : steps * tileColumns;
    all.push_back(HostTensor::dense(tensor.type, {rows, columns}, 1));
    for (int64_t i = 0; tensor.input && i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        all.back().set({i, j}, element(std::stoul(tensor.name.substr(1)), i, j));
  }
  return all;
}

/// What goes wrong in one launch; empty: nothing.
std::string fault(const TileGraph &graph, const Program &program, const Arch &arch, int64_t rows,
                  int64_t steps, double chaos, uint64_t seed) {
  auto tensors = tensorsOf(program, rows, steps);
  SimulateOptions options;
  options.chaos = chaos;
  options.lateReads = chaos > 0;
  options.seed = seed;
  auto result = simulate(program, arch, {}, tensors, options);
  if (!result)
    return result.error().message;
  if (result->violation)
    return result->violation->rule + ": " + result->violation->message;
  for (size_t i = 0; i < tensors.size(); ++i)
    for (int64_t row = 0; program.tensors[i].output && row < rows; row += 7)
      for (int64_t column = 0; column < tileColumns; ++column) {
        double sum = 0;
        for (int64_t step = 0; step < steps; ++step)
          sum += valueIn(graph, std::stoul(program.tensors[i].name.substr(1)), step, row, column);
        if (tensors[i].at({row, column}) != sum)
          return "another " + program.tensors[i].name;
      }
  return "";
}

Launch launchOf(const Program &program, int64_t rows, int64_t steps) {
  Launch launch;
  for (const HostTensor &t : tensorsOf(program, rows, steps))
    launch.tensors.push_back({t.extents, t.strides});
  return launch;
}

// ---- The property ------------------------------------------------------------------------------

struct Counts {
  int byLanguage = 0, byVerifier = 0, stillRight = 0, explored = 0;
  int mutants() const { return byLanguage + byVerifier + stillRight; }
};

class Property {
public:
  Property(uint64_t first, uint64_t count, int mutants)
      : first_(given("SLUICE_SEED", first)), count_(given("SLUICE_PROGRAMS", count)),
        mutants_(mutants) {}

  Counts hold() {
    std::cout << "seeds from " << first_ << '\n';
    for (uint64_t i = 0; i < count_; ++i)
      holdOf(first_ + i);
    std::cout << "of the mutants " << counts_.byLanguage << " refused by the language, "
              << counts_.byVerifier << " by the verifier, " << counts_.stillRight
              << " still right, " << counts_.explored << " of them in every interleaving\n";
    return counts_;
  }

private:
  /// The program, and its text where each role has its verbs.
  static Result<Program> compiled(const Kernel &kernel, std::string *roles = nullptr) {
    CompileOptions options;
    options.target = Target::sm_90a;
    options.dumpAfterEach = [&](const std::string &pass, const std::string &text) {
      if (roles && pass == "sluice-split-roles")
        *roles = text;
    };
    return compile(kernel, options);
  }

  static Verdict proof(const Program &program) {
    return prove(program, arch(), launchOf(program, 128, 5), {});
  }
  static const Arch &arch() { return defaultArch(Target::sm_90a); }

  void holdOf(uint64_t seed) {
    const TileGraph graph = drawGraph(seed);
    auto kernel = Writer(graph).kernel();
    const std::string name = "graph " + std::to_string(seed) + " (" + graph.str() + "): ";
    ASSERT_TRUE(kernel) << name << kernel.error().message;
    std::string roles;
    auto program = compiled(*kernel, &roles);
    ASSERT_TRUE(program) << name << program.error().message << "\n" << kernel->text();
    const Verdict verdict = proof(*program);
    ASSERT_TRUE(verdict.provenForEveryLaunch())
        << name << verdict.tripCounts << " "
        << (verdict.violations.empty() ? "" : verdict.violations[0].message) << "\n"
        << kernel->text();
    std::mt19937_64 random(seed);
    ASSERT_EQ(faults(graph, *program, random, 1), "") << name << "\n" << kernel->text();
    for (int i = 0; i < mutants_; ++i) {
      std::string what;
      const std::string text = withVerbElsewhere(roles, random, what);
      holdOfMutant(graph, text, name + what + ": ", random);
    }
  }

  void holdOfMutant(const TileGraph &graph, const std::string &text, const std::string &name,
                    std::mt19937_64 &random) {
    auto kernels = parseKernelText(text, "mutant.mlir");
    auto program = kernels ? compiled(kernels->front()) : Result<Program>(kernels.error());
    if (!program) {
      EXPECT_FALSE(program.error().message.empty()) << name;
      ++counts_.byLanguage;
    } else if (!proof(*program).provenForEveryLaunch()) {
      ++counts_.byVerifier;
    } else {
      ++counts_.stillRight;
      EXPECT_EQ(faults(graph, *program, random, 2), "") << name << "\n" << text;
      explored(*program, name + "\n" + text);
    }
  }

  /// A CTA and three steps in every interleaving, or in some where these are too many.
  void explored(const Program &program, const std::string &name) {
    const Exploration found =
        explore(program, launchOf(program, 128, 3), {.maxStates = 20'000, .walks = 20});
    EXPECT_NE(found.kind, Exploration::faulty) << found.rule << ": " << found.fault << "\n" << name;
    counts_.explored += found.kind == Exploration::clean;
  }

  /// What goes wrong at so many drawn launches, each with and without delays; empty: nothing.
  static std::string faults(const TileGraph &graph, const Program &program, std::mt19937_64 &random,
                            int launches) {
    for (int i = 0; i < launches; ++i) {
      const int64_t rows = random() % 2 ? 128 : 200, steps = 1 + int64_t(random() % 7);
      for (const double chaos : {0.0, 3000.0})
        if (std::string wrong = fault(graph, program, arch(), rows, steps, chaos, random());
            !wrong.empty())
          return wrong + " (" + std::to_string(rows) + " rows, " + std::to_string(steps) +
                 " steps)";
    }
    return "";
  }

  const uint64_t first_, count_;
  const int mutants_;
  Counts counts_;
};

TEST(TileGraphs, AreProvenAndRight) {
  const Counts counts = Property(1, 60, 4).hold();
  if (counts.mutants() == 60 * 4) {
    EXPECT_GT(counts.byVerifier, 60);
  }
}

TEST(TileGraphs, AreProvenAndRightSlow) {
  Property(std::random_device()(), 1000, 3).hold();
}

} // namespace
} // namespace sluice::test
