// The operators that C++ writes between two integers.
#pragma once

#include "Program/Program.h"

namespace sluice::emit {

/// " + "; null for operations that are written otherwise.
constexpr const char *infixOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::add:
    return " + ";
  case ScalarOp::sub:
    return " - ";
  case ScalarOp::mul:
    return " * ";
  case ScalarOp::divS:
    return " / ";
  case ScalarOp::remS:
    return " % ";
  case ScalarOp::andI:
    return " & ";
  case ScalarOp::orI:
    return " | ";
  case ScalarOp::xorI:
    return " ^ ";
  case ScalarOp::shl:
    return " << ";
  case ScalarOp::shrS:
    return " >> ";
  case ScalarOp::eq:
    return " == ";
  case ScalarOp::ne:
    return " != ";
  case ScalarOp::lt:
    return " < ";
  case ScalarOp::le:
    return " <= ";
  case ScalarOp::gt:
    return " > ";
  case ScalarOp::ge:
    return " >= ";
  default:
    return nullptr;
  }
}

} // namespace sluice::emit
