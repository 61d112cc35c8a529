#include "Bench/VendorGemm.h"

#include "Bench/CublasLt.h"
#include "Runtime/DeviceMemory.h"
#include "Runtime/Timing.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr int maxAlgorithms = 8;

/// cudaDataType of library_types.h; -1: none of ours.
int dataType(DType type) {
  switch (type) {
  case DType::f32:
  case DType::tf32:
    return 0;
  case DType::f16:
    return 2;
  case DType::s8:
    return 3;
  case DType::i32:
    return 10;
  case DType::bf16:
    return 14;
  case DType::e4m3:
    return 28;
  case DType::e5m2:
    return 29;
  default:
    return -1;
  }
}

/// cublasComputeType_t of cublas_api.h: 32I, 32F_FAST_TF32, 32F.
int computeType(DType operands) {
  return operands == DType::s8 ? 72 : operands == DType::tf32 ? 77 : 68;
}

/// What the library has no product for (cuBLAS documentation, cublasLtMatmul: supported types).
std::optional<Error> beyondTheLibrary(const std::vector<VendorOperand> &t) {
  const DType in = t[0].type, other = t[1].type, out = t.back().type;
  const bool e5m2 = in == DType::e5m2 && other == DType::e5m2;
  const bool fits = (in == DType::s8) != (other == DType::s8) ? false
                    : in == DType::s8                         ? out == DType::i32
                    : in == DType::tf32                       ? out == DType::f32
                                                              : !e5m2 && out != DType::i32;
  if (fits)
    return std::nullopt;
  return unsupportedError("cuBLASLt has no product of " + std::string(name(in)) + " by " +
                          std::string(name(other)) + " into " + std::string(name(out)));
}

/// The matrix, or those of a batch, in a tensor: extents and strides of its last two dimensions.
struct MatrixOf {
  explicit MatrixOf(const VendorOperand &t)
      : extents(t.extents.data() + t.extents.size() - 2),
        strides(t.strides.data() + t.strides.size() - 2) {}
  bool isRowMajor() const { return strides[1] == 1; }
  const int64_t *extents, *strides;
};

bool isMatrix(const VendorOperand &t, size_t rank) {
  return t.extents.size() == rank && dataType(t.type) >= 0 &&
         (MatrixOf(t).strides[0] == 1 || MatrixOf(t).strides[1] == 1);
}

/// Extents of A, B and C fit together; those of a batch agree.
bool fitTogether(const VendorOperand &a, const VendorOperand &b, const VendorOperand &c) {
  const MatrixOf x(a), y(b), z(c);
  return x.extents[1] == y.extents[0] && x.extents[0] == z.extents[0] &&
         y.extents[1] == z.extents[1] &&
         (a.extents.size() == 2 || (a.extents[0] == c.extents[0] && b.extents[0] == c.extents[0]));
}

std::optional<Error> wrongShapes(const VendorProduct &product) {
  const auto &[t, e] = product;
  const bool all = t.size() == size_t(3 + e.bias + e.residual);
  const size_t rank = all ? t[0].extents.size() : 0;
  if ((rank != 2 && rank != 3) || !isMatrix(t[0], rank) || !isMatrix(t[1], rank) ||
      !isMatrix(t.back(), rank) || !fitTogether(t[0], t[1], t.back()))
    return inputError("the vendor's matrix product takes A[M,K], B[K,N], C[M,N], each with one "
                      "contiguous dimension");
  const VendorOperand &c = t.back();
  if (e.bias && (t[2].extents != std::vector<int64_t>{1, MatrixOf(c).extents[1]} ||
                 t[2].type != c.type || !MatrixOf(c).isRowMajor()))
    return inputError("the vendor's matrix product takes a bias[1,N] of the type of C, and a "
                      "row-major C[M,N]");
  const VendorOperand &r = t[t.size() - 2];
  if (e.residual && (r.extents != c.extents || r.strides != c.strides || r.type != c.type))
    return inputError("the vendor's matrix product takes a residual like C");
  return std::nullopt;
}

/// "C[264,130] = A[264,72] B[72,130] of f16"
std::string textOf(const VendorProduct &product) {
  const auto extents = [](const VendorOperand &t) {
    const MatrixOf m(t);
    return "[" + std::to_string(m.extents[0]) + "," + std::to_string(m.extents[1]) + "]";
  };
  const auto &t = product.operands;
  return "C" + extents(t.back()) + " = A" + extents(t[0]) + " B" + extents(t[1]) + " of " +
         std::string(name(t[0].type));
}

void *pointer(CUdeviceptr p) {
  return reinterpret_cast<void *>(p);
}

/// Bytes that divide the address of an operand, if the whole tensor lies at a multiple of 256.
uint32_t alignmentOf(const VendorOperand &t) {
  constexpr int64_t most = 256;
  return static_cast<uint32_t>(t.offset ? std::min(most, t.offset & -t.offset) : most);
}

} // namespace

struct VendorGemm::State {
  State(std::shared_ptr<const CublasLt> library, const VendorProduct &of)
      : library(std::move(library)), operands(of.operands), epilogue(of.epilogue) {}

