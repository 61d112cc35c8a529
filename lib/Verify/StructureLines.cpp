// R15 of tiles in layouts `lines` and `span`: a bulk copy for each line, or one for all, brings the
// pieces of 16 bytes around it as they lie, and who takes whole rows to registers shifts them.
#include "Program/Apart.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>

namespace sluice {
namespace {

bool isOfLines(const Program &p, const View &v) {
  const Buffer *b = p.buffer(v);
  return b && isAsItLies(b->layout);
}

/// What keeps all lines of a load from coming at once; empty: nothing. That they are whole is
/// known.
std::string spanFault(const StructureContext &c, const TmaLoad &load) {
  const Program &p = c.program;
  const Buffer &b = *p.buffer(load.destination);
  const Tensor &t = *p.tensor(load.source);
  const View &to = load.destination, &from = load.source;
  if (!followOneAnother(t, from.shape) || c.ranges->of(from.offset[t.minor]).least != 0 ||
      c.ranges->of(from.offset[t.minor]).most != 0)
    return "the lines of a box of " + t.name + " do not lie one behind the other";
  if (to.shape[0] != b.shape[0] || !to.offset[0].isConstant() || to.offset[0].constant != 0)
    return "it fills all lines of " + b.name;
  if (const IntegerRange start = c.ranges->of(from.offset[t.minor - 1]); start.least < 0)
    return "the first line may be before " + t.name + ", at " + std::to_string(start.least);
  if (widthOfLines(t) * byteSize(t.type) % lineMargin != 0)
    return "a line of " + t.name + " is no multiple of 16 bytes";
  if (widthOfLines(p, to.object) != widthOfLines(t))
    return "all that is loaded into " + b.name + " has lines of one length";
  return "";
}

/// What keeps a load from being made line by line; empty: nothing.
std::string loadFault(const StructureContext &c, const TmaLoad &load) {
  const Program &p = c.program;
  const Buffer &b = *p.buffer(load.destination);
  const Tensor *t = p.tensor(load.source);
  const View &to = load.destination, &from = load.source;
  if (!t || b.space != Space::smem)
    return "it copies from a tensor to shared memory";
  if (t->type != b.type || byteSize(b.type) < 2)
    return "elements have 2 bytes or more, of one type on both sides";
  if (load.multicast || load.barrier.remote)
    return "each CTA copies for itself";
  if (b.minor != 1 || t->minor != t->rank - 1 || to.transposed || from.transposed)
    return "a line is a row of the tile and of the tensor";
  if (b.shape[1] * byteSize(b.type) % lineMargin != 0 || to.shape[1] != b.shape[1] ||
      !to.offset[1].isConstant() || to.offset[1].constant != 0 ||
      from.shape[t->minor] != b.shape[1])
    return "it fills whole lines, of a multiple of 16 bytes";
  if (!isOnlyRead(p.tensors, from.object))
    return "the bytes around a line are read with it, and " + t->name + " is written";
  if (const IntegerRange start = c.ranges->of(from.offset[t->minor]); start.least < 0)
    return "a line may start before " + t->name + ", at " + std::to_string(start.least);
  return b.layout == Layout::span ? spanFault(c, load) : "";
}

bool readsRows(const Program &p, const Operation &op) {
  const auto *copy = std::get_if<Copy>(&op);
  const Buffer *to = copy ? p.buffer(copy->destination) : nullptr;
  return to && to->space == Space::reg && to->layout == Layout::blocked && !copy->source.transposed;
}

} // namespace

void checkLines(const StructureContext &c) {
  walk(c.program.body, [&](const Stmt &s) {
    const auto refuse = [&](const std::string &why) {
      c.refuse("R15", operationName(s.op) + place(s.loc) + ": " + why, s.loc);
    };
    const std::vector<const View *> views = viewsOf(s.op);
    const auto lines =
        std::ranges::find_if(views, [&](const View *v) { return isOfLines(c.program, *v); });
    if (lines == views.end())
      return;
    const std::string name = c.program.buffers[(*lines)->object].name;
    if (const auto *load = std::get_if<TmaLoad>(&s.op)) {
      if (const std::string fault = loadFault(c, *load); !fault.empty())
        refuse((c.program.buffers[(*lines)->object].layout == Layout::span
                    ? "a load of lines at once"
                    : "a load line by line") +
               std::string(", into ") + name + ": " + fault);
    } else if (!readsRows(c.program, s.op)) {
      refuse("the lines of " + name +
             " lie as bulk copies bring them, and copies to whole rows in registers alone find "
             "their elements there");
    }
  });
}

} // namespace sluice
