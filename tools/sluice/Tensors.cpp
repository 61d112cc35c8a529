#include "Tensors.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Program/TensorShape.h"
#include "Support/Nearest.h"
#include "Support/Npy.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace sluice::tool {
namespace {

/// Types that NumPy cannot tell apart.
bool sameStorage(DType a, DType b) {
  auto is = [&](DType x, DType y) { return (a == x && b == y) || (a == y && b == x); };
  const auto isByte = [](DType t) {
    return t == DType::e4m3 || t == DType::e5m2 || t == DType::ue8m0 || t == DType::e2m1x2 ||
           isPacked(t);
  };
  return a == b || (isByte(a) && isByte(b)) || is(DType::f32, DType::tf32);
}

/// The elements of `from` at the strides of the launch.
HostTensor laidOut(const HostTensor &from, DType type, const Launch::Shape &shape) {
  HostTensor to{type, shape.extents, shape.strides, {}};
  int64_t size = byteSize(type), count = from.elements();
  if (from.strides == shape.strides) {
    to.bytes = from.bytes;
    return to;
  }
  int64_t span = count ? 1 : 0; // up to the last element
  for (size_t d = 0; d < shape.extents.size() && count; ++d)
    span += (shape.extents[d] - 1) * shape.strides[d];
  to.bytes.resize(size_t(span * size));
  std::vector<int64_t> index(shape.extents.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    int64_t source = 0, target = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      source += index[d] * from.strides[d];
      target += index[d] * shape.strides[d];
    }
    std::memcpy(to.bytes.data() + target * size, from.bytes.data() + source * size, size_t(size));
    for (size_t d = index.size(); d-- > 0 && ++index[d] == shape.extents[d];)
      index[d] = 0;
  }
  return to;
}

/// A file of f32 for a kernel that reads narrower floats: rounded to nearest even.
HostTensor rounded(const HostTensor &from, DType type) {
  int64_t count = int64_t(from.bytes.size()) / byteSize(from.type);
  HostTensor to{type, from.extents, from.strides, {}};
  to.bytes.resize(size_t(count * byteSize(type)));
  std::vector<float> values(static_cast<size_t>(count));
  loadElements(from.type, from.bytes.data(), count, values.data());
  storeElements(type, values.data(), count, to.bytes.data());
  return to;
}

Result<HostTensor> fromFile(const HostTensor &file, const Tensor &tensor,
                            const Launch::Shape &shape) {
  const bool narrower = isFloat(tensor.type) && byteSize(tensor.type) < byteSize(DType::f32);
  if (file.type == DType::f32 && narrower)
    return fromFile(rounded(file, tensor.type), tensor, shape);
  if (!sameStorage(file.type, tensor.type))
    return inputError("--in " + tensor.name + ": the file holds " + std::string(name(file.type)) +
                      ", the kernel reads " + std::string(name(tensor.type)));
  if (file.extents != shape.extents)
    return inputError("--in " + tensor.name + ": the file's extents are not those of the launch");
  if (isPacked(tensor.type))
    for (const std::byte code : file.bytes)
      if (int(code) >> bitsInTensors(tensor.type))
        return inputError("--in " + tensor.name + ": a byte is " + std::to_string(int(code)) +
                          ", which is no code of " + std::string(name(tensor.type)));
  return laidOut(file, tensor.type, shape);
}

/// Counters hold zeros at launch: verdicts assume it (counters-zero).
bool isCounter(const Program &program, size_t tensor) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) {
    auto *add = std::get_if<CounterAdd>(&s.op);
    found |= add && add->counter.object == int(tensor);
  });
  return found;
}

/// Floats that are factors have no sign (ue4m3).
void dropSigns(HostTensor &factors) {
  for (std::byte &b : factors.bytes)
    b &= std::byte{0x7f};
}

} // namespace

