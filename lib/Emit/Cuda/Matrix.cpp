// wgmma: operands by descriptor or in registers.
#include "Emit/Cuda/Printer.h"

#include "Program/Agent.h"

namespace sluice::cuda {

/// "kMajor(a, slot)" or "mnMajor(b, slot)", moved to where the view starts.
std::optional<std::string> MatrixPrinter::sharedOperand(const View &v, bool isA) {
  const Buffer &b = program_.buffers[v.object];
  if (b.space != Space::smem || !swizzleBytes(b.layout)) {
    fail("wgmma reads " + b.name +
         " by descriptor: it must be in shared memory, swizzled by 32, "
         "64 or 128 bytes, not " +
         std::string(name(b.layout)));
    return std::nullopt;
  }
  int contiguous = v.transposed ? 1 - b.minor : b.minor; // in the view: 0 rows, 1 columns
  bool kMajor = contiguous == (isA ? 1 : 0);
  const Index &rows = v.offset[v.transposed ? 1 : 0], &cols = v.offset[v.transposed ? 0 : 1];
  const Index &mn = isA ? rows : cols, &k = isA ? cols : rows;
  int64_t chunk = swizzleBytes(b.layout) / byteSize(b.type);
  const int64_t step = 32 / byteSize(b.type);
  if (divisor(mn) % (kMajor ? 8 : chunk) || divisor(k) % step) {
    fail("wgmma operand " + b.name + " must start at a multiple of " + number(kMajor ? 8 : chunk) +
         " in M or N and of " + number(step) + " in K");
    return std::nullopt;
  }
  // PTX ISA, wgmma: 16 bits alone; tcgen05, Instruction Descriptor: 8 bits too.
  const bool ofBlackwell = program_.target == Target::sm_100a;
  if (!kMajor && byteSize(b.type) != 2 && !(ofBlackwell && byteSize(b.type) == 1)) {
    fail("wgmma operand " + b.name + " of " + std::string(name(b.type)) +
         " must be contiguous along K; only 16-bit types are transposed");
    return std::nullopt;
  }
  std::string text = std::string(kMajor ? "kMajor(" : "mnMajor(") + bufferNames_[v.object] + ", " +
                     this->text(v.slot) + ")";
  bool moved = !mn.isConstant() || mn.constant || !k.isConstant() || k.constant;
  return moved ? text + ".from(" + this->text(mn) + ", " + this->text(k) + ")" : text;
}

/// Sums of f32, of s8 those of i32; 8-bit floats also with each other.
static bool printsProduct(DType d, DType a, DType b) {
  const auto small = [](DType t) { return isFloat(t) && byteSize(t) == 1; };
  const bool real = isFloat(a) && a != DType::f32;
  return (a == b || (small(a) && small(b))) &&
         (a == DType::s8 ? d == DType::i32 : real && d == DType::f32);
}

void MatrixPrinter::wgmma(const Wgmma &o) {
  DType type = program_.type(o.b);
  int64_t n = o.d.shape[1], k = o.a.cols();
  const Buffer &a = program_.buffers[o.a.object];
  auto d = registerTile(o.d);
  if (!d)
    return;
  const int64_t step = 32 / byteSize(type);
  if (!printsProduct(program_.type(o.d), a.type, type))
    return fail("wgmma of " + std::string(name(a.type)) + " x " + std::string(name(type)) +
                " into " + std::string(name(program_.type(o.d))) +
                "; printed are operands of one type, f16, bf16, tf32, e4m3 or e5m2 into f32 and "
                "s8 into i32, and e4m3 with e5m2");
  if (n % 8 || n > 256 || k % step || o.b.rows() != k || o.b.cols() != n ||
      o.a.rows() != o.d.rows())
    return fail("wgmma d[" + number(o.d.rows()) + "," + number(n) + "] = a[" + number(o.a.rows()) +
                "," + number(k) + "] b[" + number(o.b.rows()) + "," + number(o.b.cols()) +
                "]: shapes must fit, N be a multiple of 8 up to 256, K of " + number(step));
  if (d->kind != RegisterTile::fragment || !d->whole())
    return fail("wgmma accumulates in a whole register tile of layout acc");
  auto b = sharedOperand(o.b, false);
  if (!b)
    return;
  std::string tail = ", " + *b + ", " + condition(o.accumulate);
  if (a.space == Space::reg) {
    if (step != 16)
      return fail("wgmma takes A of " + std::string(name(type)) +
                  " from shared memory; in registers it has 16 bits");
    auto ra = registerTile(o.a);
    if (!ra || ra->kind != RegisterTile::fragment || ra->firstColumn % 16)
      return fail("wgmma takes A in registers as a fragA tile, columns from a multiple of 16");
    std::string first = ra->firstColumn ? ", " + number(ra->firstColumn) : "";
    out().line("wgmma<" + number(k) + ">(" + d->name + ", inRegisters(" + ra->name + first + ")" +
               tail + ");");
    return;
  }
  auto sa = sharedOperand(o.a, true);
  if (sa)
    out().line("wgmma<" + number(k) + ", " + number(warps() / 4) + ">(" + d->name + ", " + *sa +
               tail + ", " + warp() + " / 4);");
}

/// The register tiles that a fence or wait names, in the order of the role's products.
std::string MatrixPrinter::wgmmaRegisters(const Stmt &s) {
  std::string list;
  std::set<int> named = products_.of(s);
  walk(role_ ? role_->body : program_.body, [&](const Stmt &other) {
    auto *o = std::get_if<Wgmma>(&other.op);
    if (!o)
      return;
    for (const View *v : {&o->d, &o->a}) {
      if (named.erase(v->object) == 0)
        continue;
      const int64_t slots = program_.buffers[v->object].slots;
      for (int64_t slot = 0; slot < slots; ++slot)
        list += (list.empty() ? "" : ", ") + bufferNames_[v->object] +
                (slots > 1 ? "[" + number(slot) + "]" : "");
    }
  });
  return list;
}

} // namespace sluice::cuda
