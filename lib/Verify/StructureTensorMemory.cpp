// What needs no run of tensor memory: allocations, shapes of products, lanes of loads.
#include "Program/BlockScales.h"
#include "Program/Blocks.h"
#include "Program/LayoutMap.h"
#include "Program/OperationFacts.h"
#include "Program/TensorMemory.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

class TensorMemoryRules {
public:
  explicit TensorMemoryRules(const StructureContext &c) : c_(c), program_(c.program) {}

  void check() {
    visit(program_.body, nullptr);
    for (const Buffer &b : program_.buffers)
      if (b.space == Space::tmem)
        checkBuffer(b);
  }

private:
  void refuse(const char *rule, const Stmt &s, const std::string &why) const {
    c_.refuse(rule, operationName(s.op) + place(s.loc) + ": " + why, s.loc);
  }

  void visit(const Block &block, const Role *role) {
    for (const Stmt &s : block.stmts) {
      const Stmt *next = &s == &block.stmts.back() ? nullptr : &s + 1;
      if (std::holds_alternative<TmemAlloc>(s.op))
        checkNeighbours(s, next && std::holds_alternative<TmemRelinquish>(next->op));
      statement(s, role);
      auto *inner = std::get_if<Role>(&s.op);
      forBlocks(s, [&](const Block &b) { visit(b, inner ? inner : role); });
    }
  }

  void statement(const Stmt &s, const Role *role) {
    if (factsOf(s.op).ofTensorMemory && program_.target != Target::sm_100a)
      return refuse("R43", s, std::string(name(program_.target)) + " has no tensor memory");
    if (auto *alloc = std::get_if<TmemAlloc>(&s.op))
      columns_ = alloc->columns, checkColumns(s, role, alloc->columns);
    else if (auto *dealloc = std::get_if<TmemDealloc>(&s.op))
      checkColumns(s, role, dealloc->columns);
    else if (std::holds_alternative<TmemAddress>(s.op) && s.exec != Exec::threads)
      refuse("R13", s, "all threads read the address of tensor memory");
    else if (auto *product = std::get_if<Tcgen05Mma>(&s.op))
      checkProduct(s, *product);
    else if (auto *copy = std::get_if<TmemCopy>(&s.op))
      checkCopy(s, *copy);
    else if (auto *shift = std::get_if<TmemShift>(&s.op))
      checkShift(s, *shift);
    else if (auto *load = std::get_if<TmemLoad>(&s.op))
      checkLanes(s, load->source, load->destination, role);
    else if (auto *store = std::get_if<TmemStore>(&s.op))
      checkLanes(s, store->destination, store->source, role);
    else
      for (const View *v : viewsOf(s.op))
        if (const Buffer *b = program_.buffer(*v); b && b->space == Space::tmem)
          refuse("R43", s,
                 b->name + " is in tensor memory, which tcgen05.mma reads and writes, tcgen05.ld "
                           "reads, tcgen05.st and tcgen05.cp write, tcgen05.shift both");
  }

  /// PTX ISA 9.7.16.7.1.
  void checkColumns(const Stmt &s, const Role *role, int64_t columns) const {
    if (!TensorMemory::isAllocation(columns))
      refuse("R42", s,
             std::to_string(columns) + " columns; tensor memory is allocated by powers of two, 32 "
                                       "to 512");
    if ((role ? role->warps : program_.warps) != 1)
      refuse("R42", s, "one warp allocates and frees tensor memory; put it into a role of one");
  }

  /// An allocation waits for columns of the SM, which other CTAs of the kernel may have, and for
  /// the right to allocate, which one may hold until it gives it up.
  void checkNeighbours(const Stmt &s, bool givesUp) const {
    const int64_t columns = std::get<TmemAlloc>(s.op).columns;
    const int64_t *c = program_.cluster;
    bool waits = c[0] * c[1] * c[2] > 1;
    walk(program_.body,
         [&waits](const Stmt &of) { waits |= std::holds_alternative<CounterWait>(of.op); });
    const int64_t room = residentCtas(c_.arch, program_.sharedBytes, program_.warps);
    if (!waits || room < 2)
      return;
    const std::string they =
        "; one may wait for another that waits for it, as CTAs of a cluster do, "
        "or at a counter. ";
    if (room * columns > TensorMemory::columns)
      refuse("R42", s,
             "an SM has room for " + std::to_string(room) + " CTAs of " + std::to_string(columns) +
                 " columns each, of which it has " + std::to_string(TensorMemory::columns) + they +
                 "Allocate fewer columns, or ask for more shared memory");
    else if (!givesUp)
      refuse("R42", s,
             "an SM has room for " + std::to_string(room) +
                 " CTAs, which allocate one after another" + they +
                 "Give up the right to allocate at once (tmem.relinquish)");
  }

