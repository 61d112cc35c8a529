// Rings of the pipeline pass: which buffers form one, and what is put around their accesses.
#pragma once

#include "Arch/Arch.h"
#include "Transform/Tiles.h"

namespace sluice {

/// What a ring says. Of a tile that goes from hand to hand one ring says when there is room, and
/// the others when it is full for whom.
enum class Sides : uint8_t { both, full, empty };

/// Buffers of one block that go together from one agent to another.
struct Ring {
  std::string name, producer;         // of agents; consumers are one or, of roles, several
  std::vector<std::string> consumers; // one of them may be the producer itself
  std::vector<ir::AllocOp> buffers;
  int64_t slots = 1;
  Sides sides = Sides::both;
  bool handsOver = false;        // from one iteration to the next (CarriedTile.h, SumInTurns.h)
  std::vector<std::string> late; // consumers that release one iteration late (NVIDIA: wgmma reads)
  bool follows = false;   // its cursor is that of the ring before it, which has the same buffer
  int after = -1;         // number of the ring whose slots it takes over (JoinedRings.h)
  bool continued = false; // by a ring that takes over its slots
  bool inBlock = false;   // joined: its tiles lie in the block that holds all of these rings
  ir::PipelineOp pipeline;
  mlir::Operation *scope = nullptr; // the loop, or branch in one, whose block is the buffers'
  mlir::scf::ForOp loop;            // the same, where it is a loop
  int carried = -1;                 // place of the cursor among the values that `scope` carries
  int carriedPrevious = -1;         // late: of the cursor of the iteration before
  int turns = -1;     // of a sum in turns: place of the cursor among what its loop carries
  mlir::Value cursor; // in that block
  mlir::Value previous;
};

/// Whether loads alone fill it.
bool isLoaded(ir::AllocOp buffer);
/// Whether one agent alone touches it.
bool isOfOneAgent(ir::AllocOp buffer);
/// Slots of a buffer that goes from one agent to another.
int64_t slotsFor(ir::KernelOp kernel, ir::AllocOp buffer, const Arch &arch);

/// Fails with a diagnostic where a buffer has more than one writing agent, or pipes that
/// read it.
mlir::FailureOr<std::vector<Ring>> findRings(ir::KernelOp kernel, const Arch &arch);

/// Fails at a loop that asks for slots which no ring has.
mlir::LogicalResult verifyAskedSlots(ir::KernelOp kernel, const std::vector<Ring> &rings);

inline bool isTakenBy(const Ring &ring, llvm::StringRef agent) {
  return llvm::is_contained(ring.consumers, agent);
}
inline bool isLateFor(const Ring &ring, llvm::StringRef agent) {
  return llvm::is_contained(ring.late, agent);
}

/// Whether it shares its slots with others.
inline bool isJoined(const Ring &ring) {
  return ring.after >= 0 || ring.continued;
}

/// One cursor per ring, carried through the loops around its buffers and the branches in them.
/// Replaces these: the rings' scopes and cursors are set when all are done.
void carryCursors(ir::KernelOp kernel, std::vector<Ring> &rings);
/// The cursor behind all loops around a ring's buffers.
mlir::Value cursorBehind(const Ring &ring);
/// The pipeline, the slots of the buffers, and the verbs.
void insertVerbs(ir::KernelOp kernel, const std::vector<Ring> &rings, Ring &ring);

/// Slots of a tile that a loop with stages loads: as many, or, where a role loads and `prefetch`
/// says how far ahead, no more than are filled at a time.
int64_t stagesOf(ir::AllocOp buffer, mlir::scf::ForOp loop);

bool multiplies(ir::MmaOp product, const Ring &ring);

/// One of the four verbs, or the tail, for `agent`.
template <typename Verb>
Verb verb(mlir::OpBuilder &b, mlir::Location loc, Ring &ring, mlir::Value cursor,
          const std::string &agent) {
  auto op = Verb::create(b, loc, ring.pipeline.getPipeline(), cursor, ir::Pipe::none);
  setAgent(op, agent);
  return op;
}

/// mma -> fence, wgmma, commit, wait; late rings are released here.
void lowerProductsToWgmma(ir::KernelOp kernel, std::vector<Ring> &rings);
void lowerProductsToMmad(ir::KernelOp kernel);
/// They are waited for by who takes the sum out.
void lowerProductsToTcgen05(ir::KernelOp kernel);

/// Declarations to the top of the kernel, in order.
void hoistDeclarations(ir::KernelOp kernel);
} // namespace sluice
