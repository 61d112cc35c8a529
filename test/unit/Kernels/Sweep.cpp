#include "Kernels/Sweep.h"

#include "Campaign/RandomLaunches.h"
#include "Program/Strides.h"
#include "sluice/Compile.h"

#include <algorithm>
#include <iostream>
#include <random>

namespace sluice {
namespace {

std::string told(const Verdict &verdict) {
  std::string text = verdict.tripCounts;
  for (const Violation &v : verdict.violations)
    text += "\n" + v.rule + ": " + v.message;
  for (const std::string &note : verdict.notes)
    text += "\n" + note;
  return text;
}

/// A thread of Blackwell has a row of a tile; where it is too long, the proof says so first.
bool needsMoreRegisters(Target target, const Verdict &verdict) {
  const auto isOfRegisters = [](const Violation &v) { return v.rule == "R19"; };
  return target == Target::sm_100a && !verdict.violations.empty() &&
         std::ranges::all_of(verdict.violations, isOfRegisters);
}

/// Most are of a few ragged tiles, one in four is long; along K, K1 and K2 there may be nothing.
int64_t drawnExtent(const std::string &name, std::mt19937_64 &random) {
  const int64_t most = random() % 4 ? 400 : 5000;
  return name.starts_with("K") && random() % 8 == 0 ? 0 : 1 + static_cast<int64_t>(random() % most);
}

/// Numbers of 4 and 6 bits come 128 at a time along K (R52), two of 4 bits to a byte.
int64_t multipleAlongK(const Program &program) {
  int64_t multiple = 1;
  for (const Tensor &t : program.tensors)
    multiple = std::max<int64_t>(multiple, isPacked(t.type)          ? packedLine
                                           : t.type == DType::e2m1x2 ? 2
                                                                     : 1);
  return multiple;
}

/// Other extents for the same program; nothing where it has none, or none drawn are legal.
std::optional<Launch> drawnLaunch(const KernelEntry &entry, const Parameters &parameters,
                                  const Program &program, std::mt19937_64 &random) {
  constexpr int draws = 20;
  const bool any = std::ranges::any_of(entry.parameters, &Parameter::atLaunch);
  const int64_t multiple = multipleAlongK(program);
  const auto drawn = [&](const std::string &name) {
    const int64_t extent = drawnExtent(name, random);
    return name == "K" ? (extent + multiple - 1) / multiple * multiple : extent;
  };
  for (int i = 0; i < draws && any; ++i) {
    Parameters other = parameters;
    for (const Parameter &p : entry.parameters)
      if (p.atLaunch && parameters.number(p.name) > 1) // a batch of one has no dimension
        other = other.with(p.name, std::to_string(drawn(p.name)));
    Launch launch;
    for (const Tensor &t : program.tensors) {
      const std::vector<int64_t> extents = extentsOf(entry, other, t);
      launch.tensors.push_back(seen(t, {extents, std::vector<int64_t>(extents.size())}));
    }
    launch.arguments = argumentsOf(entry, other, program);
    takeLegalStrides(program, launch);
    if (isLegal(program, launch))
      return launch;
  }
  return {};
}

/// One of four short ones runs on the virtual machine too.
void holdAtDrawn(const KernelEntry &entry, const Parameters &parameters, const Program &program,
                 const Arch &arch, const Verdict &verdict, Outcome &outcome) {
  std::mt19937_64 random(static_cast<uint64_t>(outcome.proven));
  Differential against(program, arch, verdict, 20'000);
  for (int i = 0; i < outcome.launches; ++i)
    if (const auto launch = drawnLaunch(entry, parameters, program, random))
      if (const auto fault = against.disagreementAt(*launch, random() % 4 == 0))
        ADD_FAILURE() << *fault;
  outcome.held.add(against.counts());
}

} // namespace

void proveOne(const Sweep &sweep, const Settings &settings, Outcome &outcome) {
  const KernelEntry &entry = *findKernel(sweep.kernel);
  const Arch &arch = defaultArch(sweep.target);
  auto parameters = resolve(entry, settings);
  ASSERT_TRUE(parameters) << parameters.error().message;
  SCOPED_TRACE(entry.name + " on " + std::string(name(sweep.target)) + ": " + parameters->str());
  auto kernel = entry.build(*parameters, arch);
  ASSERT_TRUE(kernel) << kernel.error().message;
  CompileOptions options;
  options.target = sweep.target;
  auto program = compile(*kernel, options);
  if (!program) {
    const std::string &message = program.error().message;
    EXPECT_NE(message.find(" bytes of "), std::string::npos) << message;
    EXPECT_NE(message.find(", " + arch.name + " has "), std::string::npos) << message;
    ++outcome.tooLarge;
    return;
  }
  const Verdict verdict = prove(*program, arch,
                                launchOf(*program, tensorsOf(entry, *parameters, *program),
                                         argumentsOf(entry, *parameters, *program)));
  if (needsMoreRegisters(sweep.target, verdict)) {
    ++outcome.tooLarge;
    return;
  }
  EXPECT_EQ(verdict.kind, Verdict::proven) << told(verdict);
  EXPECT_EQ(verdict.tripCounts, "all");
  if (outcome.proven++ % outcome.every == 0)
    holdAtDrawn(entry, *parameters, *program, arch, verdict, outcome);
}

Axis axis(std::string name, std::initializer_list<const char *> values) {
  Axis axis{{std::move(name)}, {}};
  for (const char *value : values)
    axis.values.push_back({value});
  return axis;
}

Outcome proveEvery(size_t stride, const Sweep &sweep, int every, int launches) {
  Outcome outcome{every, launches};
  for (size_t number = 0; number < sweep.size(); number += stride)
    proveOne(sweep, sweep.at(number), outcome);
  std::cout << outcome.held.str() << '\n';
  return outcome;
}

} // namespace sluice