  void checkBuffer(const Buffer &b) const {
    const int64_t end = endInSpace(b);
    if (columns_ == 0)
      c_.refuse("R42",
                "buffer " + b.name + place(b.loc) +
                    " is in tensor memory, which the kernel does not allocate",
                b.loc, b.name);
    else if (end > columns_ * TensorMemory::columnBytes)
      c_.refuse("R42",
                "buffer " + b.name + place(b.loc) + " ends at column " +
                    std::to_string((end + 3) / TensorMemory::columnBytes) +
                    " of tensor memory; the kernel allocates " + std::to_string(columns_),
                b.loc, b.name);
  }

  /// Of kind::f16, tf32, f8f6f4 and i8; with factors of mxf8f6f4, mxf4 and mxf4nvf4.
  static bool areMultiplied(DType a, DType b, DType d, bool scaled) {
    const auto isSmall = [](DType t) {
      return t == DType::e4m3 || t == DType::e5m2 || isPacked(t);
    };
    if (a == DType::e2m1x2)
      return b == a && d == DType::f32 && scaled;
    if (a == DType::s8)
      return b == DType::s8 && d == DType::i32;
    const bool one = a == b && (a == DType::f16 || a == DType::bf16 || a == DType::tf32);
    return d == DType::f32 && (one || (isSmall(a) && isSmall(b)));
  }

  /// PTX ISA 9.7.16.2.1, shapes of these kinds for cta_group::1; 9.7.16.10.1, types of D.
  void checkProduct(const Stmt &s, const Tcgen05Mma &op) const {
    const Buffer &d = program_.buffers[op.d.object], &a = program_.buffers[op.a.object],
                 &b = program_.buffers[op.b.object];
    if (d.space != Space::tmem || (a.space != Space::smem && a.space != Space::tmem) ||
        b.space != Space::smem)
      return refuse("R43", s,
                    "D is in tensor memory, A there or in shared memory, B in shared memory");
    if (!areMultiplied(a.type, b.type, d.type, op.scales.has_value()))
      refuse("R43", s,
             "no product of " + std::string(name(a.type)) + " by " + std::string(name(b.type)) +
                 " into " + std::string(name(d.type)) +
                 "; f16, bf16, tf32 and floats of 4, 6 and 8 bits are added up in f32, e2m1x2 with "
                 "factors of their blocks, s8 in i32");
    const int64_t m = op.d.rows(), n = op.d.cols();
    if (op.scales)
      checkScales(s, op);
    if (op.pair)
      return checkPairProduct(s, op), checkOperands(s, op);
    const bool half = m == 64, sixteens = m == 128 || (a.type == DType::s8 && n > 32);
    if ((!half && m != 128) || n % (sixteens ? 16 : 8) != 0 || n > 256)
      refuse("R43", s,
             "D is " + std::to_string(m) + " x " + std::to_string(n) +
                 "; it has 128 rows and columns in 16 up to 256, or 64 rows and columns in 8" +
                 (a.type == DType::s8 ? " (in 16 from 32 on)" : ""));
    checkOperands(s, op);
  }

  /// The same for .cta_group::2 with 256 rows (layout A) or 128 (layout B); steps of 32 columns are
  /// those of all kinds.
  void checkPairProduct(const Stmt &s, const Tcgen05Mma &op) const {
    const int64_t columns = op.d.cols() * (splitsColumns(op) ? 2 : 1);
    if (program_.buffers[op.a.object].space == Space::smem && op.a.rows() != rowsOfA(op))
      refuse("R43", s,
             "A in shared memory has 64 rows where the halves of the columns of D lie one "
             "below the other");
    if (op.scales)
      return;
    if (op.d.rows() != 128 || columns % 32 != 0 || columns > 256)
      refuse(
          "R43", s,
          "D is " + std::to_string(op.d.rows()) + " x " + std::to_string(op.d.cols()) +
              " in each CTA of a pair; it has 128 rows there, and columns in 32 up to 256, or of "
              "64 rows of A the two halves of such columns one below the other");
  }

