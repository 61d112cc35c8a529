// Who executes, TMA limits, wgmma shapes.
#include "Arch/Limits.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Registers.h"
#include "Program/Sharing.h"
#include "Program/Strides.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

/// A statement and the warps that share its code.
struct Place {
  const Stmt &stmt;
  const Role *role;
  int warps;
};

void refuse(const StructureContext &c, const char *rule, const Place &at, const std::string &why) {
  c.refuse(rule, operationName(at.stmt.op) + place(at.stmt.loc) + ": " + why, at.stmt.loc);
}

// ---- R15 ----

void checkTma(const StructureContext &c, const Place &at, const View &shared, const View &global) {
  const Program &p = c.program;
  const Buffer *b = p.buffer(shared);
  const Tensor *t = p.tensor(global);
  if (!b || b->space != Space::smem || !t) {
    refuse(c, "R15", at, "TMA copies between a tensor and shared memory");
    return;
  }
  if (t->align % 16 != 0)
    refuse(c, "R15", at,
           "tensor " + t->name + " promises an alignment of " + std::to_string(t->align) +
               " bytes; TMA needs 16 for the base and every stride. Copy by threads instead");
  if (t->rank > mostDimensionsOfAMap)
    refuse(c, "R15", at,
           "tensor " + t->name + " has rank " + std::to_string(t->rank) +
               "; a tensor map has at most 5 dimensions");
  const bool swizzled = swizzleBytes(b->layout) != 0;
  const int64_t chunk = chunkElements(b->layout, b->type);
  if (!chunk && b->layout != Layout::row)
    refuse(c, "R15", at,
           "buffer " + b->name + " has layout " + std::string(name(b->layout)) +
               "; TMA writes rows, panels or a swizzle of 32, 64 or 128 bytes");
  for (int d = 0; d < t->rank; ++d) {
    const int64_t extent = global.shape[d];
    if (d == t->minor && extent * byteSize(t->type) % 16 != 0)
      refuse(c, "R15", at,
             "the box is " + std::to_string(extent * byteSize(t->type)) +
                 " bytes wide; TMA needs a multiple of 16");
    if (extent > mostOfABox && !(d == t->minor && chunk))
      refuse(c, "R15", at,
             "the box has " + std::to_string(extent) + " elements in dimension " +
                 std::to_string(d) + "; TMA takes at most 256");
  }
  if (t->rank == 2) {
    const int minor = global.transposed ? 1 - t->minor : t->minor;
    if (global.shape[0] > 1 && global.shape[1] > 1 && minor != logicalMinor(p, shared))
      refuse(c, "R15", at,
             "the contiguous dimension of " + t->name + " is not that of " + b->name +
                 "; TMA does not transpose");
  }
  if (const int64_t along = shared.shape[b->minor];
      b->layout == Layout::panels && along % chunk != 0)
    refuse(c, "R15", at,
           "the box has " + std::to_string(along) + " elements along the panels of " + b->name +
               "; it takes whole ones, of " + std::to_string(chunk));
  for (size_t d = 0; chunk && d < 2; ++d) {
    const Index &offset = shared.offset[d];
    const bool along = static_cast<int>(d) == b->minor;
    const int64_t unit = along ? chunk : swizzled ? 8 : 1;
    const int64_t multiple = c.ranges->of(offset).multiple;
    if (multiple % unit == 0)
      continue;
    refuse(c, "R15", at,
           "the box starts at " +
               (offset.isConstant() ? "element " + std::to_string(offset.constant)
                                    : "multiples of " + std::to_string(multiple) +
                                          " elements, as far as is known,") +
               " of dimension " + std::to_string(d) + " of " + b->name +
               (swizzled ? "; its swizzle pattern repeats every " : "; its panels have ") +
               std::to_string(unit));
  }
}

