#include "Ascend/Kernels.h"

#include "Arch/Arch.h"
#include "Support/Rounding.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <random>

namespace sluice::test {
namespace {

constexpr uint8_t untouched = 0xee;

/// Bits of a number that every type here holds as it is, or of a sum, rounded to nearest even.
uint32_t bitsOf(double x, DType type) {
  if (!isFloat(type))
    return uint32_t(int64_t(x)) & (byteSize(type) == 1 ? 0xff : ~0u);
  const float f = static_cast<float>(x);
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  if (type == DType::f32)
    return bits;
  if (type == DType::bf16)
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  if (x == 0)
    return 0;
  int exponent;
  std::frexp(x, &exponent); // sums here are far from the ends of f16
  const int64_t fraction = std::llrint(std::ldexp(std::fabs(x), 11 - exponent)); // 1024 to 2048
  return (x < 0 ? 0x8000 : 0) + uint32_t((exponent + 13) << 10) + uint32_t(fraction);
}

void put(ModelTensor &tensor, int64_t element, uint32_t bits, int64_t bytes) {
  std::memcpy(tensor.bytes.data() + element * bytes, &bits, bytes);
}

uint32_t taken(const ModelTensor &tensor, int64_t element, int64_t bytes) {
  uint32_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + element * bytes, bytes);
  return bits;
}

int64_t placeOf(const Launch::Shape &shape, const std::vector<int64_t> &index) {
  int64_t place = 0;
  for (size_t d = 0; d < index.size(); ++d)
    place += index[d] * shape.strides[d];
  return place;
}

/// -2 to 2, of every element the same in each call.
double numberAt(int tensor, const std::vector<int64_t> &index) {
  uint64_t hash = 1469598103934665603u + tensor;
  for (const int64_t i : index)
    hash = (hash ^ uint64_t(i)) * 1099511628211u;
  return double((hash >> 33) % 5) - 2;
}

void forEach(const std::vector<int64_t> &extents,
             const std::function<void(const std::vector<int64_t> &)> &visit) {
  std::vector<int64_t> index(extents.size(), 0);
  for (const int64_t e : extents)
    if (e == 0)
      return;
  while (true) {
    visit(index);
    int d = int(extents.size()) - 1;
    for (; d >= 0 && ++index[d] == extents[d]; --d)
      index[d] = 0;
    if (d < 0)
      return;
  }
}

/// Lines lie `pad` elements apart, matrices behind each other.
Launch::Shape shapeOf(const Tensor &t, const std::vector<int64_t> &extents, int64_t pad) {
  Launch::Shape shape{extents, std::vector<int64_t>(extents.size(), 1)};
  const int rank = int(extents.size()), line = t.minor == rank - 1 ? rank - 2 : rank - 1;
  shape.strides[line] = extents[t.minor] + pad;
  if (rank == 3)
    shape.strides[0] = shape.strides[line] * extents[line];
  return shape;
}

Problem problemOf(const Program &program, const std::vector<std::vector<int64_t>> &extents,
                  int64_t pad) {
  Problem problem;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    const int64_t bytes = byteSize(t.type);
    const Launch::Shape shape = shapeOf(t, extents[i], pad);
    int64_t elements = 1;
    for (size_t d = 0; d < extents[i].size(); ++d)
      elements += (extents[i][d] - 1) * shape.strides[d];
    ModelTensor tensor{std::vector<uint8_t>(elements * bytes, 0xff)}; // no numbers between lines
    if (!t.output)
      forEach(extents[i], [&](const std::vector<int64_t> &index) {
        put(tensor, placeOf(shape, index), bitsOf(numberAt(int(i), index), t.type), bytes);
      });
    problem.launch.tensors.push_back(shape);
    problem.tensors.push_back(std::move(tensor));
  }
  clearOutput(program, problem);
  return problem;
}

