// The arithmetic of the virtual machine on dense matrices.
#pragma once

#include "Simulate/Elements.h"

namespace sluice {

/// c[m][n] += a[m][k] b[k][n], all dense and row-major; sums over k in ascending order.
void multiplyAdd(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c);

/// Rounds every element to `type`.
void roundAll(DType type, float *values, int64_t count);

/// The results of `fn` for `count` elements, of the types of its result nodes. `arguments` are
/// converted to the types of their nodes. max and min let NaN through, so that poison shows.
std::vector<Elements> evaluateAll(const ElementFn &fn, int64_t count,
                                  const std::vector<const Elements *> &arguments);

/// out[r] = fold of fn over the row in[r][0 .. cols), starting from `identity`; left to right.
Elements foldRows(const ElementFn &fn, double identity, int64_t rows, int64_t cols,
                  const Elements &in);
/// out[c] = fold of fn over the column in[0 .. rows)[c], starting from `identity`; top to bottom.
Elements foldColumns(const ElementFn &fn, double identity, int64_t rows, int64_t cols,
                     const Elements &in);

} // namespace sluice
