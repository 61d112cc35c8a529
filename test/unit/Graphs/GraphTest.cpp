// Random graphs of roles are proven for every launch and compute what they should under random
// delays. With one verb moved, removed or doubled each is refused, or it still computes that.
#include "Graphs/RoleGraph.h"
#include "Graphs/VerbMutants.h"

#include "sluice/Compile.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

namespace sluice::test {
namespace {

const Arch &arch() {
  return defaultArch(Target::sm_90a);
}

Result<Program> compiled(const Kernel &kernel) {
  CompileOptions options;
  options.target = Target::sm_90a;
  return compile(kernel, options);
}

// ---- Launches ----------------------------------------------------------------------------------

std::vector<int64_t> extentsOf(const Tensor &tensor, int64_t rows, int64_t steps) {
  return {rows, tensor.output ? graphColumns : std::max<int64_t>(steps, 1) * graphColumns};
}

/// So many rows, in which each CTA takes 64, and steps; none where `steps` is 0.
std::vector<HostTensor> tensorsOf(const Program &program, int64_t rows, int64_t steps) {
  std::vector<HostTensor> all;
  for (const Tensor &tensor : program.tensors) {
    auto extents = extentsOf(tensor, rows, steps);
    if (tensor.input && steps == 0)
      extents[1] = 0;
    all.push_back(HostTensor::dense(tensor.type, extents, 1));
    for (int64_t i = 0; tensor.input && i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j)
        all.back().set({i, j}, double((i * 31 + j * 17 + int64_t(all.size()) * 5) % 11) - 5);
  }
  return all;
}

Launch launchOf(const std::vector<HostTensor> &tensors) {
  Launch launch;
  for (const HostTensor &t : tensors)
    launch.tensors.push_back({t.extents, t.strides});
  return launch;
}

// ---- What is true of one program ---------------------------------------------------------------

class Judge {
public:
  Judge(const RoleGraph &graph, uint64_t seed) : graph_(graph), random_(seed) {}

  Verdict proof(const Program &program) const {
    return prove(program, arch(), launchOf(tensorsOf(program, 64, 5)), {});
  }

  /// What goes wrong at `launches` drawn launches, each with and without delays; empty: nothing.
  std::string fault(const Program &program, int launches) {
    for (int i = 0; i < launches; ++i) {
      const int64_t rows = random_() % 2 ? 64 : 100, steps = int64_t(random_() % 10);
      for (const double chaos : {0.0, 3000.0})
        if (std::string wrong = faultAt(program, rows, steps, chaos); !wrong.empty())
          return wrong + " (" + std::to_string(rows) + " rows, " + std::to_string(steps) +
                 " steps)";
    }
    return "";
  }

private:
  std::string faultAt(const Program &program, int64_t rows, int64_t steps, double chaos) {
    auto tensors = tensorsOf(program, rows, steps);
    SimulateOptions options;
    options.chaos = chaos;
    options.lateReads = chaos > 0; // lowering has put the fence
    options.seed = random_();
    auto result = simulate(program, arch(), {}, tensors, options);
    if (!result)
      return result.error().message;
    if (result->violation)
      return result->violation->rule + ": " + result->violation->message;
    std::map<int, const HostTensor *> inputs;
    for (size_t i = 0; i < tensors.size(); ++i)
      inputs[roleOf(program.tensors[i].name, 'X')] = &tensors[i];
    const auto x = [&](int role, int64_t row, int64_t column) {
      return inputs.at(role)->at({row, column});
    };
    for (size_t i = 0; i < tensors.size(); ++i)
      if (const int role = roleOf(program.tensors[i].name, 'Y'); role >= 0)
        for (int64_t row = 0; row < rows; row += 7)
          for (int64_t column = 0; column < graphColumns; ++column)
            if (tensors[i].at({row, column}) != expectedAt(graph_, role, steps, x, row, column))
              return "another " + program.tensors[i].name;
    return "";
  }
  /// Whose tensor it is; negative: not of this kind.
  static int roleOf(const std::string &name, char kind) {
    return name[0] == kind ? std::stoi(name.substr(1)) : -1;
  }

  const RoleGraph &graph_;
  std::mt19937_64 random_;
};

// ---- The property ------------------------------------------------------------------------------

struct Counts {
  int graphs = 0, byLanguage = 0, byVerifier = 0, stillRight = 0;
};

class Property {
public:
  Property(uint64_t seed, int graphs, int mutants)
      : seed_(given("SLUICE_SEED", seed)), graphs_(int(given("SLUICE_PROGRAMS", graphs))),
        mutants_(mutants) {}

  void hold() {
    std::cout << "seeds from " << seed_ << '\n';
    for (int i = 0; i < graphs_; ++i)
      holdOf(seed_ + i);
    std::cout << counts_.graphs << " graphs proven for every launch and right; of their mutants "
              << counts_.byLanguage << " refused by the language, " << counts_.byVerifier
              << " by the verifier, " << counts_.stillRight << " still right\n";
    EXPECT_EQ(counts_.graphs, graphs_);
  }
  const Counts &counts() const { return counts_; }

private:
  void holdOf(uint64_t seed) {
    const RoleGraph graph = drawGraph(seed);
    const std::string name = "graph " + std::to_string(seed) + " (" + graph.str() + "): ";
    auto kernel = kernelOf(graph);
    ASSERT_TRUE(kernel) << name << kernel.error().message;
    auto program = compiled(*kernel);
    ASSERT_TRUE(program) << name << program.error().message;
    Judge judge(graph, seed);
    const Verdict verdict = judge.proof(*program);
    ASSERT_TRUE(verdict.provenForEveryLaunch())
        << name << verdict.tripCounts << " "
        << (verdict.violations.empty() ? "" : verdict.violations[0].message) << "\n"
        << kernel->text();
    ASSERT_EQ(judge.fault(*program, 2), "") << name << "\n" << kernel->text();
    ++counts_.graphs;
    std::mt19937_64 random(seed);
    for (int i = 0; i < mutants_; ++i) {
      std::string what;
      const std::string text = withVerbElsewhere(kernel->text(), random, what);
      holdOfMutant(text, name + what + ": ", judge);
    }
  }

  void holdOfMutant(const std::string &text, const std::string &name, Judge &judge) {
    auto kernels = parseKernelText(text, "mutant.mlir");
    auto program = kernels ? compiled(kernels->front()) : Result<Program>(kernels.error());
    if (!program) {
      EXPECT_FALSE(program.error().message.empty()) << name;
      ++counts_.byLanguage;
      return;
    }
    if (!judge.proof(*program).provenForEveryLaunch()) {
      ++counts_.byVerifier;
      return;
    }
    ++counts_.stillRight;
    EXPECT_EQ(judge.fault(*program, 6), "") << name << "\n" << text;
  }

  const uint64_t seed_;
  const int graphs_, mutants_;
  Counts counts_;
};

TEST(RoleGraphs, AreProvenAndRight) {
  Property property(1, 200, 1);
  property.hold();
  if (property.counts().graphs == 200) {
    EXPECT_GT(property.counts().byVerifier, 50);
  }
}

TEST(RoleGraphs, AreProvenAndRightSlow) {
  Property(std::random_device()(), 2000, 2).hold();
}

} // namespace
} // namespace sluice::test