  std::shared_ptr<const CublasLt> library;
  std::vector<VendorOperand> operands;
  VendorEpilogue epilogue;
  void *product = nullptr;
  void *layouts[3] = {};               // left, right, result: column-major, as the library counts
  int left = 0, right = 1, result = 2; // operands
  bool whole = false;                  // sums of integers
  std::vector<CublasLtHeuristic> found;

  ~State() {
    for (void *layout : layouts)
      if (layout)
        library->calls().layoutDestroy(layout);
    if (product)
      library->calls().productDestroy(product);
  }
  int describe();
  int describeLayout(int place, const VendorOperand &x);
  int choose();
  int limit(void *preference) const;
  CUdeviceptr addressOf(int operand, const std::vector<CUdeviceptr> &at) const {
    return at[operands[operand].tensor] + CUdeviceptr(operands[operand].offset);
  }
};

/// CUBLASLT_EPILOGUE_*: bits of a bias and of the activations; 1 for none.
static int32_t epilogueNumber(const VendorEpilogue &e) {
  constexpr int32_t bias = 4, activations[] = {0, 2, 32};
  const int32_t bits = (e.bias ? bias : 0) | activations[e.activation];
  return bits ? bits : 1;
}

int VendorGemm::State::describeLayout(int place, const VendorOperand &x) {
  constexpr int batchCount = 5, batchStride = 6;
  const CublasLtCalls &calls = library->calls();
  const MatrixOf m(x);
  const bool byRows = m.isRowMajor();
  const int64_t leading = std::max<int64_t>(m.strides[byRows ? 0 : 1], 1);
  void *&layout = layouts[place];
  if (int r = calls.layoutCreate(&layout, dataType(x.type), m.extents[byRows ? 1 : 0],
                                 m.extents[byRows ? 0 : 1], leading))
    return r;
  if (x.extents.size() == 2)
    return 0;
  const auto count = static_cast<int32_t>(x.extents[0]);
  if (int r = calls.layoutSet(layout, batchCount, &count, sizeof count))
    return r;
  return calls.layoutSet(layout, batchStride, &x.strides[0], sizeof x.strides[0]);
}

/// The library is column-major: a row-major C = A B is its C^T = B^T A^T, and a row-major operand
/// is its own transpose there.
int VendorGemm::State::describe() {
  constexpr int transA = 3, transB = 4, epilogueOf = 7, fastAccumulation = 25;
  const CublasLtCalls &calls = library->calls();
  const std::vector<VendorOperand> &t = operands;
  const DType sums = t[0].type == DType::s8 ? DType::i32 : DType::f32;
  if (int r = calls.productCreate(&product, computeType(t[0].type), dataType(sums)))
    return r;
  const int8_t fast = !epilogue.promoted; // sums of 8-bit floats stay in the tensor cores
  if (isFloat(t[0].type) && byteSize(t[0].type) == 1)
    if (int r = calls.productSet(product, fastAccumulation, &fast, sizeof fast))
      return r;
  const int32_t number = epilogueNumber(epilogue);
  if (int r = calls.productSet(product, epilogueOf, &number, 4))
    return r;
  whole = sums == DType::i32;
  result = int(t.size()) - 1;
  const bool swapped = MatrixOf(t[result]).isRowMajor();
  left = swapped ? 1 : 0, right = swapped ? 0 : 1;
  const int order[3] = {left, right, result};
  for (int i = 0; i < 3; ++i) {
    const VendorOperand &x = t[order[i]];
    if (int r = describeLayout(i, x))
      return r;
    const int32_t transposed = MatrixOf(x).isRowMajor() != swapped;
    if (i < 2)
      if (int r = calls.productSet(product, i == 0 ? transA : transB, &transposed, 4))
        return r;
  }
  return 0;
}

/// What algorithms may take for granted.
int VendorGemm::State::limit(void *preference) const {
  constexpr int maxWorkspace = 1, alignment = 5; // of the left, right, added and resulting matrix
  const CublasLtCalls &calls = library->calls();
  const uint64_t bytes = CublasLt::workspaceBytes;
  if (int r = calls.preferenceSet(preference, maxWorkspace, &bytes, sizeof bytes))
    return r;
  const int order[4] = {left, right, epilogue.residual ? result - 1 : result, result};
  for (int i = 0; i < 4; ++i) {
    const uint32_t aligned = alignmentOf(operands[order[i]]);
    if (int r = calls.preferenceSet(preference, alignment + i, &aligned, sizeof aligned))
      return r;
  }
  return 0;
}

int VendorGemm::State::choose() {
  const CublasLtCalls &calls = library->calls();
  void *preference = nullptr;
  if (int r = calls.preferenceCreate(&preference))
    return r;
  int r = limit(preference), count = 0;
  found.resize(maxAlgorithms);
  if (!r)
    r = calls.heuristic(library->handle(), product, layouts[0], layouts[1], layouts[2], layouts[2],
                        preference, maxAlgorithms, found.data(), &count);
  calls.preferenceDestroy(preference);
  found.resize(count);
  std::erase_if(found, [](const CublasLtHeuristic &h) { return h.state != 0; });
  return r;
}

