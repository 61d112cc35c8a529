// Factors of blocks: C = (A SA) (B SB), where so many numbers along K of a row of A, of a column of
// B, have one factor (sm_100a): 32 of floats of 4 to 8 bits a power of two of type ue8m0
// (`scales=mx`, the MX formats), 16 of e2m1 a float of 8 bits without a sign (`scales=nv`, NVFP4).
//
// They lie as cuBLAS and the PTX ISA have them (cuBLAS, "1D Block Scaling Factors Layout"; PTX ISA,
// tcgen05.mma, block scaling): 512 bytes for 128 rows and four blocks along K, byte 16 (r % 32) + 4
// (r / 32) + k for row r and block k; these one after the other along K, and then along the rows.
// As tensors: SA[(M + 127) / 128, 32 (K + 127) / 128, 16], of `nv` 64 in the place of the last 127
// and 128. Behind the last row and block they hold any number; of type ue8m0 that is any byte but
// 255, of `nv` any below 127.
#pragma once

#include "kernels/Catalog.h"
#include "sluice/KernelBuilder.h"

namespace sluice {

/// Factors of numbers of `operand`, an element of a tensor being one number, or two of 4 bits.
struct BlockFactors {
  DType operand, factor;

  int64_t elements() const; // along K that have one factor
  int64_t numbers() const;
  int64_t numbersOfPiece() const; // of four blocks
};

/// Bytes of the factors of a step along K, of a tile of A and one of B.
int64_t bytesOfFactors(const BlockFactors &of, int64_t rows, int64_t columns, int64_t depth);

bool hasBlockScales(const Parameters &p);
/// Where hasBlockScales.
BlockFactors blockFactorsOf(const Parameters &p);
/// Numbers of an element of a tensor of this type.
int64_t numbersOf(DType type);
/// What no block-scaled product computes, nor a product of 4 bits without factors.
std::optional<Error> unsupportedBlockScales(const Parameters &p, const Arch &arch);
/// Extents of SA and SB.
std::vector<TensorShape> blockScaleShapes(const Parameters &p);

/// SA or SB in a kernel; of a batch with one dimension more, the first.
lang::Tensor blockScales(lang::KernelBuilder &k, const BlockFactors &of, bool batched,
                         const char *name);
/// Where the factors of a tile begin.
struct FactorsAt {
  std::vector<lang::Index> batch; // of a batch the number of the matrix
  lang::Index tile, step;         // of 128 lines; along K
};
/// Where those of a tile begin that is number `at` of tiles of so many lines; of few there is one.
bool holdsFewLines(int64_t lines);
lang::Index pieceOf(lang::Index at, int64_t lines);
/// The factors of `lines` rows or columns, and of a step of `depth` elements along K.
lang::Tile loadBlockScales(lang::KernelBuilder &k, const BlockFactors &of,
                           const lang::Tensor &factors, const FactorsAt &at, int64_t lines,
                           int64_t depth, const char *name);

/// The numbers of A, or of B (`rows` false), of which pairs are bytes along K.
Matrix numbersOfPairs(const Matrix &bytes, bool rows);
/// The rows of A, or the columns of B (`rows` false), times their factors.
Matrix timesBlockScales(const BlockFactors &of, const Matrix &lines, const Matrix &factors,
                        bool rows);
/// C++ of the sum of products along K, as HostReference; `matrix` is "l, " in a batch.
std::string blockScaledSumOnHost(const BlockFactors &of, const std::string &matrix);

} // namespace sluice
