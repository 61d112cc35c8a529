// What gemm does with the product before it stores it:
// C = activation(alpha rowScale colScale A B + beta R + bias), each part of it if asked for.
#pragma once

#include "kernels/Catalog.h"
#include "sluice/KernelBuilder.h"

#include <optional>

namespace sluice {

struct GemmEpilogue {
  bool bias = false;                           // one per column
  bool residual = false;                       // R, a tensor like C
  bool inPlace = false;                        // C may be its memory
  bool alpha = false, beta = false;            // numbers of the launch; beta is R's factor
  bool scaleOfRow = false, scaleOfCol = false; // f32, one per row, one per column
  Activation activation = Activation::none;
  bool swapped = false; // the sums are those of C^T
  /// R comes box by box while the products run; where these are few, all at once.
  bool pacedResidual = true;
  bool onVectors = false; // Ascend's: numbers of rows lie side by side

  /// Whether more is done to the sums than to convert them.
  bool computes() const {
    return bias || residual || alpha || scaleOfRow || scaleOfCol || activation != Activation::none;
  }
};

/// Values of alpha and beta where nobody gives them: in run, bench and a main of its own.
constexpr float kGemmAlpha = 0.75F, kGemmBeta = 0.5F;

std::vector<Parameter> epilogueParameters();
GemmEpilogue epilogueOf(const Parameters &p);
/// What is wrong with the combination; empty: nothing.
std::string wrongEpilogue(const GemmEpilogue &e);

/// Extents of the tensors that it reads.
std::vector<TensorShape> epilogueShapes(const GemmEpilogue &e);
std::map<std::string, int64_t> epilogueArguments(const GemmEpilogue &e);
GemmReference epilogueReference(const GemmEpilogue &e, const Matrices &in);
/// C++ from the sum of the products on, as in HostReference::element; `matrix` comes first among
/// the indices: "l, " of a batch, else empty.
std::string epilogueOnHost(const GemmEpilogue &e, const std::string &matrix);

/// A box of a matrix, or of the matrix of a batch that `batch` holds the number of.
lang::Box boxAt(const lang::Tensor &tensor, const std::vector<lang::Index> &batch, lang::Index row,
                lang::Index col);

/// Its tensors and numbers in a kernel. Tensors come before numbers: first the constructor, then
/// the kernel's output, then numbers().
class EpilogueInputs {
public:
  /// R is described as C is, `rank` is C's; rows of the vectors are aligned as N says.
  EpilogueInputs(lang::KernelBuilder &k, const GemmEpilogue &e, DType out, int64_t N, int rank,
                 const lang::TensorOptions &likeC);
  /// Says so of C where it may be launched as the memory of R.
  void mayBe(const lang::Tensor &C);
  void numbers();
  /// The tile of C at (row, col) from the sums of the products.
  lang::Tile finish(const lang::Tile &sums, DType out, const std::vector<lang::Index> &batch,
                    lang::Index row, lang::Index col) const;

private:
  lang::KernelBuilder &k_;
  GemmEpilogue e_;
  std::optional<lang::Tensor> bias_, residual_, rowScale_, colScale_;
  std::optional<lang::Element> alpha_, beta_;
};

} // namespace sluice
