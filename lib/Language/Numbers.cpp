// Statements of the embedded language about integers that data brings: read from tensors, handed on
// between roles, counted in global memory.
#include "Language/Recorder.h"

#include "Dialect/ValueNames.h"

using namespace mlir;

namespace sluice::lang {

/// The tensor of integers that an element is of, and where in it; no tensor, with the mistake
/// recorded, where it is none.
static Value integerAt(detail::Recorder &r, const Box &element, const char *what,
                       SmallVectorImpl<Value> &offsets, SourceLocation at) {
  Value tensor = r.open(at) ? r.use(element, at) : Value();
  if (!tensor || !r.use(element.offsets, at, offsets))
    return {};
  if (element.tensor.type() == DType::i32)
    return tensor;
  r.fail(at, std::string(what) + " of '" + element.tensor.name() + "', whose elements are " +
                 std::string(sluice::name(element.tensor.type())) +
                 "; only i32 can be read as an index");
  return {};
}

Index KernelBuilder::scalar(const Box &element, SourceLocation at) {
  auto &r = *recorder_;
  SmallVector<Value> offsets;
  Value source = integerAt(r, element, "a scalar", offsets, at);
  if (!source)
    return Index(r.poison());
  Value read =
      ir::ScalarLoadOp::create(r.builder, r.at(at), r.builder.getIndexType(), source, offsets);
  ir::setValueName(read, r.unique(detail::lowered(element.tensor.name()) + "_element"));
  return Index(r.handleOf(read));
}

Index KernelBuilder::uniform(Index value, SourceLocation at) {
  auto &r = *recorder_;
  Value known = r.open(at) ? r.use(value, at) : Value();
  if (!known)
    return Index(r.poison());
  return Index(r.handleOf(ir::UniformOp::create(r.builder, r.at(at), known)));
}

// ---- From role to role ------------------------------------------------------------------------

Index KernelBuilder::scalar(const Tile &tile, Index row, Index col, SourceLocation at) {
  auto &r = *recorder_;
  Value source = r.open(at) ? r.use(tile.handle(), at) : Value();
  SmallVector<Value> offsets;
  if (!source || !r.use({row, col}, at, offsets))
    return Index(r.poison());
  return Index(r.handleOf(
      ir::ScalarReadOp::create(r.builder, r.at(at), r.builder.getIndexType(), source, offsets)));
}

void KernelBuilder::setScalar(const Tile &tile, Index row, Index col, Index value,
                              SourceLocation at) {
  auto &r = *recorder_;
  Value destination = r.open(at) ? r.use(tile.handle(), at) : Value();
  Value number = destination ? r.use(value, at) : Value();
  SmallVector<Value> offsets;
  if (number && r.use({row, col}, at, offsets))
    ir::ScalarWriteOp::create(r.builder, r.at(at), number, destination, offsets);
}

void KernelBuilder::meet(SourceLocation at) {
  auto &r = *recorder_;
  if (r.open(at) && r.roles.inWarps("a meeting of threads", at))
    r.roles.meet(at);
}

// ---- Between CTAs -----------------------------------------------------------------------------

Index KernelBuilder::addToCounter(const Box &counter, Index value, SourceLocation at) {
  auto &r = *recorder_;
  SmallVector<Value> offsets;
  Value tensor = integerAt(r, counter, "a counter", offsets, at);
  Value number = tensor ? r.use(value, at) : Value();
  if (!number || !r.roles.inRole("an add to a counter", at))
    return Index(r.poison());
  return Index(r.handleOf(ir::CounterAddOp::create(r.builder, r.at(at), r.builder.getIndexType(),
                                                   tensor, offsets, number, ir::Scope::gpu)));
}

void KernelBuilder::waitForCounter(const Box &counter, Index value, SourceLocation at) {
  auto &r = *recorder_;
  SmallVector<Value> offsets;
  Value tensor = integerAt(r, counter, "a counter", offsets, at);
  Value number = tensor ? r.use(value, at) : Value();
  if (number && r.roles.inRole("a wait for a counter", at))
    ir::CounterWaitOp::create(r.builder, r.at(at), tensor, offsets, number, ir::Scope::gpu,
                              /*co_resident=*/true);
}

} // namespace sluice::lang
