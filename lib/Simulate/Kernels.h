// The arithmetic of the virtual machine on dense matrices.
#pragma once

#include "Program/Program.h"
#include "Simulate/Elements.h"

namespace sluice {

/// c[m][n] += a[m][k] b[k][n], all dense and row-major; sums over k in ascending order.
void multiplyAdd(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c);

/// Rounds every element to `type`.
void roundAll(DType type, float *values, int64_t count);

/// The results of `fn` for `count` elements, of the types of its result nodes. `arguments` are
/// converted to the types of their nodes.
std::vector<Elements> evaluateAll(const ElementFn &fn, int64_t count,
                                  const std::vector<const Elements *> &arguments);

/// How the columns of a row are dealt to the lanes that share it: `together` at a time, in turn.
struct LanesOfRow {
  int lanes = 1;
  int64_t together = 1;
};

/// A fold of the columns of `in` (axis 1: one value per row) or of its rows, in f32 for floats.
/// Each lane goes on from the start, and then neighbours are folded, and neighbours of those.
Elements fold(const Reduce &how, int64_t rows, int64_t cols, Elements in, const LanesOfRow &shared);

} // namespace sluice