  /// PTX ISA 9.7.16.10.5: rows of A lie as those of D, elements along K side by side.
  void checkColumnsOfA(const Stmt &s, const Tcgen05Mma &op) const {
    const Buffer &a = program_.buffers[op.a.object];
    const int64_t step = 32 / byteSize(a.type);
    if (op.a.rows() != op.d.rows() || a.shape[0] != op.d.rows() || op.a.transposed || a.minor != 1)
      refuse("R43", s,
             "A in tensor memory lies in the lanes of D, all rows of " + a.name +
                 ", contiguous along K");
    else if (!op.a.offset[1].isConstant() || op.a.offset[1].constant % step != 0)
      refuse("R43", s,
             "A in tensor memory begins at a known multiple of " + std::to_string(step) +
                 " columns");
  }

  void checkOperands(const Stmt &s, const Tcgen05Mma &op) const {
    const Buffer &a = program_.buffers[op.a.object], &b = program_.buffers[op.b.object];
    const Buffer &d = program_.buffers[op.d.object];
    if (op.d.rows() != d.shape[0] || op.d.transposed || d.minor != 1 || op.d.offset[0] != Index{} ||
        !op.d.offset[1].isConstant())
      refuse("R43", s, "D is all rows of " + d.name + ", and columns of it from a known one on");
    const int64_t k = op.a.cols();
    if (const int64_t step = 32 / byteSize(a.type); k % step != 0)
      refuse("R43", s,
             "K is " + std::to_string(k) + "; " + std::string(name(a.type)) + " goes in steps of " +
                 std::to_string(step));
    if (a.space == Space::tmem)
      checkColumnsOfA(s, op);
    const bool turnsB = logicalMinor(program_, op.b) != 0;
    const auto alongK = [](DType t) {
      return byteSize(t) == 4 || t == DType::e2m1x2 || isPacked(t);
    };
    const bool turnsA = logicalMinor(program_, op.a) != 1;
    for (const auto &[type, turns] : {std::pair(a.type, turnsA), std::pair(b.type, turnsB)})
      if (alongK(type) && turns)
        refuse("R43", s,
               std::string(name(type)) + " operands are contiguous along K; only types of 8 and 16 "
                                         "bits may be transposed");
    if (byteSize(a.type) == 1 && turnsB && op.d.cols() % 16 != 0)
      refuse("R43", s,
             "D has " + std::to_string(op.d.cols()) +
                 " columns; of a transposed B of 8 bits it has columns in 16");
    for (const Buffer *x : {&a, &b})
      if (x->space == Space::smem && swizzleBytes(x->layout) == 0)
        refuse("R43", s,
               "operand " + x->name + " has layout " + std::string(name(x->layout)) +
                   "; the descriptor needs a swizzled layout (sw32, sw64, sw128)");
    for (const View *x : {&op.a, &op.b})
      if (const std::string fault = operandStartFault(c_, *x, x == &op.a); !fault.empty())
        refuse("R43", s, fault);
  }

  /// PTX ISA 9.7.16.9.2, tcgen05.cp; where rows lie, as operands of products do (9.7.16.5, shared
  /// memory layout): with a swizzle, or 8 rows of 16 bytes side by side.
  void checkCopy(const Stmt &s, const TmemCopy &op) const {
    const Buffer &to = program_.buffers[op.destination.object],
                 &from = program_.buffers[op.source.object];
    if (to.space != Space::tmem || from.space != Space::smem || to.type != from.type)
      return refuse("R43", s,
                    "it takes a tile from shared memory to tensor memory as it is, of one type; " +
                        from.name + " is of " + std::string(name(from.type)) + ", " + to.name +
                        " of " + std::string(name(to.type)));
    const int64_t bytes = op.source.cols() * byteSize(from.type), rows = op.source.rows(),
                  first = op.destination.offset[1].constant * byteSize(to.type);
    if (op.destination.rows() != TensorMemory::lanes || op.destination.transposed ||
        op.destination.cols() != op.source.cols() || to.minor != 1 ||
        op.destination.offset[0] != Index{} || !op.destination.offset[1].isConstant() ||
        first % TensorMemory::columnBytes != 0 ||
        (rows != 128 && rows != 64 && rows != 32 && rows != fourRows))
      return refuse("R43", s,
                    "it takes 128 rows, 32 or 64 for several lanes each, or 4 for one of each 32, "
                    "to columns of all 128 lanes, from a known one on");
    if (swizzleBytes(from.layout) && (rows == 128 || rows == fourRows))
      return checkSwizzled(s, op, bytes);
    if (rows == fourRows)
      return refuse("R43", s,
                    "4 rows have 32 bytes each, and " + from.name + " a swizzle; its layout is " +
                        std::string(name(from.layout)));
    if (bytes != narrow)
      return refuse("R43", s,
                    std::to_string(rows) + " rows of " + std::to_string(bytes) +
                        " bytes; rows without a swizzle, and fewer than 128, have 16");
    if (from.layout != Layout::row || from.minor != 1 ||
        from.shape[1] * byteSize(from.type) != narrow || op.source.transposed ||
        op.source.offset[1] != Index{} || !op.source.offset[0].isConstant() ||
        op.source.offset[0].constant % 8 != 0)
      refuse("R43", s,
             from.name + " has to lie as it is copied: layout row, 16 bytes to a row, from a known "
                         "multiple of 8 rows on");
  }