std::string textOf(const std::vector<int64_t> &index) {
  std::string text;
  for (const int64_t i : index)
    text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

/// C = A B of the numbers that the inputs hold: `a` and `b` say where those of a product are.
using Where = std::function<std::vector<int64_t>(const std::vector<int64_t> &at, int64_t k)>;
void expect(const Program &program, Problem &problem, int64_t depth, const Where &a,
            const Where &b) {
  const int out = int(program.tensors.size()) - 1;
  const DType type = program.tensors[out].type;
  const Launch::Shape &shape = problem.launch.tensors[out];
  problem.expected.bytes.assign(problem.tensors[out].bytes.size(), untouched);
  std::map<std::vector<int64_t>, std::vector<double>> rows, cols; // numbers along k
  const auto numbers = [&](auto &known, int tensor, const Where &where,
                           const std::vector<int64_t> &at) -> const std::vector<double> & {
    std::vector<double> &line = known[where(at, 0)];
    for (int64_t k = int64_t(line.size()); k < depth; ++k)
      line.push_back(numberAt(tensor, where(at, k)));
    return line;
  };
  forEach(shape.extents, [&](const std::vector<int64_t> &at) {
    const std::vector<double> &x = numbers(rows, 0, a, at), &y = numbers(cols, 1, b, at);
    const double sum = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    put(problem.expected, placeOf(shape, at), bitsOf(sum, type), byteSize(type));
  });
}

} // namespace

Result<Program> ascendProgram(const std::string &name, const Settings &settings, int64_t cores) {
  const KernelEntry *entry = findKernel(name);
  Arch arch = defaultArch(Target::ascend910b);
  arch.cores = cores;
  const auto parameters = resolve(*entry, settings);
  if (!parameters)
    return parameters.error();
  const auto kernel = entry->build(*parameters, arch);
  if (!kernel)
    return kernel.error();
  CompileOptions options;
  options.target = Target::ascend910b;
  options.arch = &arch;
  return compile(*kernel, options);
}

Result<Program> ascendProgram(const std::string &file) {
  const auto kernels = parseKernels(SLUICE_TEST_FOLDER "/" + file);
  if (!kernels)
    return kernels.error();
  CompileOptions options;
  options.target = Target::ascend910b;
  return compile(kernels->front(), options);
}

Problem gemmProblem(const Program &gemm, const GemmSize &size) {
  std::vector<std::vector<int64_t>> extents = {
      {size.M, size.K}, {size.K, size.N}, {size.M, size.N}};
  if (gemm.tensors[0].rank == 3)
    for (auto &e : extents)
      e.insert(e.begin(), size.batch);
  Problem problem = problemOf(gemm, extents, size.pad);
  const auto a = [](std::vector<int64_t> at, int64_t k) {
    at.back() = k;
    return at;
  };
  const auto b = [](std::vector<int64_t> at, int64_t k) {
    at[at.size() - 2] = k;
    return at;
  };
  expect(gemm, problem, size.K, a, b);
  return problem;
}

/// S_i = Q K_i^T.
Problem qkProblem(const Program &qk, int64_t tiles) {
  Problem problem = problemOf(qk, {{128, 128}, {128 * tiles, 128}, {128 * tiles, 128}}, 0);
  const auto q = [](const std::vector<int64_t> &at, int64_t x) {
    return std::vector<int64_t>{at[0] % 128, x};
  };
  const auto k = [](const std::vector<int64_t> &at, int64_t x) {
    return std::vector<int64_t>{at[0] / 128 * 128 + at[1], x};
  };
  expect(qk, problem, 128, q, k);
  return problem;
}

Problem scoresProblem(const Program &scores, int64_t rows, int64_t keys, int64_t depth) {
  Problem problem = problemOf(scores, {{rows, depth}, {keys, depth}, {rows, keys}}, 0);
  const auto q = [](const std::vector<int64_t> &at, int64_t x) {
    return std::vector<int64_t>{at[0], x};
  };
  const auto k = [](const std::vector<int64_t> &at, int64_t x) {
    return std::vector<int64_t>{at[1], x};
  };
  expect(scores, problem, depth, q, k);
  return problem;
}

void clearOutput(const Program &program, Problem &problem) {
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].output)
      std::ranges::fill(problem.tensors[i].bytes, untouched);
}

std::string wrong(const Program &program, const Problem &problem) {
  const int out = int(program.tensors.size()) - 1;
  const int64_t bytes = byteSize(program.tensors[out].type);
  const Launch::Shape &shape = problem.launch.tensors[out];
  if (problem.tensors[out].bytes == problem.expected.bytes)
    return "";
  std::string found = "memory between the lines of the result is written";
  bool first = true;
  forEach(shape.extents, [&](const std::vector<int64_t> &index) {
    const int64_t place = placeOf(shape, index);
    if (!first ||
        taken(problem.tensors[out], place, bytes) == taken(problem.expected, place, bytes))
      return;
    found = "element " + textOf(index) + " is wrong";
    first = false;
  });
  return found;
}

} // namespace sluice::test
