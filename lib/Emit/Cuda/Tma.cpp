// Tensor copies: a tile is one or several boxes side by side, each a chunk of the swizzle wide. PTX
// ISA "Tensors"; CUDA driver API cuTensorMapEncodeTiled for the limits, which R15 states.
#include "Arch/Limits.h"
#include "Emit/Cuda/Printer.h"

#include <algorithm>

namespace sluice::cuda {

struct TmaPrinter::Boxes {
  std::string map;
  int64_t across, step, chunk; // boxes along the contiguous dimension, elements, bytes
  std::string address;         // of the first box
  std::vector<int> dims;
};

/// Start of the view in shared memory: whole chunks and multiples of 8 lines from the slot on, so
/// that the swizzle of the copy is that of the buffer. Empty where it is not known to be.
std::string TmaPrinter::copyAddress(const Buffer &b, const View &v) {
  const Index &line = v.offset[1 - b.minor], &along = v.offset[b.minor];
  const int64_t size = byteSize(b.type), span = chunkElements(b.layout, b.type) * size;
  int64_t lineBytes = span ? span : b.shape[b.minor] * size;
  if (span && (divisor(along) * size % span || (swizzleBytes(b.layout) && divisor(line) % 8)))
    return "";
  int64_t alongBytes = span ? b.shape[1 - b.minor] * span : size; // of a chunk, or of an element
  int64_t alongUnit = span ? span / size : 1;
  std::string result = address(v);
  int64_t known = (line.isConstant() ? line.constant * lineBytes : 0) +
                  (along.isConstant() ? along.constant / alongUnit * alongBytes : 0);
  if (!line.isConstant())
    result += " + " + factor(line) + " * " + number(lineBytes);
  if (!along.isConstant())
    result += " + " + factor(along) + (alongUnit > 1 ? " / " + number(alongUnit) : "") + " * " +
              number(alongBytes);
  return known ? result + " + " + number(known) : result;
}

/// How the tile of a tensor copy is cut into boxes. Rules: PTX ISA "cp.async.bulk.tensor".
std::optional<TmaPrinter::Boxes> TmaPrinter::boxes(const View &tensor, const View &buffer,
                                                   bool store) {
  const Tensor &t = program_.tensors[tensor.object];
  const Buffer &b = program_.buffers[buffer.object];
  auto refuse = [&](const std::string &why) {
    fail("a tensor copy between " + t.name + " and " + b.name + ": " + why);
    return std::nullopt;
  };
  if (b.space != Space::smem || byteSize(t.type) != byteSize(b.type) || t.type != b.type)
    return refuse("the copy engine moves to and from shared memory and converts nothing");
  if (t.rank > 5 || t.align % 16)
    return refuse("it needs at most 5 dimensions, a base and strides that are multiples of 16 bytes"
                  " (align is " +
                  number(t.align) + "); copy by threads instead");
  auto tile = tensorTile(tensor, buffer.rows(), buffer.cols());
  if (!tile)
    return std::nullopt;
  // Dimensions of the tensor along the dimensions of the buffer.
  int along[2] = {tile->row, tile->col};
  if (buffer.transposed)
    std::swap(along[0], along[1]);
  if (along[b.minor] != t.minor)
    return refuse("their contiguous dimensions differ, and the copy engine does not transpose");
  const int64_t size = byteSize(b.type), span = chunkElements(b.layout, b.type) * size;
  int64_t width = tensor.shape[t.minor], lines = b.shape[1 - b.minor];
  Boxes boxes{};
  int lineDim = along[1 - b.minor]; // dimension of the tensor that the lines run along, or -1
  int64_t height = lineDim < 0 ? 1 : tensor.shape[lineDim];
  boxes.step = span ? std::min(width, span / size) : width;
  boxes.across = width / boxes.step;
  boxes.chunk = lines * span;
  if (width % boxes.step)
    return refuse("the tile is " + number(width) + " elements wide, no whole number of chunks of " +
                  number(boxes.step) + "; use a narrower layout");
  if (boxes.step * size % 16 || boxes.step > 256 || height > 256)
    return refuse("a box is a multiple of 16 bytes wide, and at most 256 elements along each side");
  if (span == 0 && width != b.shape[b.minor])
    return refuse("without swizzle the box must be as wide as the buffer");
  boxes.address = copyAddress(b, buffer);
  if (boxes.address.empty())
    return refuse("it must start at a whole chunk and a multiple of 8 lines of the buffer");
  mapBoxes(boxes, tensor, b.layout, store);
  return boxes;
}

/// The map of its boxes, of which those of one shape share one.
void TmaPrinter::mapBoxes(Boxes &boxes, const View &tensor, Layout layout, bool store) {
  const Tensor &t = program_.tensors[tensor.object];
  TensorMapPlan plan{tensor.object, {t.minor}, {boxes.step}, swizzleBytes(layout)};
  plan.stores = store;
  plan.promotion = tensor.shape[t.minor] * byteSize(t.type) >= 256 ||
                           parts_.scalars.goesWithLoop(tensor.offset[t.minor])
                       ? 256
                       : 128;
  for (int d = t.rank - 1; d >= 0; --d)
    if (d != t.minor) {
      plan.dims.push_back(d);
      plan.box.push_back(tensor.shape[d]);
    }
  boxes.dims = plan.dims;
  boxes.map = parts_.parameters.tensorMap(std::move(plan));
}

/// The first argument of a copy that has one. Nothing of it is loop-variant: ptxas makes it in
/// front of the loops.
std::string TmaPrinter::policy(CachePolicy policy) {
  if (policy == CachePolicy::normal)
    return "";
  policies_ = true;
  return policy == CachePolicy::evictFirst ? "evictFirst(), " : "evictLast(), ";
}

/// As it lies: line by line in layout `lines`, at once in layout `span` (R15).
void TmaPrinter::lineLoad(const TmaLoad &o) {
  const auto tile = tensorTile(o.source, o.destination.rows(), o.destination.cols());
  if (!tile)
    return;
  const std::string name = tileNames_[o.destination.object];
  const bool span = program_.buffers[o.destination.object].layout == Layout::span;
  out().line(
      (span ? "loadSpan<" + name : "loadLines<" + name + ", " + number(o.destination.rows())) +
      ">(" + policy(o.cache) + address(o.destination) + ", " +
      (span ? "" : text(o.destination.offset[0]) + ", ") + window(o.source, *tile, false) + ", " +
      parts_.barriers.barrier(o.barrier) + ");");
}

void TmaPrinter::tmaLoad(const TmaLoad &o) {
  if (isAsItLies(program_.buffers[o.destination.object].layout))
    return lineLoad(o);
  auto b = boxes(o.source, o.destination, false);
  if (!b)
    return;
  std::string bar = parts_.barriers.barrier(o.barrier);
  if (o.barrier.remote)
    bar = "addressInCluster(" + bar + ", " + text(*o.barrier.remote) + ")";
  ofPairs_ |= o.barrier.remote.has_value();
  std::string function = o.multicast        ? "tmaMulticast"
                         : o.barrier.remote ? "tmaLoadOfPair"
                                            : "tmaLoad";
  function += "<" + number(b->across) + ", " + number(b->step) + ", " + number(b->chunk) + ">(" +
              policy(o.cache);
  if (o.multicast)
    function += number(o.multicast) + ", ";
  std::string call = function + b->address + ", " + b->map + ", " + bar;
  for (int dim : b->dims)
    call += ", " + coordinate(o.source.offset[dim], INT32_MIN);
  out().line(call + ");");
}

/// What the threads hold, a pair of neighbours or an element at a time. PTX ISA "st.async".
void TmaPrinter::remoteStore(const RemoteCopy &o) {
  const auto from = registerTile(o.source);
  if (!from)
    return;
  if (!from->whole() && from->kind != RegisterTile::fragment)
    return fail("a remote copy of a part of register buffer " + from->name);
  if (o.destination.transposed)
    return fail("a remote copy of registers into a transposed tile");
  const Buffer &to = program_.buffers[o.destination.object];
  if (from->lanes && to.minor != 1)
    return fail("a remote copy of a row in every thread goes along the rows of a tile");
  if (from->kind == RegisterTile::fragment && to.minor == 1 &&
      (divisor(o.destination.offset[1]) % 2 != 0 || to.shape[1] % 2 != 0))
    return fail("a remote copy of registers stores two columns at a time; " + to.name +
                " starts or ends in the middle of a pair");
  std::string values = from->name;
  if (!from->whole())
    values = "columns<" + number(from->firstColumn) + ", " + number(from->viewColumns) + ">(" +
             from->name + ")";
  const std::string rank = text(*o.barrier.remote);
  const std::string function = from->lanes                            ? "storeLanesToPeer"
                               : from->kind == RegisterTile::fragment ? "storeFragmentToPeer"
                               : from->blocked ? "storeBlockedRowVectorToPeer"
                                               : "storeRowVectorToPeer";
  out().line(function + "<" + tileNames_[o.destination.object] + ", " + number(warps()) +
             ">(addressInCluster(" + address(o.destination) + ", " + rank + "), " +
             text(o.destination.offset[0]) + ", " + text(o.destination.offset[1]) + ", " + values +
             ", addressInCluster(" + parts_.barriers.barrier(o.barrier) + ", " + rank + "), " +
             warp() + ");");
}

/// The tile as a run of bytes, to the same place of a peer. PTX ISA "cp.async.bulk".
void TmaPrinter::remoteCopy(const RemoteCopy &o) {
  if (program_.storesRegisters(o))
    return remoteStore(o);
  const Buffer &b = program_.buffers[o.source.object];
  const int64_t bytes = o.source.rows() * o.source.cols() * byteSize(b.type);
  const std::string rank = text(*o.barrier.remote);
  out().line("bulkCopyToPeer(addressInCluster(" + address(o.destination) + ", " + rank + "), " +
             address(o.source) + ", " + number(bytes) + ", addressInCluster(" +
             parts_.barriers.barrier(o.barrier) + ", " + rank + "));");
}

/// In which a load brings such a box, so that both go through one map; else as it lies.
Layout TmaPrinter::layoutOfLoad(const View &box) const {
  Layout layout = Layout::row;
  walk(program_.body, [&](const Stmt &s) {
    const auto *load = std::get_if<TmaLoad>(&s.op);
    const Buffer *to = load ? program_.buffer(load->destination) : nullptr;
    if (to && !isAsItLies(to->layout) && load->source.object == box.object &&
        load->source.shape == box.shape)
      layout = to->layout;
  });
  return layout;
}

void TmaPrinter::prefetch(const Prefetch &o) {
  constexpr int64_t most = mostOfABox;
  const Tensor &t = program_.tensors[o.source.object];
  const Layout layout = layoutOfLoad(o.source);
  const int64_t width = o.source.shape[t.minor], chunk = chunkElements(layout, t.type);
  Boxes b{};
  b.step = std::min(width, chunk ? chunk : most);
  b.across = width / b.step;
  mapBoxes(b, o.source, layout, false);
  std::string call = "prefetchBoxes<" + number(b.across) + ", " + number(b.step) + ">(" + b.map;
  for (int dim : b.dims)
    call += ", " + coordinate(o.source.offset[dim], INT32_MIN);
  out().line(call + ");");
}

void TmaPrinter::tmaStore(const TmaStore &o) {
  auto b = boxes(o.destination, o.source, true);
  if (!b)
    return;
  std::string function = o.add ? "tmaAdd" : "tmaStore";
  function += "<" + number(b->across) + ", " + number(b->step) + ", " + number(b->chunk) + ">(";
  std::string call = function + policy(o.cache) + b->map + ", " + b->address;
  for (int dim : b->dims)
    call += ", " + coordinate(o.destination.offset[dim], INT32_MIN);
  out().line(call + ");");
}

} // namespace sluice::cuda