  static constexpr int64_t narrow = 16, wide = 32; // bytes of a row: .128x128b, .128x256b

  void checkSwizzled(const Stmt &s, const TmemCopy &op, int64_t bytes) const {
    const Buffer &from = program_.buffers[op.source.object];
    const int64_t size = byteSize(from.type);
    const auto startsAt = [](const Index &at, int64_t multiple) {
      return at.isConstant() && at.constant % multiple == 0;
    };
    if (bytes % wide != 0 || op.source.transposed || from.minor != 1 ||
        !startsAt(op.source.offset[0], 8) || !startsAt(op.source.offset[1], wide / size))
      refuse("R43", s,
             from.name + " is copied by rows of 32 bytes, as it lies, from known multiples of 8 "
                         "rows and of 32 bytes on");
  }

  /// PTX ISA 9.7.16.9.3, tcgen05.shift: rows of 32 bytes, from a lane that is a multiple of 32 on;
  /// 9.7.16.2.3, data movement shapes: 31 of them.
  void checkShift(const Stmt &s, const TmemShift &op) const {
    const Buffer &b = program_.buffers[op.columns.object];
    const int64_t size = byteSize(b.type);
    if (b.space != Space::tmem || b.minor != 1 || op.columns.transposed ||
        b.shape[0] != TensorMemory::lanes || op.columns.rows() != TensorMemory::lanesOfWarp ||
        !op.columns.offset[0].isConstant() ||
        op.columns.offset[0].constant % TensorMemory::lanesOfWarp != 0 ||
        op.columns.cols() * size != wide || !op.columns.offset[1].isConstant() ||
        op.columns.offset[1].constant * size % wide != 0)
      refuse("R43", s,
             "it takes 32 bytes of each of 32 lanes, from known multiples of 32 bytes and of 32 "
             "lanes of a tile of 128 on");
  }

  /// PTX ISA 9.7.16.2.1: rows of block-scaled products, and columns of those of pairs. How the
  /// factors of 64 rows in each CTA lie, CUTLASS alone says, of whole 128 columns.
  bool checkScaledShape(const Stmt &s, const Tcgen05Mma &op) const {
    const int64_t rows = rowsOfA(op), columns = columnsOfB(op);
    const bool half = op.pair && rows == FactorPieces::lines / 2;
    if (rows != FactorPieces::lines && !half)
      return refuse("R43", s,
                    "A has " + std::to_string(rows) +
                        " rows; a block-scaled product has 128, of a pair 128 or 64 in each CTA"),
             false;
    const int64_t step = half ? 128 : 16;
    if (op.pair && (op.d.rows() != TensorMemory::lanes || columns % step != 0 || columns > 256))
      return refuse("R43", s,
                    "a block-scaled product of a pair has " + std::to_string(columns) +
                        " columns; with 128 rows in each CTA it has columns in 16 up to 256, with "
                        "64 it has 128 or 256"),
             false;
    return true;
  }

  /// PTX ISA 9.7.16.10.7: the types of factors and how many numbers have one (BlockScales.h).
  void checkScales(const Stmt &s, const Tcgen05Mma &op) const {
    const DType type = program_.type(op.a), factor = program_.type(op.scales->a);
    const int64_t block = elementsOfBlock(type, factor);
    if (block == 0)
      return refuse("R43", s,
                    "no factors of " + std::string(name(factor)) + " scale blocks of " +
                        std::string(name(type)) +
                        "; e4m3, e5m2, e2m3, e3m2 and e2m1 have those of ue8m0 (kind::mxf8f6f4), "
                        "e2m1x2 those of "
                        "ue8m0 (kind::mxf4) or e4m3 (kind::mxf4nvf4)");
    if (!checkScaledShape(s, op))
      return;
    const View *const scales[] = {&op.scales->a, &op.scales->b};
    const int64_t lines[] = {rowsOfA(op), linesOfFactorsB(op)};
    for (const int i : {0, 1}) {
      const Buffer *b = program_.buffer(*scales[i]);
      const int64_t bytes = piecesOf(lines[i], op.a.cols(), block).count() * FactorPieces::bytes;
      if (!b || b->space != Space::tmem || b->type != factor || b->minor != 1 ||
          scales[i]->transposed || scales[i]->shape != b->shape ||
          b->shape != std::vector{FactorPieces::lines, bytes})
        refuse("R43", s,
               "the factors of " + std::string(i ? "B" : "A") + " are a whole tile of 128x" +
                   std::to_string(bytes) + " " + std::string(name(factor)) + " in tensor memory");
    }
  }

