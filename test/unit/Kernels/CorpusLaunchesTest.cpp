// What is proven for every launch of the corpus, the examples and the catalogue's texts holds at
// launches drawn at random.
#include "Campaign/Differential.h"
#include "Campaign/RandomLaunches.h"
#include "Diagnose/LaunchFor.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

namespace sluice {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> texts(const char *folder) {
  std::vector<fs::path> found;
  const fs::path root = fs::path(__FILE__).parent_path() / "../../..";
  for (const auto &entry : fs::recursive_directory_iterator(root / folder))
    if (entry.path().extension() == ".mlir")
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

struct Effort {
  int launches, onMachine; // of them, twice
  int64_t events;          // most of one launch
  double seconds;          // of a proof
};

class Held {
public:
  Held(uint64_t seed, const Effort &effort) : seed_(seed), effort_(effort) {
    std::cout << "seed " << seed << '\n';
  }

  void hold(const fs::path &path) {
    auto kernels = parseKernels(path.string());
    if (!kernels)
      return; // a text for another test
    for (const Kernel &kernel : *kernels) {
      CompileOptions options;
      options.target = kernel.target().value_or(Target::sm_90a);
      if (auto program = compile(kernel, options)) {
        SCOPED_TRACE(path.filename().string());
        hold(*program, defaultArch(options.target));
      }
    }
  }

  int proven() const { return proven_; }
  std::string str() const { return std::to_string(proven_) + " proven; " + counts_.str(); }

private:
  void hold(const Program &program, const Arch &arch) {
    const Launch given = uniformLaunch(program, 64);
    CheckOptions options;
    options.seconds = effort_.seconds;
    const Verdict verdict = prove(program, arch, given, options);
    if (!verdict.provenForEveryLaunch())
      return;
    ++proven_;
    RandomLaunches launches(program, given, seed_);
    Differential against(program, arch, verdict, effort_.events);
    for (int i = 0; i < effort_.launches; ++i)
      if (const auto launch = launches.draw())
        if (const auto fault = against.disagreementAt(*launch, i < effort_.onMachine ? 2 : 0))
          ADD_FAILURE() << program.name << " " << *fault;
    counts_.add(against.counts());
  }

  const uint64_t seed_;
  const Effort effort_;
  int proven_ = 0;
  Differential::Counts counts_;
};

TEST(CorpusLaunches, WhatIsProvenHolds) {
  Held held(1, {4, 1, 20'000, 2});
  for (const fs::path &path : texts("test/corpus"))
    held.hold(path);
  std::cout << held.str() << '\n';
  EXPECT_GT(held.proven(), 100);
}

/// A seed of its own each time; SLUICE_SEED repeats one.
TEST(CorpusLaunches, WhatIsProvenHoldsSlow) {
  const char *given = std::getenv("SLUICE_SEED");
  const uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device()();
  Held held(seed, {50, 50, 200'000, 30});
  for (const char *folder : {"test/corpus", "examples", "test/unit/Kernels"})
    for (const fs::path &path : texts(folder))
      held.hold(path);
  std::cout << held.str() << '\n';
  EXPECT_GT(held.proven(), 120);
}

} // namespace
} // namespace sluice
