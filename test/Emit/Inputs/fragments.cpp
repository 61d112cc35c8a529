// Value i of a part of a fragment's columns lies in the same row, that many columns further on.
#include <sluice/fragment.cuh>

using namespace sluice;

template <int first, int count, int N, int blocks> constexpr bool agrees() {
  using Whole = Fragment<float, N, blocks>;
  using Part = Fragment<float, count, blocks>;
  for (int i = 0; i < Part::count; ++i) {
    const int at = Whole::template within<first, count>(i);
    if (Whole::rowIndex(at) != Part::rowIndex(i) ||
        Whole::colIndex(at) != Part::colIndex(i) + first / 4)
      return false;
  }
  return true;
}

static_assert(agrees<0, 32, 192, 1>() && agrees<160, 32, 192, 1>(), "one block");
static_assert(agrees<0, 32, 192, 2>() && agrees<32, 32, 192, 2>(), "two blocks");
static_assert(agrees<152, 8, 160, 2>() && agrees<0, 160, 160, 2>(), "narrow and whole");

int main() {}
