#include "Program/Apart.h"

#include <algorithm>
#include <numeric>

namespace sluice {

bool isOnlyRead(std::span<const Tensor> tensors, size_t tensor) {
  return !mayBeWritten(tensors[tensor]) && std::ranges::none_of(tensors, [&](const Tensor &other) {
    return other.inPlaceOf == static_cast<int>(tensor);
  });
}

std::vector<int> memories(std::span<const Tensor> tensors) {
  std::vector<int> of(tensors.size());
  std::iota(of.begin(), of.end(), 0);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].inPlaceOf >= 0)
      of[tensors[t].inPlaceOf] = static_cast<int>(t);
  return of;
}

std::vector<std::string> apartTexts(std::span<const Tensor> tensors) {
  std::vector<std::string> texts;
  for (size_t t = 0; t < tensors.size(); ++t) {
    std::string others;
    for (size_t o = 0; o < tensors.size(); ++o) {
      const bool told = mayBeWritten(tensors[o]) && o < t; // in the line of the other
      if (o != t && !told && tensors[t].inPlaceOf != static_cast<int>(o))
        others += (others.empty() ? "" : ", ") + tensors[o].name;
    }
    if (!mayBeWritten(tensors[t]))
      continue;
    std::string text;
    if (!others.empty())
      text = tensors[t].name + " shares no memory with " + others;
    if (tensors[t].inPlaceOf >= 0)
      text += (text.empty() ? "" : "; ") + tensors[t].name + " is " +
              tensors[tensors[t].inPlaceOf].name + ", or shares no memory with it";
    if (!text.empty())
      texts.push_back("apart: " + text + " (checked at launch)");
  }
  return texts;
}

} // namespace sluice
