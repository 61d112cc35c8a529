#include "Transform/Program/ShortParts.h"

#include "Program/Agent.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"

#include <algorithm>

namespace sluice {
namespace {

bool isOfShortParts(const Program &p, const View &view) {
  const Tensor *tensor = p.tensor(view);
  return tensor && hasShortParts(*tensor);
}

/// As the tensor has it.
bool liesInShared(const Program &p, const View &view) {
  const Buffer *b = p.buffer(view);
  return b && b->space == Space::smem && isAsItLies(b->layout) && !view.transposed;
}
bool liesInRegisters(const Program &p, const View &view) {
  const Buffer *b = p.buffer(view);
  return b && b->space == Space::reg && b->layout == Layout::blocked && !view.transposed;
}

/// Columns and parts, or lines and what is in them, end where the tensor says.
bool endsWithItsParts(const Program &p, const View &view) {
  const bool rows = !p.tensors[view.object].isLine;
  return !view.transposed && std::ranges::all_of(view.clips, [&](const Clip &clip) {
    return rows && clip.dimension == 0;
  });
}

/// Whether an operation that touches such a tensor is one of those that know where its parts end.
bool knowsParts(const Program &p, const Operation &op) {
  if (const auto *load = std::get_if<TmaLoad>(&op))
    return liesInShared(p, load->destination) && endsWithItsParts(p, load->source);
  const auto *copy = std::get_if<Copy>(&op);
  if (!copy || copy->rows)
    return false;
  const bool loads = copy->source.kind == View::tensor;
  return liesInRegisters(p, loads ? copy->destination : copy->source) &&
         endsWithItsParts(p, loads ? copy->source : copy->destination);
}

/// The tensor that a statement touches so that nothing knows where its parts end; -1: none.
int touchedOtherwise(const Program &p, const Stmt &s) {
  if (const auto *scalar = std::get_if<Scalar>(&s.op))
    return scalar->op == ScalarOp::load && hasShortParts(p.tensors[scalar->object]) ? scalar->object
                                                                                    : -1;
  if (const View *hint = factsOf(s.op).hint)
    return isOfShortParts(p, *hint) ? hint->object : -1;
  for (const View *view : viewsOf(s.op))
    if (isOfShortParts(p, *view) && !knowsParts(p, s.op))
      return view->object;
  return -1;
}

} // namespace

std::optional<Error> checkShortParts(const Program &program) {
  std::optional<Error> error;
  walk(program.body, [&](const Stmt &s) {
    const int tensor = error ? -1 : touchedOtherwise(program, s);
    if (tensor < 0)
      return;
    const Tensor &of = program.tensors[tensor];
    error = unsupportedError(
        (of.isLine ? "the last line of " + of.name + " may be short (sluice.line)"
                   : "rows of " + of.name + " have short parts (sluice.joined_extent)") +
            ": bulk copies load them line by line, and threads by whole rows, as they store "
            "them; " +
            operationName(s.op) + " does neither",
        s.loc);
  });
  return error;
}

} // namespace sluice
