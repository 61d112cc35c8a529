#include "Launch/CommonMemory.h"

#include "Launch/LaunchPlan.h"
#include "Program/Apart.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sluice {
namespace {

using Wide = __int128; // addresses, and extents times strides

constexpr int mostRank = 5; // of tensors whose elements are told apart one by one, of whole bytes

/// From the first byte of a tensor to behind its last. Strides may be negative.
struct Bytes {
  Wide begin, end;
};

Bytes bytesOf(const TensorArgument &t) {
  const int64_t bits = bitsInTensors(t.type);
  Bytes bytes{static_cast<Wide>(t.address), static_cast<Wide>(t.address) + byteSize(t.type)};
  for (int d = 0; d < t.rank; ++d) {
    const Wide last = Wide(t.extents[d] - 1) * t.strides[d] * bits / 8;
    (last < 0 ? bytes.begin : bytes.end) += last;
  }
  return bytes;
}

/// Distances of two bytes, one of each tensor: sums of terms, stride * n for lowest <= n <=
/// highest.
class Distances {
public:
  Distances(const TensorArgument &a, const TensorArgument &b) {
    add(1, byteSize(b.type), 1 - byteSize(a.type)); // inside an element
    for (const auto &[tensor, sign] : {std::pair(&a, -1), std::pair(&b, 1)})
      for (int d = 0; d < tensor->rank; ++d)
        addDimension(Wide(tensor->strides[d]) * byteSize(tensor->type) * sign,
                     tensor->extents[d] - 1);
    std::sort(terms_.begin(), terms_.begin() + count_,
              [](const Term &x, const Term &y) { return x.stride > y.stride; });
    for (size_t i = count_; i-- > 0;) {
      const Term &t = terms_[i];
      least_[i] = least_[i + 1] + t.lowest * t.stride;
      most_[i] = most_[i + 1] + t.highest * t.stride;
    }
  }

  /// Whether some sum is `distance`, from the widest stride down: what is left of the distance
  /// has to be one that narrower strides reach.
  bool contain(Wide distance) { return contain(distance, 0); }

private:
  struct Term {
    Wide stride, lowest, highest; // stride > 0
  };

  void addDimension(Wide stride, int64_t last) {
    if (stride > 0)
      add(stride, last + 1, 0);
    else if (stride < 0)
      add(-stride, 1, -last);
  }

  /// Equal strides of the two are one term.
  void add(Wide stride, int64_t end, int64_t lowest) {
    for (size_t i = 0; i < count_; ++i)
      if (terms_[i].stride == stride) {
        terms_[i].lowest += lowest;
        terms_[i].highest += end - 1;
        return;
      }
    if (lowest < end - 1)
      terms_[count_++] = {stride, lowest, end - 1};
  }

  static Wide roundedDown(Wide x, Wide by) { return x / by - (x % by < 0); }

  bool contain(Wide distance, size_t from) {
    if (distance < least_[from] || distance > most_[from])
      return false;
    if (from == count_ || --steps_ < 0)
      return true;
    const Term &t = terms_[from];
    const Wide first = std::max(t.lowest, -roundedDown(most_[from + 1] - distance, t.stride));
    const Wide last = std::min(t.highest, roundedDown(distance - least_[from + 1], t.stride));
    for (Wide n = first; n <= last && steps_ >= 0; ++n)
      if (contain(distance - n * t.stride, from + 1))
        return true;
    return steps_ < 0;
  }

  static constexpr int mostSteps = 4096;
  static constexpr size_t mostTerms = 2 * mostRank + 1; // of two tensors, and bytes of elements
  std::array<Term, mostTerms> terms_;
  size_t count_ = 0;
  std::array<Wide, mostTerms + 1> least_{}, most_{}; // that the terms from one on add up to
  int steps_ = mostSteps;
};

/// The same elements at the same places. Of a dimension with one element the stride says nothing.
bool areOne(const TensorArgument &a, const TensorArgument &b) {
  if (a.address != b.address || a.rank != b.rank)
    return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.extents[d] != b.extents[d] || (a.extents[d] > 1 && a.strides[d] != b.strides[d]))
      return false;
  return true;
}

Error shared(const LaunchPlan &plan, size_t a, size_t b) {
  const bool second = !mayBeWritten(plan.tensors[a]);
  const std::string &written = plan.tensors[second ? b : a].name;
  const std::string &other = plan.tensors[second ? a : b].name;
  const std::string start = "kernel " + plan.kernel + ": " + written + ", which it writes, and " +
                            other + " share memory";
  return inputError(mayBeOne(plan.tensors, a, b)
                        ? start + ", and are not the same elements at the same places; give " +
                              written + " all of " + other + ", or memory of its own"
                        : start + "; give " + written + " memory of its own");
}

} // namespace

bool mayShareMemory(const TensorArgument &a, const TensorArgument &b) {
  if (a.isEmpty() || b.isEmpty())
    return false;
  const Bytes first = bytesOf(a), second = bytesOf(b);
  if (first.end <= second.begin || second.end <= first.begin)
    return false;
  if (a.rank > mostRank || b.rank > mostRank || isPacked(a.type) || isPacked(b.type))
    return true;
  return Distances(a, b).contain(static_cast<Wide>(a.address) - static_cast<Wide>(b.address));
}

bool elementsAreApart(const TensorArgument &t) {
  const auto stride = [&](int d) { return t.strides[d] < 0 ? -Wide(t.strides[d]) : t.strides[d]; };
  for (int d = 0; d < t.rank; ++d) {
    Wide narrower = 0; // what these span; of two equal strides the first is one of them
    for (int e = 0; e < t.rank; ++e)
      if (e != d && (stride(e) < stride(d) || (stride(e) == stride(d) && e < d)))
        narrower += stride(e) * (t.extents[e] - 1);
    if (t.extents[d] > 1 && stride(d) <= narrower)
      return false;
  }
  return true;
}

std::optional<Error> checkApart(const LaunchPlan &plan, const LaunchArguments &with) {
  for (size_t a = 0; a < with.tensors.size(); ++a)
    for (size_t b = a + 1; b < with.tensors.size(); ++b) {
      if (!mayBeWritten(plan.tensors[a]) && !mayBeWritten(plan.tensors[b]))
        continue;
      if (mayBeOne(plan.tensors, a, b) && areOne(with.tensors[a], with.tensors[b]))
        continue;
      if (mayShareMemory(with.tensors[a], with.tensors[b]))
        return shared(plan, a, b);
    }
  return std::nullopt;
}

} // namespace sluice