/// Boxes of a tensor map, of at most 256 elements along each side; several side by side along its
/// contiguous dimension.
void checkPrefetch(const StructureContext &c, const Place &at, const View &box) {
  const Tensor &t = *c.program.tensor(box);
  if (t.align % 16 != 0 || t.rank > mostDimensionsOfAMap)
    refuse(c, "R15", at,
           "tensor " + t.name + " has rank " + std::to_string(t.rank) + " and an alignment of " +
               std::to_string(t.align) +
               " bytes; a tensor map has at most 5 dimensions, and 16 bytes. Prefetch by threads");
  for (int d = 0; d < t.rank; ++d) {
    const int64_t extent = box.shape[d];
    if (d == t.minor && extent * byteSize(t.type) % 16 != 0)
      refuse(c, "R15", at,
             "the box is " + std::to_string(extent * byteSize(t.type)) +
                 " bytes wide; TMA needs a multiple of 16");
    if (extent > mostOfABox && (d != t.minor || extent % mostOfABox != 0))
      refuse(c, "R15", at,
             "the box has " + std::to_string(extent) + " elements in dimension " +
                 std::to_string(d) + "; TMA takes at most 256");
  }
}

/// PTX ISA, cp.reduce.async.bulk.tensor: no sums of 8 bits.
void checkSum(const StructureContext &c, const Place &at, const TmaStore &store) {
  const Tensor *t = c.program.tensor(store.destination);
  if (store.add && t && byteSize(t->type) == 1)
    refuse(c, "R15", at,
           "TMA adds elements of 16 and 32 bits; those of " + t->name + " are " +
               std::string(name(t->type)));
}

// ---- R40 ----

bool comesAsItLies(const Program &p, const View &shared) {
  const Buffer *b = p.buffer(shared);
  return b && isAsItLies(b->layout);
}

/// Whether every launch keeps where its boxes start.
void checkStart(const StructureContext &c, const Place &at, const View &global, bool store) {
  const Tensor *t = c.program.tensor(global);
  for (int d = 0; t && d < t->rank; ++d) {
    const IntegerRange start = c.ranges->of(global.offset[d]);
    const std::string where = "dimension " + std::to_string(d) + " of " + t->name;
    const int64_t bytes = start.multiple * byteSize(t->type);
    if (d == t->minor && bytes % 16 != 0)
      refuse(c, "R40", at,
             "the box starts in " + where + " at multiples of " + std::to_string(bytes) +
                 " bytes, as far as is known; TMA needs 16. Copy by threads instead");
    if (const int64_t line = lineBytes(*t); store && d == t->minor && line > 0 && line % 16 != 0)
      refuse(c, "R40", at,
             where + " has " + std::to_string(line) +
                 " bytes; TMA stores multiples of 16. Copy by threads instead");
    if (store && start.least < 0)
      refuse(c, "R40", at,
             "the box may start before " + where + ", at " + std::to_string(start.least) +
                 "; TMA stores from 0 on. Copy by threads, or assume what keeps it from there");
  }
}

// ---- R17 ----

/// A swizzled tile wider than its span lies in parts of a span's columns, one behind the other.
void checkParts(const StructureContext &c, const Place &at, const View &shared, const Buffer &b) {
  const int64_t rows = b.shape[1 - b.minor], span = swizzleBytes(b.layout);
  const Index &along = shared.offset[b.minor];
  const bool first =
      along.isConstant() && along.constant == 0 && shared.shape[b.minor] * byteSize(b.type) <= span;
  if (span != 0 && !first && rows % 8 != 0)
    refuse(c, "R17", at,
           "buffer " + b.name + " has " + std::to_string(rows) +
               " rows, so that columns beyond the first " + std::to_string(span) +
               " bytes start inside a swizzle pattern, which repeats every 8 rows. Use tiles of "
               "whole 8 rows");
}

