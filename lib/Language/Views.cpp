// Views of the embedded language, which move nothing: extents and boxes of tensors, tiles read
// otherwise.
#include "Language/Recorder.h"

using namespace mlir;

namespace sluice::lang {

Index Tensor::dim(int dimension, SourceLocation at) const {
  auto &r = *handle_.owner;
  Value tensor = r.open(at) ? r.use(handle_, at) : Value();
  if (tensor && (dimension < 0 || dimension >= rank_)) {
    r.fail(at, "dimension " + std::to_string(dimension) + " of '" + name_ + "', which has rank " +
                   std::to_string(rank_));
    tensor = {};
  }
  return Index(tensor ? r.handleOf(r.dim(tensor, dimension, at)) : r.poison());
}

Box Tensor::at(std::vector<Index> offsets, SourceLocation at) const {
  if (handle_.value && int(offsets.size()) != rank_) {
    handle_.owner->fail(at, std::to_string(offsets.size()) + " offsets into '" + name_ +
                                "', which has rank " + std::to_string(rank_));
    return {Tensor(handle_.owner->poison(), name_, type_, rank_), std::move(offsets)};
  }
  return {*this, std::move(offsets)};
}

Box gather(const Box &box, const Tensor &rows, SourceLocation at) {
  Box named = box;
  if (rows.rank() == 1 && rows.type() == DType::i32)
    named.rows = std::make_shared<const Tensor>(rows);
  else if (rows.handle().value)
    rows.handle().owner->fail(at, "rows are named by a tensor of rank 1 of i32; '" + rows.name() +
                                      "' has rank " + std::to_string(rows.rank()) + " and type " +
                                      std::string(name(rows.type())));
  return named;
}

Box clip(const Box &box, int dimension, Index end, SourceLocation at) {
  const Tensor &tensor = box.tensor;
  Box clipped = box;
  if (dimension >= 0 && dimension < tensor.rank())
    clipped.ends.push_back({dimension, end});
  else if (tensor.handle().value)
    tensor.handle().owner->fail(at, "clips dimension " + std::to_string(dimension) + " of '" +
                                        tensor.name() + "', which has rank " +
                                        std::to_string(tensor.rank()));
  return clipped;
}

Tile part(const Tile &tile, std::array<Index, 2> offsets, Shape shape, SourceLocation at) {
  auto &r = *tile.handle().owner;
  Tile none(r.poison(), shape, tile.type());
  Value value = r.open(at) ? r.use(tile.handle(), at) : Value();
  SmallVector<Value> values;
  if (!value || !r.use({offsets[0], offsets[1]}, at, values))
    return none;
  const auto within = [](Index offset, int64_t extent, int64_t whole) {
    const int64_t from = offset.isConstant() ? offset.constant() : 0;
    return extent >= 1 && from >= 0 && extent <= whole && from <= whole - extent;
  };
  if (!within(offsets[0], shape.rows, tile.rows()) || !within(offsets[1], shape.cols, tile.cols()))
    return r.fail(at, "a part of " + std::to_string(shape.rows) + " x " +
                          std::to_string(shape.cols) + " elements is not within " +
                          r.describe(value)),
           none;
  auto type = mlir::cast<ir::BufferType>(value.getType()).withShape({shape.rows, shape.cols});
  auto view = ir::SubviewOp::create(r.builder, r.at(at), type, value, values);
  return Tile(r.handleOf(view.getView()), shape, tile.type());
}

Tile transpose(const Tile &tile, SourceLocation at) {
  auto &r = *tile.handle().owner;
  Shape shape = {tile.cols(), tile.rows()};
  Value value = r.open(at) ? r.use(tile.handle(), at) : Value();
  if (!value)
    return Tile(r.poison(), shape, tile.type());
  auto view = ir::TransposeOp::create(r.builder, r.at(at), value);
  return Tile(r.handleOf(view.getView()), shape, tile.type());
}

} // namespace sluice::lang
