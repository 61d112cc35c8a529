// Numbers of a float64 reference, each with a bound on how far a machine may be from it.
#pragma once

#include "Support/ElementType.h"

#include <functional>
#include <string>
#include <vector>

namespace sluice::test::drawn {

/// What a machine has lies within `reach` of `value`; an infinite reach says nothing.
struct Bounded {
  double value = 0, reach = 0;
  /// A larger or smaller one of a number and NaN went into it: the documents of Ascend C leave open
  /// what the calls make of these, and the virtual machine does not.
  bool isOpen = false;
  bool isKnown() const;
};

/// Of operands, rounded to f32, f16 or bf16.
using Operation = std::function<Bounded(const std::vector<Bounded> &)>;

Bounded rounded(DType type, Bounded x);
/// "addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf".
Operation ofTwo(const std::string &name, DType type);
/// "absf", "negf", and what docs/semantics.md tells the errors of: "exp", "log", "sqrt", "rsqrt",
/// "exp2", "tanh", "erf", as Ascend's vector cores compute them.
Operation ofOne(const std::string &name, DType type);
/// x y + z, rounded once.
Bounded multipliedAndAdded(const Bounded &x, const Bounded &y, const Bounded &z);
/// "olt", "ole", "ogt", "oge", "oeq", "une": 0 or 1.
Bounded compared(const std::string &relation, const Bounded &x, const Bounded &y);
Bounded chosen(const Bounded &truth, const Bounded &x, const Bounded &y);
/// Whether Ascend C leaves open what an operation makes of these.
bool isLeftOpen(const std::string &name, const std::vector<Bounded> &operands);
/// Numbers joined in f32, in any order, and with `start`.
Bounded folded(const std::string &name, double start, const std::vector<Bounded> &numbers);

} // namespace sluice::test::drawn