/// PTX ISA, cp.async.bulk.tensor: the shared side starts at a multiple of 128 bytes. The patterns
/// of swizzled tiles are larger and are held to that with the buffer.
void checkTmaAddress(const StructureContext &c, const Place &at, const View &shared) {
  const Buffer *b = c.program.buffer(shared);
  if (!b || b->space != Space::smem)
    return;
  if (swizzleBytes(b->layout))
    return checkParts(c, at, shared, *b);
  constexpr int64_t alignment = 128;
  if (b->offset % alignment != 0 || (b->slots > 1 && b->slotBytes % alignment != 0)) {
    refuse(c, "R17", at,
           "buffer " + b->name + " starts at byte " + std::to_string(b->offset) +
               " with slots of " + std::to_string(b->slotBytes) +
               "; TMA needs multiples of 128 for both");
    return;
  }
  for (size_t d = 0; b->layout == Layout::row && d < 2; ++d) {
    const int64_t element = byteSize(b->type);
    const int64_t step = static_cast<int>(d) == b->minor ? element : b->shape[b->minor] * element;
    const Index &offset = shared.offset[d];
    if ((offset.isConstant() ? offset.constant * step : step) % alignment != 0)
      refuse(c, "R17", at,
             "the box starts at " +
                 (offset.isConstant() ? "element " + std::to_string(offset.constant)
                                      : std::string("a run-time element")) +
                 " of dimension " + std::to_string(d) + " of " + b->name + ", in steps of " +
                 std::to_string(step) + " bytes; TMA needs a multiple of 128");
  }
}

// ---- R18 ----

bool legalTypes(DType d, DType a, DType b) {
  const auto fp8 = [](DType t) { return t == DType::e4m3 || t == DType::e5m2; };
  if (a == DType::f16 || (fp8(a) && fp8(b)))
    return (a == b || fp8(a)) && (d == DType::f16 || d == DType::f32);
  if (a == DType::s8)
    return b == DType::s8 && d == DType::i32;
  return a == b && (a == DType::bf16 || a == DType::tf32) && d == DType::f32;
}

void checkWgmma(const StructureContext &c, const Place &at, const Wgmma &op) {
  const Program &p = c.program;
  if (p.target != Target::sm_90a)
    return refuse(c, "R18", at,
                  std::string(name(p.target)) + " has no wgmma; multiply by tcgen05.mma");
  const Buffer *d = p.buffer(op.d), *a = p.buffer(op.a), *b = p.buffer(op.b);
  const bool aInRegisters = a && a->space == Space::reg;
  if (!d || d->space != Space::reg || d->layout != Layout::acc || !a || !b ||
      b->space != Space::smem || !(aInRegisters || a->space == Space::smem) ||
      (aInRegisters && a->layout != Layout::fragA)) {
    refuse(c, "R18", at,
           "D is an `acc` tile in registers, A is in shared memory or a `fragA` tile in "
           "registers, B is in shared memory");
    return;
  }
  const DType ta = a->type, tb = b->type;
  if (!legalTypes(d->type, ta, tb))
    refuse(c, "R18", at,
           "no instruction multiplies " + std::string(name(ta)) + " by " + std::string(name(tb)) +
               " into " + std::string(name(d->type)));
  const int64_t k = 32 / byteSize(ta), m = op.d.rows(), n = op.d.cols();
  if (m % 64 != 0 || n % 8 != 0 || n > 256 || (ta == DType::s8 && n > 32 && n % 16 != 0))
    refuse(c, "R18", at,
           "D is " + std::to_string(m) + " x " + std::to_string(n) +
               "; rows come in 64, columns in 8 up to 256" +
               (ta == DType::s8 ? " (in 16 from 32 on)" : ""));
  if (op.a.cols() % k != 0)
    refuse(c, "R18", at,
           "K is " + std::to_string(op.a.cols()) + "; " + std::string(name(ta)) +
               " goes in steps of " + std::to_string(k));
  for (const Buffer *x : {a, b})
    if (x->space == Space::smem && swizzleBytes(x->layout) == 0)
      refuse(c, "R18", at,
             "operand " + x->name + " has layout " + std::string(name(x->layout)) +
                 "; the descriptor needs a swizzled layout (sw32, sw64, sw128)");
  for (const View *x : {&op.a, &op.b})
    if (const std::string fault = operandStartFault(c, *x, x == &op.a); !fault.empty())
      refuse(c, "R18", at, fault);
  if (byteSize(ta) != 2 &&
      ((!aInRegisters && logicalMinor(p, op.a) != 1) || logicalMinor(p, op.b) != 0))
    refuse(c, "R18", at,
           std::string(name(ta)) + " operands must be contiguous along K; only 16-bit types may be "
                                   "transposed");
  const int64_t has = registersAtLaunch(int64_t{p.warps} * p.ctasPerSm, c.arch.registersPerSm);
  if (const int64_t needed = registersOfProduct(n, aInRegisters); p.warps > 0 && needed > has)
    refuse(c, "R19", at,
           "an instruction of " + std::to_string(n) + " columns takes " + std::to_string(needed) +
               " registers a thread; " +
               (p.ctasPerSm > 1 ? std::to_string(p.ctasPerSm) + " CTAs of " : "a CTA of ") +
               std::to_string(p.warps) +
               (p.ctasPerSm > 1 ? " warps start with " : " warps starts with ") +
               std::to_string(has) +
               ", and ptxas counts no others. Use narrower tiles or fewer "
               "warps");
}

