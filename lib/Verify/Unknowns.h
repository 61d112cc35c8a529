// Extents and integer arguments, as scalars read them and as launches have them.
#pragma once

#include "Program/Program.h"

namespace sluice {

inline bool isUnknown(const Scalar &s) {
  return s.op == ScalarOp::dim || s.op == ScalarOp::argument;
}

/// Of two unknowns.
inline bool isSame(const Scalar &x, const Scalar &y) {
  return x.op == y.op && x.object == y.object && (x.op == ScalarOp::argument || x.imm == y.imm);
}

inline int64_t numberOf(const Scalar &unknown, const Launch &launch) {
  return unknown.op == ScalarOp::dim ? launch.tensors[unknown.object].extents[unknown.imm]
                                     : launch.arguments[unknown.object];
}

/// Integers of a tensor of another shape are not known.
inline void setNumber(const Scalar &unknown, int64_t value, Launch &launch) {
  if (value == numberOf(unknown, launch))
    return;
  if (unknown.op == ScalarOp::argument) {
    launch.arguments[unknown.object] = value;
    return;
  }
  launch.tensors[unknown.object].extents[unknown.imm] = value;
  launch.tensors[unknown.object].integers.clear();
}

} // namespace sluice
