#include "Campaign/Chaos.h"

#include "Campaign/RandomLaunches.h"
#include "Program/Agent.h"
#include "Program/CoreMeeting.h"
#include "Program/Joined.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr int64_t smallGrid = 4; // CTAs

/// Small integers: sums of their products are exact in any order. Those that the launch names are
/// as it says.
HostTensor pattern(const Tensor &tensor, const Launch::Shape &shape) {
  HostTensor t;
  t.type = tensor.type;
  t.extents = shape.extents;
  t.strides = shape.strides;
  const int64_t size = byteSize(tensor.type);
  int64_t last = 0;
  bool empty = false;
  for (size_t d = 0; d < t.extents.size(); ++d) {
    last += (t.extents[d] - 1) * t.strides[d];
    empty |= t.extents[d] == 0;
  }
  t.bytes.resize(empty ? 0 : (last + 1) * size);
  std::vector<std::byte> values(7 * size);
  for (int64_t v = 0; v < 7; ++v)
    storeElement(tensor.type, values.data() + v * size, static_cast<double>(v - 3));
  for (int64_t n = 0; (n + 1) * size <= static_cast<int64_t>(t.bytes.size()); ++n)
    std::copy_n(values.data() + n * 31 % 7 * size, size, t.bytes.data() + n * size);
  if (!shape.integers.empty())
    setIntegers(t, shape.integers);
  return t;
}

} // namespace

Chaos::Chaos(const Program &program, const Arch &arch, const Launch &launch, double delay,
             std::optional<int64_t> cta, bool lateReads)
    : program_(program), arch_(arch), launch_(launch), delay_(delay), cta_(cta),
      lateReads_(lateReads) {
  for (size_t i = 0; i < program.tensors.size(); ++i)
    inputs_.push_back(pattern(program.tensors[i], passed(program.tensors[i], launch.tensors[i])));
  for (const int counter : countersOf(program)) // they begin at 0
    std::ranges::fill(inputs_[counter].bytes, std::byte{0});
}

std::optional<std::string> Chaos::run() {
  std::vector<HostTensor> tensors = inputs_;
  SimulateOptions how;
  how.seed = runs_;
  how.chaos = runs_ ? delay_ : 0;
  how.lateReads = runs_ && lateReads_;
  how.onlyCta = cta_;
  const std::string start = "delays of seed " + std::to_string(runs_) + " give ";
  const auto result = simulate(program_, arch_, launch_.arguments, tensors, how);
  if (!result)
    return "the virtual machine refuses it: " + result.error().message;
  if ((violation_ = result->violation))
    return start + violation_->rule + ": " + violation_->message;
  if (runs_++ == 0) {
    first_ = std::move(tensors);
    return {};
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].bytes != first_[i].bytes)
      return start + "another " + program_.tensors[i].name;
  return {};
}

std::optional<int64_t> onlyCtaOf(const Program &program, const Launch &launch,
                                 const std::array<int64_t, 3> &cta) {
  std::vector<int64_t> grid = gridExtents(program, launch);
  grid.resize(3, 1);
  if (usesCounters(program) || cancelsLaunches(program) || coreMeetingOf(program) ||
      grid[0] * grid[1] * grid[2] <= smallGrid)
    return {};
  return cta[0] + grid[0] * (cta[1] + grid[1] * cta[2]);
}

} // namespace sluice