// ---- R13, R11 ----

/// Of TMA and wgmma other rules say where their tiles lie.
bool touchesRegisters(const Program &p, const Operation &op) {
  if (factsOf(op).byAsyncProxy || std::holds_alternative<Wgmma>(op))
    return false;
  return std::ranges::any_of(viewsOf(op), [&p](const View *v) {
    const Buffer *b = p.buffer(*v);
    return b && b->space == Space::reg;
  });
}

/// An id that is no constant is judged where it is used, by its value.
void checkNamedBarrier(const StructureContext &c, const Place &at, const NamedBarrier &b) {
  const bool exists = !b.id.isConstant() || NamedBarrier::isId(b.id.constant);
  if (exists && b.threads % 32 == 0 && b.threads >= 0 && b.threads <= c.program.warps * 32)
    return;
  const std::string id = b.id.isConstant() ? " " + std::to_string(b.id.constant) : "";
  refuse(c, "R11", at,
         "named barrier" + id + " for " + std::to_string(b.threads) +
             " threads; ids are 0 to 15, counts multiples of 32 up to the CTA's " +
             std::to_string(c.program.warps * 32));
}

/// A tile in registers of which each thread of the role has a row is taken as a whole.
void checkRowsOfThreads(const StructureContext &c, const Place &at) {
  for (const View *v : viewsOf(at.stmt.op)) {
    const Buffer *b = c.program.buffer(*v);
    if (!b || b->space != Space::reg || b->layout != Layout::row)
      continue;
    if (!v->offset[0].isConstant() || v->offset[0].constant != 0 || v->shape[0] != b->shape[0])
      refuse(c, "R13", at,
             "it takes some rows of " + b->name +
                 ", of which each thread has one; take all of them");
  }
}

