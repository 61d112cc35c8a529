// Factors of blocks: C = (A SA) (B SB), where 32 elements along K of a row of A, of a column of B,
// have one factor of type ue8m0, a power of two (MX formats; sm_100a).
//
// They lie as cuBLAS and the PTX ISA have them (cuBLAS, "1D Block Scaling Factors Layout"; PTX ISA,
// tcgen05.mma, block scaling): 512 bytes for 128 rows and 128 along K, byte 16 (r % 32) + 4 (r /
// 32) + k for row r and block k; these one after the other along K, and then along the rows. As
// tensors: SA[(M + 127) / 128, 32 (K + 127) / 128, 16]. Behind the last row and block they hold any
// number; of type ue8m0 that is any byte but 255.
#pragma once

#include "kernels/Catalog.h"
#include "sluice/KernelBuilder.h"

namespace sluice {

bool hasBlockScales(const Parameters &p);
/// What no block-scaled product computes.
std::optional<Error> unsupportedBlockScales(const Parameters &p, const Arch &arch);
/// Extents of SA and SB.
std::vector<TensorShape> blockScaleShapes();

/// SA or SB in a kernel.
lang::Tensor blockScales(lang::KernelBuilder &k, const char *name);
/// The factors of `lines` rows or columns from tile `tile` of 128 on, and of step `t` along K.
lang::Tile loadBlockScales(lang::KernelBuilder &k, const lang::Tensor &factors, lang::Index tile,
                           lang::Index t, int64_t lines, const char *name);

/// The rows of A, or the columns of B (`rows` false), times their factors.
Matrix timesBlockScales(const Matrix &lines, const Matrix &factors, bool rows);
/// C++ of the factor of line `line`, as HostReference.
std::string blockScaleOnHost(const std::string &tensor, const std::string &line);

} // namespace sluice
