// Words of the manifest that writer and reader share.
#pragma once

#include "Launch/LaunchPlan.h"

#include <optional>
#include <string_view>

namespace sluice {

inline constexpr std::string_view parameterKindNames[] = {"tensor_map", "pointer", "extent",
                                                          "stride", "argument"};

/// Operators of the arithmetic before a launch and the number of their operands.
struct LaunchOperator {
  ScalarOp op;
  std::string_view name;
  size_t operands;
};
inline constexpr LaunchOperator launchOperators[] = {
    {ScalarOp::add, "add", 2},  {ScalarOp::sub, "sub", 2},       {ScalarOp::mul, "mul", 2},
    {ScalarOp::divS, "div", 2}, {ScalarOp::remS, "rem", 2},      {ScalarOp::ceilDiv, "ceildiv", 2},
    {ScalarOp::minS, "min", 2}, {ScalarOp::maxS, "max", 2},      {ScalarOp::andI, "and", 2},
    {ScalarOp::orI, "or", 2},   {ScalarOp::xorI, "xor", 2},      {ScalarOp::shl, "shl", 2},
    {ScalarOp::shrS, "shr", 2}, {ScalarOp::eq, "eq", 2},         {ScalarOp::ne, "ne", 2},
    {ScalarOp::lt, "lt", 2},    {ScalarOp::le, "le", 2},         {ScalarOp::gt, "gt", 2},
    {ScalarOp::ge, "ge", 2},    {ScalarOp::select, "select", 3},
};

} // namespace sluice
