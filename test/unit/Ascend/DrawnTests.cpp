// Random kernels along rows for Ascend: where the checker says that every launch is proven, the
// virtual machine computes what the text means, for ascend910b and ascend950, and so does the
// printed Ascend C on our model of the public API.
#include "Ascend/DrawnRows.h"
#include "Ascend/HostModel.h"
#include "Program/TensorShape.h"
#include "Reference/Reference.h"
#include "sluice/Compile.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <regex>

namespace sluice::test::drawn {
namespace {

/// SLUICE_SEED=17 SLUICE_KERNELS=1 tries one again, and prints its text.
uint64_t given(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::stoull(text) : otherwise;
}

constexpr int64_t cores = 3; // of a launch: tiles come round again

Arch machineOf(Target target) {
  Arch arch = defaultArch(target);
  arch.cores = cores;
  return arch;
}

/// A launch: inputs, the program's tensors, and what its outputs shall be.
class DrawnLaunch {
public:
  DrawnLaunch(DrawnKernel &kernel, const Program &program, const DrawnSizes &sizes, uint64_t seed)
      : program_(program) {
    std::map<std::string, HostTensor> named;
    for (const Tensor &t : program.tensors) {
      const auto drawn = std::ranges::find(kernel.tensors(), t.name, &DrawnTensor::name);
      tensors.push_back(drawn == kernel.tensors().end()
                            ? HostTensor::dense(t.type, t.extents, t.minor)
                            : tensorOf(*drawn, sizes, seed));
      if (drawn != kernel.tensors().end())
        named[t.name] = tensors.back();
    }
    expected_ = kernel.outputsFor(std::move(named));
    for (const HostTensor &t : tensors)
      launch.tensors.push_back(shapeOf(t));
  }

  /// The first element of an output that is wrong, or of what lies between; empty: none.
  std::string wrong(const std::vector<HostTensor> &results, bool onModel = false) {
    for (size_t i = 0; i < results.size(); ++i) {
      const auto expected = expected_.find(program_.tensors[i].name);
      if (expected == expected_.end())
        continue;
      if (std::string what = wrong(results[i], expected->second, onModel); !what.empty())
        return expected->first + what;
    }
    return "";
  }
  std::string wrongOf(const std::vector<ModelTensor> &results) {
    std::vector<HostTensor> copies = tensors;
    for (size_t i = 0; i < copies.size(); ++i)
      if (!copies[i].bytes.empty())
        std::memcpy(copies[i].bytes.data(), results[i].bytes.data(), copies[i].bytes.size());
    return wrong(copies, true);
  }

  Launch launch;
  std::vector<HostTensor> tensors;
  int64_t known = 0, elements = 0; // of outputs that were compared

private:
  static HostTensor tensorOf(const DrawnTensor &t, const DrawnSizes &sizes, uint64_t seed) {
    std::vector<int64_t> extents;
    for (const int64_t extent : t.extents)
      extents.push_back(extent == -1   ? sizes.rows
                        : extent == -2 ? t.columns
                        : extent == -3 ? sizes.matrices
                                       : extent);
    HostTensor tensor = HostTensor::dense(t.type, extents, t.minor);
    const bool isPadded = t.minor + 1 == int(extents.size()) && sizes.pad > 0;
    if (isPadded) { // rows lie apart
      int64_t stride = extents.back() + sizes.pad;
      for (int d = int(extents.size()) - 2; d >= 0; stride *= extents[size_t(d--)])
        tensor.strides[size_t(d)] = stride;
      tensor.bytes.resize(size_t(stride * byteSize(t.type)));
    }
    std::ranges::fill(tensor.bytes, std::byte{0xff}); // no numbers
    if (!t.output)
      fillInput(tensor, 32 * seed + uint64_t(t.name[0] - 'A'));
    return tensor;
  }
  /// Normal numbers, in some launches infinities and zeros among them.
  static void fillInput(HostTensor &tensor, uint64_t seed) {
    HostTensor numbers =
        HostTensor::dense(tensor.type, tensor.extents, int(tensor.extents.size()) - 1);
    fillNormal(numbers, seed, 1);
    std::mt19937_64 random(seed);
    const bool special = seed / 32 % 5 == 0;
    forEach(tensor, [&](const std::vector<int64_t> &at) {
      constexpr double specials[] = {INFINITY, -INFINITY, 0, -0.0, 1e4, 1e-4};
      tensor.set(at, special && random() % 32 == 0 ? specials[random() % 6] : numbers.at(at));
    });
  }
  template <typename Visit> static void forEach(const HostTensor &tensor, const Visit &visit) {
    std::vector<int64_t> at(tensor.extents.size(), 0);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      int64_t rest = i;
      for (size_t d = at.size(); d-- > 0; rest /= tensor.extents[d])
        at[d] = rest % tensor.extents[d];
      visit(at);
    }
  }
  std::string wrong(const HostTensor &have, const std::vector<Bounded> &want, bool onModel) {
    std::string first;
    int64_t count = 0, number = 0;
    std::vector<bool> within(have.bytes.size(), false);
    forEach(have, [&](const std::vector<int64_t> &at) {
      const Bounded &w = want[size_t(number++)];
      int64_t place = 0;
      for (size_t d = 0; d < at.size(); ++d)
        place += at[d] * have.strides[d];
      for (int64_t b = 0; b < byteSize(have.type); ++b)
        within[size_t(place * byteSize(have.type) + b)] = true;
      ++elements;
      if (!w.isKnown() || (onModel && w.isOpen))
        return;
      ++known;
      const double h = have.at(at);
      if (h == w.value || (std::isnan(h) && std::isnan(w.value)) ||
          std::fabs(h - w.value) <= w.reach)
        return;
      if (count++ == 0) {
        for (const int64_t index : at)
          first += (first.empty() ? "[" : ",") + std::to_string(index);
        first += "] is " + std::to_string(h) + " for " + std::to_string(w.value) + " within " +
                 std::to_string(w.reach);
      }
    });
    for (size_t i = 0; i < have.bytes.size() && first.empty(); ++i)
      if (!within[i] && have.bytes[i] != std::byte{0xff})
        first = " is written between its rows";
    return count > 1 ? first + ", one of " + std::to_string(count) : first;
  }

