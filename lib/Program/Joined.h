// Dimensions of a kernel's tensor that a launch passes as one. Two of them (Tensor::joined): rows x
// parts x columns of a part are there rows x columns. Lines (Tensor::isLine): lines x elements are
// there one dimension of any number of elements.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// The tensor as a launch passes it.
Tensor passed(const Tensor &tensor);
/// Extents and strides likewise.
Launch::Shape passed(const Tensor &tensor, Launch::Shape shape);
/// Of all tensors.
Launch passed(const Program &program, Launch launch);
/// The same as whoever launches has them: a tensor that is passed as one line has any rank.
Launch::Shape given(const Tensor &tensor, const Launch::Shape &shape);
/// Of what is given, extents and strides that the kernel sees; as they are where the joined
/// dimension does not have as many elements as the tensor's type says, or where what is to be one
/// line is not dense.
Launch::Shape seen(const Tensor &tensor, Launch::Shape shape);

/// Whether the last of the parts, or of the lines, may have fewer elements than the others.
inline bool hasShortParts(const Tensor &tensor) {
  return tensor.joinedExtent > 0 || tensor.isLine;
}
/// Elements of all parts of a row, or of all lines, of a tensor of short parts.
int64_t elementsTogether(const Tensor &tensor, const Launch::Shape &shape);
/// Of so many together, those of part `part`, which has `width` at most.
int64_t elementsOfPart(int64_t together, int64_t width, int64_t part);

/// Elements of a line, or of a part, that is not short: the next one begins so many further on.
int64_t widthOfLines(const Tensor &tensor);
/// The same of the tensor that loads fill a buffer in shared memory from, the first of them (all
/// have one width: R15); 0: none does.
int64_t widthOfLines(const Program &program, int buffer);
/// Whether the lines of a box of such a tensor lie one behind the other: whole lines, or parts of
/// one row.
bool followOneAnother(const Tensor &tensor, const std::vector<int64_t> &box);

/// Whether dimension `d` of the kernel's is a part of one that is passed.
bool isPartOfJoined(const Tensor &tensor, int d);
/// The dimension that is passed for the kernel's.
int passedDimension(const Tensor &tensor, int d);
/// Arithmetic on extents as that on what is passed; scalar i defines value i, before and after.
/// Extents of joined dimensions are numbers, and lines are as many as the elements take. `values`:
/// where each value is then.
std::vector<Scalar> passed(const std::vector<Tensor> &tensors, const std::vector<Scalar> &scalars,
                           std::vector<ValueId> &values);
/// An extent that is no number of lines, likewise.
Scalar passed(const std::vector<Tensor> &tensors, Scalar scalar);

} // namespace sluice
