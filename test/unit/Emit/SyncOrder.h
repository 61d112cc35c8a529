// Which synchronisation may follow which: of a program as it is written, and of its PTX as it runs.
// A pair (a, b): b can come next after a. 0 stands for the beginning.
#pragma once

#include "Program/Program.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

using Pairs = std::set<std::pair<int, int>>;

/// Numbers as in Emit/SyncIds.h. Loops run any number of times, roles exclude each other, lanes
/// that are not elected pass by what one lane executes.
Pairs followers(const Program &program);

struct PtxOrder {
  std::vector<int> appearance; // numbers in the order of the text, each once
  Pairs pairs;
};
/// From `nvcc -ptx` of a text printed with numbers.
PtxOrder ptxOrder(const std::string &ptx);

} // namespace sluice::test