  /// PTX ISA 9.7.16.8.1: warp w of a warpgroup reaches lanes 32w to 32w + 31; .32x32b gives a lane
  /// of the warp a lane of tensor memory.
  void checkLanes(const Stmt &s, const View &lanes, const View &registers, const Role *role) const {
    const Buffer *in = program_.buffer(lanes), *held = program_.buffer(registers);
    const bool stores = std::holds_alternative<TmemStore>(s.op);
    if (!in || !held || in->space != Space::tmem || held->space != Space::reg)
      return refuse("R43", s,
                    stores ? "it goes from registers to tensor memory"
                           : "it goes from tensor memory to registers");
    const int first = role ? role->firstWarp : 0, warps = role ? role->warps : program_.warps;
    if (warps != 4 || first % 4 != 0)
      refuse("R43", s,
             std::string("each warp of a warpgroup ") + (stores ? "writes" : "reads") +
                 " 32 lanes of its own; the role has warps " + std::to_string(first) + " to " +
                 std::to_string(first + warps - 1) + ", and takes four, the first a multiple of 4");
    if ((in->shape[0] != 128 && in->shape[0] != 64) || lanes.rows() != in->shape[0] ||
        lanes.transposed || registers.transposed || !registers.offset[0].isConstant() ||
        registers.offset[0].constant != 0)
      refuse("R43", s, "it takes all rows of a tile of 64 or 128, a row in each lane");
    if (held->layout != Layout::row || held->minor != 1)
      refuse("R43", s,
             "registers have layout row, a row in each thread; " + held->name + " has " +
                 std::string(name(held->layout)));
    const int64_t size = byteSize(in->type);
    if (in->type != held->type || !(size == 4 || (size == 2 && stores)) ||
        lanes.cols() * size % 32 != 0)
      refuse("R43", s,
             stores ? "it takes columns of 32 bits in 8, each one element or two of 16 bits, "
                      "without converting them"
                    : "it takes columns of 32 bits in 8, without converting them");
    else if (c_.ranges->of(lanes.offset[1]).multiple * size % TensorMemory::columnBytes != 0)
      refuse("R43", s, "it may start in the middle of a column of " + in->name + ", at 16 bits");
  }

  const StructureContext &c_;
  const Program &program_;
  int64_t columns_ = 0; // allocated
};

/// Statements that stand in the kernel or in a role, in no loop or branch.
void straight(const Block &block, std::vector<const Stmt *> &found) {
  for (const Stmt &s : block.stmts) {
    found.push_back(&s);
    if (auto *role = std::get_if<Role>(&s.op))
      straight(role->body, found);
  }
}

template <typename T> std::vector<const Stmt *> all(const Program &program) {
  std::vector<const Stmt *> found;
  walk(program.body, [&found](const Stmt &s) {
    if (std::holds_alternative<T>(s.op))
      found.push_back(&s);
  });
  return found;
}

Error unsupportedAt(const Stmt &s, const std::string &why) {
  return unsupportedError(operationName(s.op) + place(s.loc) + ": " + why, s.loc);
}

} // namespace

void checkTensorMemory(const StructureContext &c) {
  TensorMemoryRules(c).check();
}

std::optional<Error> beyondTensorMemory(const Program &program) {
  if (program.target != Target::sm_100a)
    return {};
  std::vector<const Stmt *> once;
  straight(program.body, once);
  for (const auto &list : {all<TmemAlloc>(program), all<TmemDealloc>(program)}) {
    if (list.size() > 1)
      return unsupportedAt(*list[1], "tensor memory that is allocated or freed at two places of a "
                                     "kernel is not followed yet");
    for (const Stmt *s : list)
      if (std::ranges::find(once, s) == once.end())
        return unsupportedAt(*s, "tensor memory that is allocated or freed in a loop or a branch "
                                 "is not followed yet");
  }
  return {};
}

} // namespace sluice
