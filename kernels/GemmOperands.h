// What the products of the catalogue have in common: types of operands, sums and results, and how
// matrices lie in memory.
#pragma once

#include "kernels/Catalog.h"
#include "sluice/KernelBuilder.h"

#include <functional>
#include <optional>

namespace sluice {

/// An extent that a launch chooses.
/// Rows, columns and depth of a tile of C, and how many tiles of the inputs are in flight.
void addTileParameters(KernelEntry &entry, const char *depth, const char *stages);
Parameter extentParameter(const char *name, const char *value, const char *help);
/// dtype, out, a and b.
std::vector<Parameter> operandParameters();

/// plan
Parameter planParameter();
/// With the first settings of a plan, unless the parameters have plan=no; all of `chosen` must be
/// auto.
Result<Parameters> planned(const std::string &kernel, const Parameters &p,
                           const std::vector<std::string> &chosen,
                           const std::function<Result<Plan>()> &plan);

/// Numbers of 4 bits of both, with factors of blocks, are two to a byte, and that is an element.
DType typeOfA(const Parameters &p);
DType typeOfB(const Parameters &p);
/// In what products of a type are summed.
DType sumsOf(DType type);
/// Of a byte of shared memory what comes from the tensor: numbers of 4 and 6 bits are padded.
double packedPart(DType type);
/// C of tf32 is as precise as its sums; products of 8 bits may leave the range of f16.
DType outOf(const Parameters &p);
/// What no instruction multiplies.
std::optional<Error> unsupportedTypes(const std::string &kernel, const Parameters &p,
                                      const Arch &arch);
/// Of sums of `products`, or of `K`: rounding to the result, and what the matrix unit adds.
double toleranceOfSums(const Parameters &p, int64_t products);
double toleranceOf(const Parameters &p);

/// A matrix of the given extents, or one for each of a batch, either dimension contiguous.
lang::TensorOptions matrix(int64_t rows, int64_t cols, bool byColumns, bool batched, DType type);

} // namespace sluice
