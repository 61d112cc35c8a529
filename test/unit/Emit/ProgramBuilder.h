// Builds programs by hand: scalars, views and statements with little ceremony.
#pragma once

#include "Program/Program.h"

#include <string>
#include <utility>

namespace sluice::test {

class ProgramBuilder {
public:
  Program program;

  ProgramBuilder(std::string name, int warps) {
    program.name = std::move(name);
    program.warps = warps;
    blocks_.push_back(&program.body);
  }

  // ---- objects
  int tensor(std::string name, DType type, int rank, int minor, bool output, int64_t align = 16) {
    program.tensors.push_back({.name = std::move(name),
                               .type = type,
                               .rank = rank,
                               .minor = minor,
                               .align = align,
                               .input = !output,
                               .output = output,
                               .loc = {}});
    return int(program.tensors.size()) - 1;
  }
  int shared(std::string name, DType type, int64_t rows, int64_t cols, Layout layout, int minor,
             int64_t slots) {
    Buffer b{.name = std::move(name),
             .space = Space::smem,
             .type = type,
             .shape = {rows, cols},
             .layout = layout,
             .minor = minor,
             .slots = slots,
             .offset = program.sharedBytes,
             .slotBytes = rows * cols * byteSize(type),
             .role = "",
             .loc = {}};
    program.sharedBytes += b.bytes();
    program.buffers.push_back(std::move(b));
    return int(program.buffers.size()) - 1;
  }
  int registers(std::string name, DType type, int64_t rows, int64_t cols, Layout layout,
                std::string role, int64_t slots = 1) {
    program.buffers.push_back({.name = std::move(name),
                               .space = Space::reg,
                               .type = type,
                               .shape = {rows, cols},
                               .layout = layout,
                               .minor = 1,
                               .slots = slots,
                               .offset = 0,
                               .slotBytes = 0,
                               .role = std::move(role),
                               .loc = {}});
    return int(program.buffers.size()) - 1;
  }
  int barriers(std::string name, int64_t slots) {
    program.mbarriers.push_back({std::move(name), slots, program.sharedBytes, {}});
    program.sharedBytes += 8 * slots;
    return int(program.mbarriers.size()) - 1;
  }

  // ---- scalars
  ValueId value(std::string name = "") {
    program.valueNames.push_back(std::move(name));
    return program.values++;
  }
  ValueId scalar(ScalarOp op, std::vector<ValueId> operands, int64_t imm = 0, int object = -1,
                 std::string name = "") {
    ValueId result = value(std::move(name));
    add(Scalar{op, result, std::move(operands), imm, object});
    return result;
  }
  ValueId constant(int64_t n) { return scalar(ScalarOp::constant, {}, n); }
  ValueId dim(int tensor, int d, std::string name = "") {
    return scalar(ScalarOp::dim, {}, d, tensor, std::move(name));
  }
  ValueId mul(ValueId a, int64_t n) { return scalar(ScalarOp::mul, {a, constant(n)}); }
  ValueId ceilDiv(ValueId a, int64_t n) { return scalar(ScalarOp::ceilDiv, {a, constant(n)}); }
  ValueId notZero(ValueId a) { return scalar(ScalarOp::ne, {a, constant(0)}); }
  std::vector<ValueId> grid(std::vector<ValueId> extents, std::vector<std::string> names) {
    std::vector<ValueId> results;
    for (const std::string &n : names)
      results.push_back(value(n));
    program.gridRank = int(extents.size());
    add(Grid{std::move(extents), results});
    return results;
  }
  ValueId cursor(int64_t slots) { return scalar(ScalarOp::cursorInit, {}, slots); }
  ValueId next(ValueId cursor, int64_t slots) {
    return scalar(ScalarOp::cursorAdvance, {cursor}, slots);
  }
  Index slot(ValueId cursor) { return {scalar(ScalarOp::cursorSlot, {cursor})}; }
  /// Parity that a consumer waits for, and a producer.
  Index full(ValueId cursor) { return {scalar(ScalarOp::cursorPhase, {cursor})}; }
  Index empty(ValueId cursor) {
    return {scalar(ScalarOp::xorI, {full(cursor).value, constant(1)})};
  }

  // ---- views
  View box(int tensor, std::vector<Index> offset, std::vector<int64_t> shape) {
    return {View::tensor, tensor, {}, std::move(offset), std::move(shape), false};
  }
  View tile(int buffer, Index slot = {}, bool transposed = false) {
    return {View::buffer, buffer, slot, {Index{}, Index{}}, program.buffers[buffer].shape,
            transposed};
  }
  View part(int buffer, std::vector<Index> offset, std::vector<int64_t> shape, Index slot = {}) {
    return {View::buffer, buffer, slot, std::move(offset), std::move(shape), false};
  }

  // ---- statements
  void add(Operation op, Exec exec = Exec::threads) {
    blocks_.back()->stmts.push_back({std::move(op), exec, Pipe::none, {}});
  }
  void one(Operation op) { add(std::move(op), Exec::one); }
  template <typename Body>
  void role(std::string name, int first, int warps, int registers, Body body) {
    add(Role{.name = std::move(name),
             .firstWarp = first,
             .warps = warps,
             .core = "",
             .registers = registers,
             .body = {}});
    nested(std::get<Role>(blocks_.back()->stmts.back().op).body, body);
  }
  /// body(iv, carried) returns what the next iteration gets; yields the results.
  template <typename Body>
  std::vector<ValueId> loop(std::string name, ValueId upper, std::vector<ValueId> inits,
                            std::vector<std::string> names, Body body) {
    For f{.iv = value(name),
          .lower = constant(0),
          .upper = upper,
          .step = constant(1),
          .inits = inits,
          .iterArgs = {},
          .results = {},
          .body = {},
          .name = name,
          .pipelined = true};
    for (const std::string &n : names) {
      f.iterArgs.push_back(value(n));
      f.results.push_back(value());
    }
    auto results = f.results, iterArgs = f.iterArgs;
    ValueId iv = f.iv;
    add(std::move(f));
    Block &block = std::get<For>(blocks_.back()->stmts.back().op).body;
    nested(block, [&] { block.yields = body(iv, iterArgs); });
    return results;
  }

private:
  template <typename Body> void nested(Block &block, Body body) {
    blocks_.push_back(&block);
    body();
    blocks_.pop_back();
  }

  std::vector<Block *> blocks_;
};

/// fn(args) = cast<type>(args[0])
inline ElementFn castTo(DType type) {
  return {1,
          false,
          {{ElementOp::argument, DType::f32, {}, 0, 0}, {ElementOp::cast, type, {0}, 0, 0}},
          {1}};
}
/// fn(a, b) = a op b in f32
inline ElementFn binary(ElementOp op) {
  return {2,
          false,
          {{ElementOp::argument, DType::f32, {}, 0, 0},
           {ElementOp::argument, DType::f32, {}, 1, 0},
           {op, DType::f32, {0, 1}, 0, 0}},
          {2}};
}

} // namespace sluice::test
