// R52: numbers of 4 and 6 bits, which TMA brings, tcgen05.cp takes to tensor memory and tcgen05.mma
// reads.
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Strides.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

class PackedCheck {
public:
  explicit PackedCheck(const StructureContext &c) : c_(c), program_(c.program) {}

  void check() const {
    for (const Tensor &t : program_.tensors)
      if (isPacked(t.type))
        tensor(t);
    for (const Buffer &b : program_.buffers)
      if (isPacked(b.type))
        buffer(b);
    walk(program_.body, [this](const Stmt &s) { operation(s); });
  }

private:
  std::string of(const std::string &name, DType type) const {
    return name + ", of " + std::string(sluice::name(type)) + ", ";
  }
  void refuse(const std::string &why, const Location &at) const { c_.refuse("R52", why, at); }
  void refuse(const Stmt &s, const std::string &why) const {
    refuse(operationName(s.op) + place(s.loc) + ": " + why, s.loc);
  }

  void tensor(const Tensor &t) const {
    const std::string start = "tensor " + of(t.name, t.type);
    if (program_.target != Target::sm_100a)
      refuse(start + "has numbers that sm_100a alone multiplies", t.loc);
    if (!t.input || t.output)
      refuse(start + "is written; numbers of 4 and 6 bits are only read", t.loc);
    if (t.align % alignmentOfTma(t.type) != 0)
      refuse(start + "promises an alignment of " + std::to_string(t.align) +
                 " bytes; TMA needs 32 for the base and every stride of packed numbers",
             t.loc);
  }

  void buffer(const Buffer &b) const {
    const bool lies = b.space == Space::smem && b.layout == Layout::sw128;
    if (program_.target == Target::sm_100a &&
        (b.space == Space::tmem || (lies && b.shape[b.minor] % packedLine == 0)))
      return;
    refuse("buffer " + of(b.name, b.type) + "is no tile of shared memory in layout sw128 with " +
               "lines of a multiple of 128 numbers, and none of tensor memory",
           b.loc);
  }

  bool isPackedView(const View &v) const { return isPacked(program_.type(v)); }

  void operation(const Stmt &s) const {
    if (const auto *load = std::get_if<TmaLoad>(&s.op); load && c_.ranges)
      return loaded(s, *load);
    const auto *product = std::get_if<Tcgen05Mma>(&s.op);
    for (const View *v : viewsOf(s.op))
      if (isPackedView(*v) && !std::holds_alternative<TmemCopy>(s.op) &&
          !(product && (v == &product->a || v == &product->b)))
        refuse(s, "it takes " + of(nameOf(*v), program_.type(*v)) +
                      "which TMA alone brings, tcgen05.cp copies and tcgen05.mma reads");
    if (const ElementFn *fn = functionOf(s.op); fn && computes(*fn))
      refuse(s, "no instruction computes with numbers of 4 or 6 bits");
  }

  static bool computes(const ElementFn &fn) {
    return std::ranges::any_of(fn.nodes, [](const ElementNode &n) { return isPacked(n.type); });
  }
  static const ElementFn *functionOf(const Operation &op) {
    if (const auto *map = std::get_if<Map>(&op))
      return &map->fn;
    if (const auto *fold = std::get_if<Reduce>(&op))
      return fold->element ? &*fold->element : nullptr;
    const auto *raw = std::get_if<Raw>(&op);
    return raw && raw->model ? &*raw->model : nullptr;
  }

  std::string nameOf(const View &v) const {
    return v.kind == View::buffer ? program_.buffers[v.object].name
                                  : program_.tensors[v.object].name;
  }

  /// PTX ISA, restrictions on tensor copy instructions, .b4x16_p64 and .b6x16_p32.
  void loaded(const Stmt &s, const TmaLoad &op) const {
    const Tensor *t = program_.tensor(op.source);
    const Buffer *b = program_.buffer(op.destination);
    if (!t || !b || (!isPacked(t->type) && !isPacked(b->type)))
      return; // R15
    if (t->type != b->type)
      return refuse(s, of(t->name, t->type) + "comes to " + b->name + ", of " +
                           std::string(name(b->type)) + "; TMA does not convert");
    const int64_t width = op.source.shape[t->minor], along = op.destination.shape[b->minor];
    if (width % packedLine != 0 || along != width)
      refuse(s, "the box has " + std::to_string(width) + " numbers of " + t->name +
                    " side by side; of 4 and 6 bits TMA brings 128 at a time");
    const int64_t start = c_.ranges->of(op.source.offset[t->minor]).multiple;
    if (start % packedLine != 0)
      refuse(s, "the box starts at multiples of " + std::to_string(start) + " numbers of " +
                    t->name + ", as far as is known; of 4 and 6 bits TMA needs 128");
  }

  const StructureContext &c_;
  const Program &program_;
};

} // namespace

void checkPacked(const StructureContext &c) {
  PackedCheck(c).check();
}

} // namespace sluice
