// Scalars of a launch as sums of products, to tell that two are equal in every launch.
#pragma once

#include "Program/Program.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {

/// A sum of products, by their sorted factors.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

Polynomial operator*(const Polynomial &a, const Polynomial &b);
Polynomial operator-(const Polynomial &a, const Polynomial &b);

class Polynomials {
public:
  explicit Polynomials(const Program &program);

  Polynomial of(ValueId v) const;
  Polynomial of(const Index &i) const;

private:
  std::string factor(ValueId v) const;

  std::map<ValueId, const Scalar *> scalars_;
};

} // namespace sluice
