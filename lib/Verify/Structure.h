// Rules that need no run, one function per family; each adds what it finds.
#pragma once

#include "Arch/Arch.h"
#include "Program/Ranges.h"
#include "Simulate/Simulate.h"
#include "Support/Result.h"

#include <vector>

namespace sluice {

struct StructureContext {
  const Program &program;
  const Arch &arch;
  std::vector<Violation> &found;
  const Ranges *ranges = nullptr; // of a program whose form is right

  void refuse(std::string rule, std::string message, const Location &at,
              std::string barrier = {}) const {
    found.push_back({std::move(rule), std::move(message), at, std::move(barrier), {}});
  }
};

/// R20, R24: objects exist, ranks and shapes agree. Nothing else is safe to look at before this.
bool checkForm(const StructureContext &c);
/// R16, R17: capacities, overlaps with mbarriers, alignments.
void checkMemory(const StructureContext &c);
/// R11, R13, R15, R18, R19, R40.
void checkNvidia(const StructureContext &c);
/// R52.
void checkPacked(const StructureContext &c);
/// R15 of tiles in layout `lines`.
void checkLines(const StructureContext &c);
/// R13: no branch or loop parts the warps of a warpgroup that comes to a wgmma operation.
void checkWarpgroups(const StructureContext &c);
/// R41 of what tokens are used for.
void checkTokens(const StructureContext &c);
/// R42, R43: what is allocated, shapes of products and of loads.
void checkTensorMemory(const StructureContext &c);
void checkPairs(const StructureContext &c);
/// What the proof and the printer do not follow yet of a program that uses tensor memory.
std::optional<Error> beyondTensorMemory(const Program &program);
/// R19 of roles and of tiles in registers.
void checkRegisters(const StructureContext &c);
/// R29, R30.
void checkAscend(const StructureContext &c);
/// R51.
void checkTurns(const StructureContext &c);
/// R47.
void checkMeetings(const StructureContext &c);
/// R48 of single operations: whole tiles, and stores of all that was handed over.
void checkUnits(const StructureContext &c);
/// R50.
void checkCalls(const StructureContext &c);

/// Why no descriptor, or fragment, starts where this operand of a product does; empty: one may.
std::string operandStartFault(const StructureContext &c, const View &operand, bool isA);

/// "128 x 64"
std::string shapeText(const View &view);
/// Contiguous dimension of a rank-2 view of a buffer, as the operation sees it.
int logicalMinor(const Program &program, const View &view);

} // namespace sluice
