// The arithmetic of the virtual machine on dense single-precision matrices.
#pragma once

#include "Machine/ElementFn.h"

#include <cstdint>
#include <vector>

namespace sluice {

/// c[m][n] += a[m][k] b[k][n], all dense and row-major; sums over k in ascending order.
void multiplyAdd(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c);

/// Rounds every element to `type`.
void roundAll(DType type, float *values, int64_t count);

/// Evaluates `fn` for `count` elements. `arguments`: one array per argument; `results`: one array
/// per result of fn, already of size `count`. max and min let NaN through, so that poison shows.
void evaluateAll(const ElementFn &fn, int64_t count, const std::vector<const float *> &arguments,
                 const std::vector<float *> &results);

/// out[r] = fold of fn over the row in[r][0 .. cols), starting from `identity`; left to right.
void foldRows(const ElementFn &fn, double identity, int64_t rows, int64_t cols, const float *in,
              float *out);
/// out[c] = fold of fn over the column in[0 .. rows)[c], starting from `identity`; top to bottom.
void foldColumns(const ElementFn &fn, double identity, int64_t rows, int64_t cols, const float *in,
                 float *out);

} // namespace sluice