bool holdsUnsignedFactors(const Program &program, size_t tensor) {
  std::set<int> columns, tiles; // of tensor memory, of shared memory
  bool found = false;
  walk(program.body, [&](const Stmt &s) {
    if (auto *product = std::get_if<Tcgen05Mma>(&s.op); product && product->scales)
      columns.insert({product->scales->a.object, product->scales->b.object});
  });
  walk(program.body, [&](const Stmt &s) {
    if (auto *copy = std::get_if<TmemCopy>(&s.op);
        copy && columns.contains(copy->destination.object))
      tiles.insert(copy->source.object);
  });
  walk(program.body, [&](const Stmt &s) {
    const TileMove move = moveOf(s.op);
    found |= move && move.source->kind == View::tensor && move.source->object == int(tensor) &&
             move.destination->kind == View::buffer && tiles.contains(move.destination->object);
  });
  return found && program.tensors[tensor].type == DType::e4m3;
}

Result<std::vector<HostTensor>> makeTensors(const Loaded &loaded, uint64_t seed, bool exact) {
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < loaded.program.tensors.size(); ++i) {
    const Tensor &tensor = loaded.program.tensors[i];
    const Launch::Shape shape = given(tensor, loaded.launch.tensors[i]);
    auto file = loaded.inputs.find(tensor.name);
    if (file != loaded.inputs.end() && !tensor.input)
      return inputError("--in " + tensor.name + ": the kernel does not read that tensor");
    if (file != loaded.inputs.end()) {
      auto read = fromFile(file->second, tensor, shape);
      if (!read)
        return read.error();
      tensors.push_back(std::move(*read));
      continue;
    }
    HostTensor made = denseFor(tensor, shape.extents);
    if (!shape.integers.empty())
      setIntegers(made, shape.integers);
    else if (tensor.input && !isCounter(loaded.program, i))
      exact ? fillIntegers(made, seed, i) : fillNormal(made, seed, i);
    if (holdsUnsignedFactors(loaded.program, i))
      dropSigns(made);
    tensors.push_back(laidOut(made, tensor.type, shape));
  }
  return tensors;
}

Result<bool> checkOutputs(const Program &program, const std::map<std::string, std::string> &names,
                          const std::string &option) {
  std::vector<std::string> outputs;
  for (const Tensor &tensor : program.tensors)
    if (tensor.output)
      outputs.push_back(tensor.name);
  for (const auto &[name, path] : names)
    if (std::ranges::find(outputs, name) == outputs.end())
      return inputError(option + ": " + unknownName("output", name, outputs));
  return true;
}

/// What is expected of an output against the output itself.
static std::optional<std::string> otherShape(const Matrix &output, const Matrix &expected) {
  if (output.rows() == expected.rows() && output.cols() == expected.cols())
    return {};
  const auto text = [](const Matrix &m) {
    return std::to_string(m.rows()) + "x" + std::to_string(m.cols());
  };
  return "it has " + text(expected) + " elements, and the kernel writes " + text(output);
}

Result<Matrices> expectedOutputs(const Loaded &loaded, const Options &options,
                                 const std::vector<HostTensor> &inputs) {
  Matrices expected;
  if (loaded.entry && loaded.entry->reference) {
    Matrices known;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (loaded.program.tensors[i].input)
        known[loaded.program.tensors[i].name] = toMatrix(inputs[i]);
    auto computed = loaded.entry->reference(*loaded.parameters, known);
    if (!computed)
      return computed.error();
    expected = std::move(*computed);
  }
  for (const auto &[name, path] : options.expect) {
    auto file = readNpy(path);
    if (!file)
      return file.error();
    Matrix wanted = toMatrix(*file);
    for (size_t i = 0; i < inputs.size(); ++i)
      if (loaded.program.tensors[i].name == name)
        if (auto wrong = otherShape(toMatrix(inputs[i]), wanted))
          return inputError("--expect " + name + "=" + path + ": " + *wrong);
    expected[name] = std::move(wanted);
  }
  return expected;
}

double toleranceOf(const Loaded &loaded, DType output) {
  if (loaded.entry && loaded.entry->tolerance)
    return loaded.entry->tolerance(*loaded.parameters);
  return defaultTolerance(output);
}

} // namespace sluice::tool
