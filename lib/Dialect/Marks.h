// Marks: what authors and passes note on an operation, or on an argument of a kernel, beside what
// it has itself. Each is spelt and typed here, once; where it may stand and what it may hold is in
// Attributes.cpp (KernelVerifier.cpp of arguments), which phases read it in Transform/Marks.cpp.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice::ir {

template <typename Value> struct Mark {
  llvm::StringLiteral name;

  bool on(mlir::Operation *op) const { return op->hasAttr(name); }
  bool on(KernelOp kernel, unsigned argument) const {
    return bool(kernel.getArgAttr(argument, name));
  }
  /// Null where it does not stand.
  Value of(mlir::Operation *op) const { return op->getAttrOfType<Value>(name); }
  Value of(KernelOp kernel, unsigned argument) const {
    return kernel.getArgAttrOfType<Value>(argument, name);
  }

  void set(mlir::Operation *op, Value value) const { op->setAttr(name, value); }
  void set(mlir::Operation *op) const requires std::same_as<Value, mlir::UnitAttr> {
    set(op, mlir::UnitAttr::get(op->getContext()));
  }
  void set(mlir::Operation *op,
           int64_t value) const requires std::same_as<Value, mlir::IntegerAttr> {
    set(op, mlir::Builder(op->getContext()).getI64IntegerAttr(value));
  }
  void set(mlir::Operation *op,
           llvm::StringRef value) const requires std::same_as<Value, mlir::StringAttr> {
    set(op, mlir::StringAttr::get(op->getContext(), value));
  }
  /// Whether it stood there.
  bool remove(mlir::Operation *op) const { return bool(op->removeAttr(name)); }
};

namespace marks {

using mlir::ArrayAttr, mlir::DenseI64ArrayAttr, mlir::DictionaryAttr, mlir::IntegerAttr,
    mlir::StringAttr, mlir::UnitAttr;

// Of arguments. A tensor has one of `out`, `inout`, `workspace`, or is an input.
inline constexpr Mark<StringAttr> name{"sluice.name"}; // of loops too
inline constexpr Mark<UnitAttr> out{"sluice.out"};
inline constexpr Mark<UnitAttr> inout{"sluice.inout"};
inline constexpr Mark<UnitAttr> workspace{"sluice.workspace"};
inline constexpr Mark<UnitAttr> previous{"sluice.previous"};  // written by the launch before
inline constexpr Mark<StringAttr> inPlace{"sluice.in_place"}; // the input in whose place it may lie
inline constexpr Mark<IntegerAttr> joined{"sluice.joined"}; // dimension passed as one with the next
inline constexpr Mark<IntegerAttr> joinedExtent{"sluice.joined_extent"}; // of what is passed as one
inline constexpr Mark<UnitAttr> line{"sluice.line"}; // lines of a tensor that is passed as one

// Of kernels: warps of the roles among tiles that have a name, {convert = 4}, or all that is said
// of one (GivenRole): {convert = {warps = 4, registers = 40, leader}}.
inline constexpr Mark<DictionaryAttr> roles{"sluice.roles"};
inline constexpr Mark<UnitAttr> mutexes{"sluice.mutexes"}; // hand slots on, where flags would

// Of loops.
inline constexpr Mark<IntegerAttr> stages{"sluice.stages"};
inline constexpr Mark<IntegerAttr> prefetch{"sluice.prefetch"}; // steps that loads are ahead
inline constexpr Mark<DictionaryAttr> slots{"sluice.slots"};    // by memory: {l1 = 2, l0a = 2}
inline constexpr Mark<IntegerAttr> split{"sluice.split"};       // CTAs that share the steps
inline constexpr Mark<UnitAttr> alternate{"sluice.alternate"};
inline constexpr Mark<UnitAttr> inTurn{"sluice.in_turn"};
inline constexpr Mark<ArrayAttr> carries{"sluice.carries"}; // names of what it carries
inline constexpr Mark<UnitAttr> pipelined{"sluice.pipelined"};

// Of pipelines: what tables call the barriers of a side, one name for each slot.
inline constexpr Mark<ArrayAttr> fullNames{"sluice.full_names"};
inline constexpr Mark<ArrayAttr> emptyNames{"sluice.empty_names"};

// Of grids.
inline constexpr Mark<IntegerAttr> ctasPerSm{"sluice.ctas_per_sm"}; // that have room at once
inline constexpr Mark<UnitAttr> pair{"sluice.pair"}; // its cluster multiplies together; of products

// Of persistent grids, and of the loops over tiles that they become.
inline constexpr Mark<IntegerAttr> turns{"sluice.turns"};
inline constexpr Mark<UnitAttr> dynamic{"sluice.dynamic"};
inline constexpr Mark<IntegerAttr> stream{"sluice.stream"}; // most tiles of a launch
inline constexpr Mark<UnitAttr> loadAhead{"sluice.load_ahead"};

// Of loads, stores, products, buffers and verbs.
inline constexpr Mark<UnitAttr> paced{"sluice.paced"};
inline constexpr Mark<StringAttr> loadedBy{"sluice.loaded_by"}; // tensor, bulk or threads
inline constexpr Mark<IntegerAttr> staging{"sluice.staging"};   // buffers of a store; 0: registers
inline constexpr Mark<UnitAttr> anyTiles{"sluice.any_tiles"};
inline constexpr Mark<UnitAttr> neighbours{"sluice.neighbours"}; // a copy: warps with equal rows
inline constexpr Mark<IntegerAttr> lane{"sluice.lane"};     // a copy of 4 rows: of each 32 lanes
inline constexpr Mark<IntegerAttr> shared{"sluice.shared"}; // a load along a dimension of `cluster`
inline constexpr Mark<DenseI64ArrayAttr> cluster{"sluice.cluster"};
inline constexpr Mark<IntegerAttr> across{"sluice.across"}; // a fold: the grid's coordinate
inline constexpr Mark<UnitAttr> replaced{"sluice.replaced"};
inline constexpr Mark<UnitAttr> resident{"sluice.resident"};
inline constexpr Mark<UnitAttr> byThreads{"sluice.by_threads"}; // a store that TMA cannot do
inline constexpr Mark<UnitAttr> byUnits{"sluice.by_units"}; // a store: of L0C, as it is summed up
inline constexpr Mark<StringAttr> agent{"sluice.agent"};
inline constexpr Mark<StringAttr> inRole{"sluice.in_role"}; // one of the kernel's `roles`
inline constexpr Mark<UnitAttr> unused{"sluice.unused"};

/// What `roles` says of one.
struct GivenRole {
  int64_t warps;
  std::optional<int64_t> registers = {}; // of a thread; absent: what follows from its tiles
  bool leader = false;                   // on the first CTA of each cluster alone
};
/// Absent where the kernel does not name it.
std::optional<GivenRole> givenRole(KernelOp kernel, llvm::StringRef name);

/// Whether a kernel writes an argument: it is no input.
inline bool isWritten(KernelOp kernel, unsigned argument) {
  return out.on(kernel, argument) || inout.on(kernel, argument) || workspace.on(kernel, argument);
}

} // namespace marks
} // namespace sluice::ir
