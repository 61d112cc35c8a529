// Without any one part of what lifts a run to every launch, random kernels are proven that go wrong
// at launches drawn at random.
#include "Verify/Lifting.h"

#include "Campaign/Differential.h"
#include "Campaign/RandomLaunches.h"
#include "Diagnose/LaunchFor.h"
#include "Verify/RandomKernel.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

namespace sluice {
namespace {
Lifting chosen;
}

const Lifting &lifting() {
  return chosen;
}

namespace test {
namespace {

constexpr int launches = 40;

/// What goes wrong at a launch of a kernel that is proven with these parts alone.
std::optional<std::string> wrongProof(const Lifting &parts, uint64_t seed) {
  const Arch &arch = defaultArch(Target::sm_90a);
  const RandomKernel kernel(seed);
  chosen = parts;
  const Verdict verdict = prove(kernel.program(), arch, kernel.launch());
  chosen = {};
  if (!verdict.provenForEveryLaunch())
    return {};
  RandomLaunches drawn(kernel.program(), kernel.launch(), seed);
  Differential against(kernel.program(), arch, verdict, 20'000);
  for (int i = 0; i < launches; ++i)
    if (const auto launch = drawn.draw())
      if (auto fault = against.disagreementAt(*launch, 0))
        return fault;
  return {};
}

/// A defect of the corpus as a program: a file of its own, or the edit of a sound one.
std::string programOf(const std::string &file) {
  namespace fs = std::filesystem;
  const fs::path defect = SLUICE_CORPUS + file + ".bad.mlir";
  if (fs::exists(defect))
    return defect;
  const fs::path edit = SLUICE_CORPUS + file + ".bad.diff";
  const fs::path out = fs::temp_directory_path() / ("sluice-" + defect.filename().string());
  std::ifstream text(edit);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("--- ")) {
      const std::string sound = (edit.parent_path() / line.substr(4)).string();
      const std::string edited =
          "patch -s -F0 -o " + out.string() + " " + sound + " " + edit.string();
      return std::system(edited.c_str()) == 0 ? out.string() : "";
    }
  return "";
}

/// Of the corpus: refused, with a launch whose run shows why, but proven with these parts alone.
bool isWronglyProven(const Lifting &parts, const std::string &file) {
  const auto kernels = parseKernels(programOf(file));
  if (!kernels || kernels->empty())
    return false;
  CompileOptions how;
  how.target = kernels->front().target().value_or(Target::sm_90a);
  const auto program = compile(kernels->front(), how);
  if (!program)
    return false;
  const Arch &arch = defaultArch(how.target);
  const Launch given = uniformLaunch(*program, 64);
  chosen = parts;
  const Verdict without = prove(*program, arch, given);
  chosen = {};
  if (!without.provenForEveryLaunch())
    return false;
  const Verdict with = prove(*program, arch, given);
  return with.kind == Verdict::violated &&
         check(*program, arch, with.witness.value_or(given)).kind == Verdict::violated;
}

struct Part {
  const char *name;
  bool Lifting::*part;
  const char *file; // of the corpus, where no random kernel shows it soon
  uint64_t seed = 0;
};

const Part parts[] = {
    {"groups", &Lifting::groups, "places/turned_grid"},
    {"groupsOfARandomKernel", &Lifting::groups, "", 5011},
    {"iterations", &Lifting::iterations, "places/carried_behind"},
    {"clusterCtas", &Lifting::clusterCtas, "places/cluster_peers"},
    {"onlyOne", &Lifting::onlyOne, "places/rounds_before"},
    {"strands", &Lifting::strands, "places/elected_lane"},
    {"firstRounds", &Lifting::firstRounds, "loops/remainder_of_a_difference"},
    {"places", &Lifting::places, "places/told_extent"},
    {"negative", &Lifting::negative, "places/below_zero"},
    {"byZero", &Lifting::byZero, "places/by_an_empty_extent"},
    {"apart", &Lifting::apart, "loops/late_tile"},
    {"namedSlots", &Lifting::named, "rings/fixed_slot"},
    {"namedSlotsApart", &Lifting::named, "rings/slot_apart"},
    {"namedParities", &Lifting::named, "rings/parity_apart"},
};

/// No program has been found yet that is proven wrongly without these.
const Part unshown[] = {{"ofWhom", &Lifting::ofWhom, ""}, {"moving", &Lifting::moving, ""}};

std::vector<Part> allParts() {
  std::vector<Part> all(std::begin(parts), std::end(parts));
  all.insert(all.end(), std::begin(unshown), std::end(unshown));
  return all;
}

void PrintTo(const Part &p, std::ostream *os) {
  *os << p.name;
}

class LiftingPart : public testing::TestWithParam<Part> {};

TEST_P(LiftingPart, IsNeeded) {
  const Part &p = GetParam();
  Lifting without;
  without.*p.part = false;
  if (!p.seed) {
    EXPECT_TRUE(isWronglyProven(without, p.file)) << p.file;
    return;
  }
  EXPECT_TRUE(wrongProof(without, p.seed)) << "seed " << p.seed;
  EXPECT_FALSE(wrongProof({}, p.seed)) << "seed " << p.seed;
}

/// The programs of the corpus that show each.
TEST(LiftingParts, OfTheCorpusSlow) {
  std::map<std::string, int> found;
  const std::string root = SLUICE_CORPUS, ends[] = {".bad.mlir", ".bad.diff"};
  for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(ends[0]) && !path.ends_with(ends[1]))
      continue;
    const std::string file = path.substr(root.size(), path.size() - root.size() - ends[0].size());
    for (const Part &p : allParts()) {
      Lifting without;
      without.*p.part = false;
      if (isWronglyProven(without, file)) {
        ++found[p.name];
        std::cout << p.name << " " << file << std::endl;
      }
    }
  }
  EXPECT_GE(found.size(), std::size(parts) - 1);
}

INSTANTIATE_TEST_SUITE_P(Parts, LiftingPart, testing::ValuesIn(parts),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace test
} // namespace sluice
