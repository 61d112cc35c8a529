#include "Host/Comparison.h"

#include "Program/WorkspaceCounters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace sluice {
namespace {

/// Calls visit(index, bytes from the start) for every element.
template <class Visit> void forElements(const HostTensor &t, const Visit &visit) {
  std::vector<int64_t> index(t.extents.size());
  for (int64_t n = t.elements(), e = 0; e < n; ++e) {
    int64_t rest = e, offset = 0;
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = rest % t.extents[d];
      rest /= t.extents[d];
      offset += index[d] * t.strides[d];
    }
    visit(index, offset * byteSize(t.type));
  }
}

std::string elementText(const std::string &tensor, const std::vector<int64_t> &index, double host,
                        double machine) {
  std::string place;
  for (const int64_t i : index)
    place += (place.empty() ? "" : ",") + std::to_string(i);
  char text[96];
  std::snprintf(text, sizeof text, "] is %.9g, the virtual machine's %.9g", host, machine);
  return tensor + "[" + place + text;
}

double largestOf(const HostTensor &t) {
  double largest = 0;
  forElements(t, [&](const std::vector<int64_t> &, int64_t offset) {
    const double x = std::fabs(loadElement(t.type, t.bytes.data() + offset));
    largest = std::isfinite(x) ? std::max(largest, x) : largest;
  });
  return largest;
}

/// The distance of a number to the next one, of the number; of denormals more.
double unitOf(DType type) {
  return type == DType::f32    ? 0x1p-23
         : type == DType::f16  ? 0x1p-10
         : type == DType::bf16 ? 0x1p-7
         : type == DType::e4m3 ? 0x1p-3
         : type == DType::e5m2 ? 0x1p-2
                               : 0;
}

void compareTensor(const Tensor &tensor, const HostTensor &host, const HostTensor &machine,
                   HostComparison &found) {
  const double scale = largestOf(machine), unit = 2 * unitOf(host.type);
  const bool bits = found.exact || unit == 0;
  const size_t size = size_t(byteSize(host.type));
  forElements(host, [&](const std::vector<int64_t> &index, int64_t offset) {
    ++found.elements;
    const std::byte *mine = host.bytes.data() + offset, *other = machine.bytes.data() + offset;
    const double x = loadElement(host.type, mine), y = loadElement(host.type, other);
    if (std::memcmp(mine, other, size) == 0 || (std::isnan(x) && std::isnan(y)))
      return;
    ++found.different;
    double apart = x == y ? 0 : std::fabs(x - y);
    apart = std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
    found.largest = std::max(found.largest, apart / std::max(scale, 1e-30));
    if ((bits || !(apart <= unit * std::fabs(y) + 0x1p-12 * scale)) && found.wrong++ == 0)
      found.first = elementText(tensor.name, index, x, y);
  });
}

} // namespace

std::string HostComparison::text() const {
  const std::string all = std::to_string(elements);
  if (different == 0)
    return "all " + all + " are the virtual machine's, bit by bit";
  char apart[64];
  std::snprintf(apart, sizeof apart, "%.3g of the largest value", largest);
  const std::string some = std::to_string(different) + " of " + all;
  if (wrong == 0)
    return some + " differ from the virtual machine's by rounding, " + apart + " or less";
  return std::to_string(wrong) + " of " + all + " are not the virtual machine's, apart by up to " +
         apart + "\n             " + first;
}

void poisonOutputs(const Program &program, std::vector<HostTensor> &tensors) {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (const Tensor &t = program.tensors[i]; !t.input && !holdsCounters(t))
      std::ranges::fill(tensors[i].bytes, std::byte(0xff));
}

HostComparison compareOutputs(const Program &program, const std::vector<HostTensor> &host,
                              const std::vector<HostTensor> &machine, bool exact) {
  HostComparison found;
  found.exact = exact;
  for (size_t i = 0; i < host.size(); ++i)
    if (program.tensors[i].output)
      compareTensor(program.tensors[i], host[i], machine[i], found);
  return found;
}

} // namespace sluice
