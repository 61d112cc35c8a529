#include "Host/TensorMemory.h"

#include "Program/WorkspaceCounters.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <sys/mman.h>
#include <utility>

namespace sluice::host {
namespace {

constexpr size_t margin = 4096, unit = 256; // tensors of a device begin at multiples of 256
constexpr int untouched = 0xff;

size_t roundUp(size_t bytes) {
  return (bytes + unit - 1) / unit * unit;
}

} // namespace

Result<TensorMemory> TensorMemory::make(const LaunchPlan &plan,
                                        const std::vector<HostTensor> &tensors) {
  TensorMemory m;
  m.bytes_ = messageBytes + margin;
  std::vector<std::vector<std::byte>> given;
  for (const HostTensor &t : tensors) {
    given.push_back(bytesOfDevice(t));
    m.bytes_ += roundUp(given.back().size()) + margin;
  }
  void *memory =
      ::mmap(nullptr, m.bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return inputError("no memory for the tensors of kernel " + plan.kernel);
  m.memory_ = static_cast<std::byte *>(memory);
  std::memset(m.memory_ + messageBytes, untouched, m.bytes_ - messageBytes);
  std::byte *next = m.memory_ + messageBytes + margin;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &t = plan.tensors[i];
    const size_t bytes = given[i].size();
    m.parts_.push_back({t.name, next, bytes});
    if (t.input)
      std::ranges::copy(given[i], next);
    else if (holdsCounters(t))
      std::memset(next, 0, bytes);
    next += roundUp(bytes) + margin;
  }
  return m;
}

TensorMemory::TensorMemory(TensorMemory &&o) noexcept
    : memory_(std::exchange(o.memory_, nullptr)), bytes_(o.bytes_), parts_(std::move(o.parts_)) {}

TensorMemory::~TensorMemory() {
  if (memory_)
    ::munmap(memory_, bytes_);
}

bool TensorMemory::has(const std::byte *at, uint64_t bytes) const {
  return std::ranges::any_of(
      parts_, [&](const Part &p) { return at >= p.begin && at + bytes <= p.begin + p.bytes; });
}

std::string TensorMemory::told(const std::byte *at, uint64_t bytes) const {
  const auto range = [&](int64_t from, const std::string &where) {
    return "bytes " + std::to_string(from) + " to " + std::to_string(from + int64_t(bytes) - 1) +
           where;
  };
  for (const Part &p : parts_) {
    if (at >= p.begin && at + bytes <= p.begin + p.bytes)
      return range(at - p.begin, " of " + p.name);
    if (at + bytes > p.begin + p.bytes && at < p.begin + roundUp(p.bytes) + margin / 2 &&
        at >= p.begin)
      return range(at - p.begin, " of " + p.name + ", which has " + std::to_string(p.bytes));
    if (at < p.begin && at >= p.begin - margin / 2)
      return range(at - p.begin, " of " + p.name);
  }
  return "far from all of them";
}

/// Between and around the tensors.
std::optional<Error> TensorMemory::checkMargins() const {
  const std::byte *from = memory_ + messageBytes;
  for (size_t i = 0; i <= parts_.size(); ++i) {
    const std::byte *to = i < parts_.size() ? parts_[i].begin : memory_ + bytes_;
    const auto *changed =
        std::find_if(from, to, [](std::byte b) { return b != std::byte(untouched); });
    if (changed != to)
      return inputError("the printed text writes " + told(changed, 1));
    if (i < parts_.size())
      from = parts_[i].begin + parts_[i].bytes;
  }
  return std::nullopt;
}

std::optional<Error> TensorMemory::copyOut(const LaunchPlan &plan,
                                           std::vector<HostTensor> &tensors) const {
  if (auto wrong = checkMargins())
    return wrong;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part &p = parts_[i];
    const Tensor &t = plan.tensors[i];
    if (t.output)
      std::copy(p.begin, p.begin + p.bytes, tensors[i].bytes.begin());
    else if (t.input && !std::ranges::equal(std::span(p.begin, p.bytes), bytesOfDevice(tensors[i])))
      return inputError("the printed text writes " + t.name + ", which is only read");
  }
  return std::nullopt;
}

} // namespace sluice::host