  const Program &program_;
  std::map<std::string, std::vector<Bounded>> expected_;
};

/// A message without names, numbers and places, so that like ones are counted together.
std::string shortened(const std::string &message) {
  std::string text = std::regex_replace(message, std::regex("'[^']*'"), "'..'");
  text = std::regex_replace(text, std::regex("-?[0-9]+"), "#");
  return text.substr(0, 140);
}

struct Tally {
  int drawn = 0, proven = 0, executed = 0;
  int64_t known = 0, elements = 0;
  std::map<std::string, int> families, reasons;
};

class Campaign {
public:
  Campaign(uint64_t first, uint64_t count)
      : first_(given("SLUICE_SEED", first)), count_(given("SLUICE_KERNELS", count)) {}

  Tally hold() {
    std::cout << "seeds from " << first_ << '\n';
    for (uint64_t i = 0; i < count_; i += together) {
      printed_.clear();
      for (uint64_t k = i; k < std::min(i + together, count_); ++k)
        for (const Target target : {Target::ascend910b, Target::ascend950})
          holdOf(first_ + k, target);
      execute();
    }
    tell();
    return tally_;
  }

private:
  static constexpr uint64_t together = 24; // texts that are compiled as one

  struct Printed {
    uint64_t seed;
    DrawnRows drawn;
    Program program;
    EmittedSource source;
  };

  void holdOf(uint64_t seed, Target target) {
    DrawnRows drawn = drawRows(std::string(name(target)), seed);
    const std::string text = drawn.kernel->text();
    if (count_ == 1)
      std::cout << text;
    ++tally_.drawn;
    auto program = compiled(text, target, seed);
    if (!program)
      return;
    const Arch arch = machineOf(target);
    DrawnLaunch some(*drawn.kernel, *program, drawn.launches[1], seed);
    const Verdict verdict = prove(*program, arch, some.launch, {.seconds = 10});
    if (!verdict.provenForEveryLaunch()) {
      refused(verdict, text, seed);
      return;
    }
    for (const std::string &assumption : verdict.assumptions) // the lowering replaces all rest
      EXPECT_FALSE(assumption.starts_with("rest-unused")) << seed << ": " << assumption << "\n"
                                                          << text;
    ++tally_.proven;
    ++tally_.families[drawn.family];
    for (const DrawnSizes &sizes : drawn.launches)
      simulated(drawn, *program, arch, sizes, seed, text);
    if (target == Target::ascend910b)
      print(std::move(drawn), std::move(*program), seed);
  }