void checkExecution(const StructureContext &c, const Place &at) {
  const Operation &op = at.stmt.op;
  const bool threads = at.stmt.exec == Exec::threads;
  const OperationFacts facts = factsOf(op);
  const Executors executors = facts.executors;
  if (executors == Executors::warpgroups &&
      !(threads && at.warps % 4 == 0 && (!at.role || at.role->firstWarp % 4 == 0)))
    refuse(c, "R13", at,
           "wgmma operations are executed by all threads of whole warpgroups (4 warps, the first a "
           "multiple of 4)");
  if (executors == Executors::warp && !threads)
    refuse(c, "R13", at, "all threads of a warp execute a barrier, not an elected one");
  if (facts.byAsyncProxy && threads)
    refuse(c, "R13", at,
           "one elected thread issues a TMA copy; all threads would issue it 32 "
           "times a warp");
  if (std::holds_alternative<ClcTryCancel>(op) && threads)
    refuse(c, "R13", at,
           "one elected thread asks for a cluster; all threads would ask for 32 of them a warp");
  if (std::holds_alternative<RemoteCopy>(op) && threads && !touchesRegisters(c.program, op))
    refuse(c, "R13", at,
           "one elected thread issues a bulk copy; all threads would issue it 32 times a warp");
  const bool product =
      std::holds_alternative<Tcgen05Mma>(op) || std::holds_alternative<Tcgen05Commit>(op) ||
      std::holds_alternative<TmemCopy>(op) || std::holds_alternative<TmemShift>(op);
  if (product && at.stmt.exec != Exec::one && (threads || at.warps > 1))
    refuse(c, "R13", at, "one thread issues and commits products of tensor memory, the same one");
  if (std::holds_alternative<MbarrierInit>(op) && threads)
    refuse(c, "R13", at, "one elected thread initialises an mbarrier");
  if (touchesRegisters(c.program, op) && !threads)
    refuse(c, "R13", at, "a tile in registers is spread over all threads; all of them execute it");
  if (auto *fold = std::get_if<Reduce>(&op); fold && fold->axis == 0 && at.warps > 1)
    refuse(c, "R13", at,
           "a fold over rows (axis 0) crosses the " + std::to_string(at.warps) +
               " warps that share them, and each would fold its own; let one warp do it in shared "
               "memory");
  if (auto *b = std::get_if<NamedBarrier>(&op))
    checkNamedBarrier(c, at, *b);
}

/// `outer`: the role around it.
void checkRole(const StructureContext &c, const Stmt &s, const Role &r, const Role *outer) {
  if (outer)
    c.refuse("R13",
             "role " + r.name + place(s.loc) + " is inside of role " + outer->name +
                 "; a warp has one number in one role. Put it beside that",
             s.loc);
  if (r.warps < 1 || r.firstWarp < 0 || r.firstWarp + r.warps > c.program.warps)
    c.refuse("R13",
             "role " + r.name + place(s.loc) + " has warps " + std::to_string(r.firstWarp) +
                 " to " + std::to_string(r.firstWarp + r.warps - 1) + "; the CTA has " +
                 std::to_string(c.program.warps),
             s.loc);
}

void visitPlaces(const StructureContext &c) {
  walkRoles(c.program.body, [&c](const Stmt &s, const Role *role) {
    const Place at{s, role, role ? role->warps : c.program.warps};
    checkExecution(c, at);
    checkRowsOfThreads(c, at);
    if (auto *load = std::get_if<TmaLoad>(&s.op);
        load && !comesAsItLies(c.program, load->destination))
      checkTma(c, at, load->destination, load->source), checkStart(c, at, load->source, false),
          checkTmaAddress(c, at, load->destination);
    else if (auto *store = std::get_if<TmaStore>(&s.op))
      checkTma(c, at, store->source, store->destination),
          checkStart(c, at, store->destination, true), checkTmaAddress(c, at, store->source),
          checkSum(c, at, *store);
    else if (auto *ahead = std::get_if<Prefetch>(&s.op); ahead && s.exec == Exec::one)
      checkPrefetch(c, at, ahead->source), checkStart(c, at, ahead->source, false);
    else if (auto *w = std::get_if<Wgmma>(&s.op))
      checkWgmma(c, at, *w);
    else if (auto *r = std::get_if<Role>(&s.op))
      checkRole(c, s, *r, role);
  });
}

} // namespace

void checkNvidia(const StructureContext &c) {
  const Ranges ranges(c.program);
  const StructureContext ranged{c.program, c.arch, c.found, &ranges};
  visitPlaces(ranged);
  checkLines(ranged);
  checkPacked(ranged);
  checkWarpgroups(c);
  checkTokens(c);
  checkTensorMemory(ranged);
  checkPairs(ranged);
  checkRegisters(c);
}

} // namespace sluice
