#include "Reference/Reference.h"

namespace sluice {

Matrix referenceDropout(const Matrix &x, float p, const RandomPlace &first) {
  Matrix kept = Matrix::Zero(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      RandomPlace at = first;
      at.row += i, at.column += j;
      if (uniformOf(randomBits(at)) >= p)
        kept(i, j) = x(i, j) / (1.0 - double(p));
    }
  return kept;
}

} // namespace sluice