  std::optional<Program> compiled(const std::string &text, Target target, uint64_t seed) {
    const auto kernels = parseKernelText(text, "drawn.mlir");
    EXPECT_TRUE(kernels) << seed << ": " << (kernels ? "" : kernels.error().message) << "\n"
                         << text;
    if (!kernels)
      return std::nullopt;
    const Arch arch = machineOf(target);
    CompileOptions options;
    options.target = target;
    options.arch = &arch;
    auto program = compile(kernels->front(), options);
    if (program)
      return std::move(*program);
    ++tally_.reasons["compile: " + shortened(program.error().message)];
    return std::nullopt;
  }
  /// What the lowering makes may be more than the proof follows; it is not wrong.
  void refused(const Verdict &verdict, const std::string &text, uint64_t seed) {
    const std::string why = !verdict.violations.empty()
                                ? verdict.violations[0].rule + ": " + verdict.violations[0].message
                            : verdict.notes.empty() ? verdict.tripCounts
                                                    : verdict.notes[0];
    EXPECT_NE(verdict.kind, Verdict::violated) << seed << ": " << why << "\n" << text;
    ++tally_.reasons["check: " + shortened(why)];
  }
  void simulated(DrawnRows &drawn, const Program &program, const Arch &arch,
                 const DrawnSizes &sizes, uint64_t seed, const std::string &text) {
    for (const double chaos : {0.0, 300.0}) {
      DrawnLaunch launch(*drawn.kernel, program, sizes, seed);
      SimulateOptions options;
      options.chaos = chaos;
      options.seed = seed;
      const auto run = simulate(program, arch, {}, launch.tensors, options);
      const std::string wrong = !run             ? run.error().message
                                : run->violation ? run->violation->message
                                                 : launch.wrong(launch.tensors);
      EXPECT_EQ(wrong, "") << "seed " << seed << " on " << arch.name << ", " << sizes.rows
                           << " rows, " << sizes.matrices << " matrices, " << sizes.pad
                           << " between rows:\n"
                           << text;
      tally_.known += launch.known;
      tally_.elements += launch.elements;
    }
  }
  void print(DrawnRows drawn, Program program, uint64_t seed) {
    auto source = emitAscend(program);
    if (!source)
      ++tally_.reasons["emit: " + shortened(source.error().message)];
    else
      printed_.push_back({seed, std::move(drawn), std::move(program), std::move(*source)});
  }
  void execute() {
    std::vector<EmittedSource> sources;
    for (const Printed &p : printed_)
      sources.push_back(p.source);
    if (sources.empty())
      return;
    const auto model = HostModel::compile(sources, SLUICE_TEST_FOLDER "/ascendc");
    ASSERT_TRUE(model) << "seeds from " << printed_[0].seed << ": " << model.error().message;
    for (size_t i = 0; i < printed_.size(); ++i)
      for (const DrawnSizes &sizes : printed_[i].drawn.launches)
        execute(*model, int(i), sizes);
    tally_.executed += int(sources.size());
  }
  void execute(const HostModel &model, int which, const DrawnSizes &sizes) {
    const Printed &p = printed_[size_t(which)];
    DrawnLaunch launch(*p.drawn.kernel, p.program, sizes, p.seed);
    std::vector<ModelTensor> tensors;
    for (const HostTensor &t : launch.tensors) {
      const auto *bytes = reinterpret_cast<const uint8_t *>(t.bytes.data());
      tensors.push_back({{bytes, bytes + t.bytes.size()}});
    }
    std::string wrong = model.record(which, p.program, launch.launch, tensors);
    for (const unsigned order : {1u, 8u, unsigned(24 + p.seed % 1000)}) {
      if (wrong.empty())
        wrong = model.play(order);
      if (wrong.empty())
        wrong = launch.wrongOf(tensors);
    }
    EXPECT_EQ(wrong, "") << "seed " << p.seed << " on the model, " << sizes.rows << " rows, "
                         << sizes.matrices << " matrices, " << sizes.pad << " between rows:\n"
                         << p.drawn.kernel->text();
  }
  void tell() const {
    std::cout << tally_.drawn << " drawn, " << tally_.proven << " proven, " << tally_.executed
              << " executed on the model; of " << tally_.elements << " elements " << tally_.known
              << " have a bound\n";
    for (const auto &[family, count] : tally_.families)
      std::cout << "  " << family << ": " << count << '\n';
    for (const auto &[reason, count] : tally_.reasons)
      std::cout << "  " << count << " " << reason << '\n';
  }

  const uint64_t first_, count_;
  std::vector<Printed> printed_;
  Tally tally_;
};

TEST(DrawnRows, AreProvenAndRight) {
  const Tally tally = Campaign(40, 8).hold();
  if (tally.drawn == 16) {
    EXPECT_GT(tally.proven, 12);
    EXPECT_GT(tally.executed, 4);
    EXPECT_GT(tally.known, tally.elements / 2);
  }
}

TEST(DrawnRows, AreProvenAndRightSlow) {
  Campaign(std::random_device()() % 1000000007, 400).hold();
}

} // namespace
} // namespace sluice::test::drawn