VendorGemm::VendorGemm(std::unique_ptr<State> state) : state_(std::move(state)) {}
VendorGemm::VendorGemm(VendorGemm &&) noexcept = default;
VendorGemm::~VendorGemm() = default;

Result<VendorGemm> VendorGemm::prepare(std::shared_ptr<const CublasLt> library,
                                       const VendorProduct &product) {
  auto state = std::make_unique<State>(std::move(library), product);
  if (int r = state->describe())
    return inputError("cuBLASLt does not describe this product: status " + std::to_string(r));
  constexpr int notSupported = 15; // CUBLAS_STATUS_NOT_SUPPORTED
  const int r = state->choose();
  if (r == notSupported || (r == 0 && state->found.empty()))
    return unsupportedError("cuBLASLt has no algorithm for " + textOf(product));
  if (r)
    return inputError("cuBLASLt names no algorithms: status " + std::to_string(r));
  return VendorGemm(std::move(state));
}

Result<std::vector<VendorGemm>> VendorGemm::prepare(const std::vector<VendorProduct> &products) {
  for (const VendorProduct &product : products)
    if (auto wrong = wrongShapes(product))
      return *wrong;
  if (auto device = cudaDevice(); !device)
    return device.error();
  for (const VendorProduct &product : products)
    if (auto beyond = beyondTheLibrary(product.operands))
      return *beyond;
  auto library = CublasLt::open();
  if (!library)
    return library.error();
  std::vector<VendorGemm> gemms;
  for (const VendorProduct &product : products) {
    auto gemm = prepare(*library, product);
    if (!gemm)
      return gemm.error();
    gemms.push_back(std::move(*gemm));
  }
  return gemms;
}

int VendorGemm::algorithms() const {
  return static_cast<int>(state_->found.size());
}

std::string VendorGemm::version() const {
  return "cuBLASLt " + std::to_string(state_->library->calls().version());
}

std::optional<Error> VendorGemm::call(int algorithm, const std::vector<CUdeviceptr> &at,
                                      CUstream stream) const {
  constexpr int32_t oneWhole = 1; // sums of integers have no factors
  constexpr int biasPointer = 8;
  const State &s = *state_;
  const CublasLtCalls &calls = s.library->calls();
  const VendorEpilogue &e = s.epilogue;
  const float beta = e.residual ? e.beta : 0; // zero has the same bits in either type
  const void *alpha = s.whole ? static_cast<const void *>(&oneWhole) : &e.alpha;
  void *const c = pointer(s.addressOf(s.result, at));
  void *const added = e.residual ? pointer(s.addressOf(s.result - 1, at)) : c;
  if (e.bias) {
    const CUdeviceptr bias = s.addressOf(2, at);
    if (int r = calls.productSet(s.product, biasPointer, &bias, sizeof bias))
      return inputError("cublasLtMatmulDescSetAttribute failed: status " + std::to_string(r));
  }
  if (int r = calls.matmul(s.library->handle(), s.product, alpha, pointer(s.addressOf(s.left, at)),
                           s.layouts[0], pointer(s.addressOf(s.right, at)), s.layouts[1], &beta,
                           added, s.layouts[2], c, s.layouts[2], s.found[algorithm].algorithm,
                           pointer(s.library->workspace()), CublasLt::workspaceBytes, stream))
    return inputError("cublasLtMatmul failed: status " + std::to_string(r));
  return std::nullopt;
}

/// C = A B on whole tensors.
static VendorProduct productOf(const std::vector<HostTensor> &tensors) {
  VendorProduct product;
  for (const HostTensor &t : tensors)
    product.operands.push_back(
        {t.type, t.extents, t.strides, static_cast<int>(product.operands.size())});
  return product;
}

Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options) {
  auto vendor = VendorGemm::prepare({productOf(tensors)});
  if (!vendor)
    return vendor.error();
  const VendorGemm &gemm = vendor->front();
  const Driver &d = **Driver::get();
  std::vector<DeviceMemory> memories;
  std::vector<CUdeviceptr> at;
  for (const HostTensor &t : tensors) {
    auto memory = DeviceMemory::allocate(int64_t(t.bytes.size()), "the vendor's product");
    if (!memory)
      return memory.error();
    if (CUresult r = d.copyToDevice(memory->address(), t.bytes.data(), t.bytes.size()))
      return d.error("cuMemcpyHtoD", "the vendor's product", r);
    at.push_back(memory->address());
    memories.push_back(std::move(*memory));
  }
  const auto once = [&] { return gemm.call(0, at); };
  auto ms = timeCalls(once, 1);
  if (!ms)
    return ms.error();
  if (CUresult r = d.copyToHost(tensors[2].bytes.data(), at[2], tensors[2].bytes.size()))
    return d.error("cuMemcpyDtoH", "the vendor's product", r);
  if (options.repeats > 0 && options.warmups > 0)
    ms = timeCalls(once, options.warmups);
  if (ms && options.repeats > 0)
    ms = timeCalls(once, options.repeats);
  if (!ms)
    return ms.error();
  return RunResult{*ms, cudaDevice()->name};
}

} // namespace sluice
