#include "Program/Boxes.h"

#include <algorithm>

namespace sluice {

std::vector<int> dimensionsOfTile(const View &v) {
  int rank = int(v.shape.size());
  std::vector<int> dims;
  for (int d = 0; d < rank; ++d)
    if (v.shape[d] != 1)
      dims.push_back(d);
  for (int d = rank - 1; d >= 0 && dims.size() < 2; --d)
    if (std::find(dims.begin(), dims.end(), d) == dims.end())
      dims.push_back(d);
  std::sort(dims.begin(), dims.end());
  return dims;
}

} // namespace sluice
