#include "Runtime/VendorGemm.h"

#include "Runtime/DeviceMemory.h"
#include "Runtime/Library.h"
#include "Runtime/Timing.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr int maxAlgorithms = 8;
constexpr int64_t workspaceBytes = int64_t{64} << 20;

/// cublasLtMatmulHeuristicResult_t of cublasLt.h.
struct Heuristic {
  uint64_t algorithm[8];
  size_t workspace;
  int state; // 0: usable
  float waves;
  int reserved[4];
};

/// cublasLt.h; 0 is success. Descriptors are opaque.
struct CublasLt {
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  size_t (*version)();
  int (*productCreate)(void **product, int compute, int scaleType);
  int (*productDestroy)(void *product);
  int (*productSet)(void *product, int attribute, const void *value, size_t bytes);
  int (*layoutCreate)(void **layout, int type, uint64_t rows, uint64_t cols, int64_t leading);
  int (*layoutSet)(void *layout, int attribute, const void *value, size_t bytes);
  int (*layoutDestroy)(void *layout);
  int (*preferenceCreate)(void **preference);
  int (*preferenceDestroy)(void *preference);
  int (*preferenceSet)(void *preference, int attribute, const void *value, size_t bytes);
  int (*heuristic)(void *handle, void *product, void *a, void *b, void *c, void *d,
                   void *preference, int wanted, Heuristic *found, int *count);
  int (*matmul)(void *handle, void *product, const void *alpha, const void *a, void *layoutA,
                const void *b, void *layoutB, const void *beta, const void *c, void *layoutC,
                void *d, void *layoutD, const void *algorithm, void *workspace, size_t bytes,
                void *stream);
};

Result<CublasLt> loadCublasLt() {
  auto library = Library::open({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                                "/usr/local/cuda/lib64/libcublasLt.so"},
                               "cuBLASLt library");
  if (!library)
    return library.error();
  CublasLt c;
  const bool all = library->find("cublasLtCreate", c.create) &&
                   library->find("cublasLtDestroy", c.destroy) &&
                   library->find("cublasLtGetVersion", c.version) &&
                   library->find("cublasLtMatmulDescCreate", c.productCreate) &&
                   library->find("cublasLtMatmulDescDestroy", c.productDestroy) &&
                   library->find("cublasLtMatmulDescSetAttribute", c.productSet) &&
                   library->find("cublasLtMatrixLayoutCreate", c.layoutCreate) &&
                   library->find("cublasLtMatrixLayoutSetAttribute", c.layoutSet) &&
                   library->find("cublasLtMatrixLayoutDestroy", c.layoutDestroy) &&
                   library->find("cublasLtMatmulPreferenceCreate", c.preferenceCreate) &&
                   library->find("cublasLtMatmulPreferenceDestroy", c.preferenceDestroy) &&
                   library->find("cublasLtMatmulPreferenceSetAttribute", c.preferenceSet) &&
                   library->find("cublasLtMatmulAlgoGetHeuristic", c.heuristic) &&
                   library->find("cublasLtMatmul", c.matmul);
  if (!all)
    return inputError("the cuBLASLt library is older than CUDA 12");
  return c;
}

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
std::optional<Error> beyondTheLibrary(const std::vector<HostTensor> &t) {
  const DType in = t[0].type, other = t[1].type, out = t.back().type;
  const bool e5m2 = in == DType::e5m2 && other == DType::e5m2;
  const bool fits = in == DType::s8     ? out == DType::i32
                    : in == DType::tf32 ? out == DType::f32
                                        : !e5m2 && out != DType::i32;
  if (fits)
    return std::nullopt;
  return unsupportedError("cuBLASLt has no product of " + std::string(name(in)) + " by " +
                          std::string(name(other)) + " into " + std::string(name(out)));
}

/// The matrix, or those of a batch, in a tensor: extents and strides of its last two dimensions.
struct MatrixOf {
  explicit MatrixOf(const HostTensor &t)
      : extents(t.extents.data() + t.extents.size() - 2),
        strides(t.strides.data() + t.strides.size() - 2) {}
  bool isRowMajor() const { return strides[1] == 1; }
  const int64_t *extents, *strides;
};

bool isMatrix(const HostTensor &t, size_t rank) {
  return t.extents.size() == rank && dataType(t.type) >= 0 &&
         (MatrixOf(t).strides[0] == 1 || MatrixOf(t).strides[1] == 1);
}

/// Extents of A, B and C fit together; those of a batch agree.
bool fitTogether(const HostTensor &a, const HostTensor &b, const HostTensor &c) {
  const MatrixOf x(a), y(b), z(c);
  return x.extents[1] == y.extents[0] && x.extents[0] == z.extents[0] &&
         y.extents[1] == z.extents[1] &&
         (a.extents.size() == 2 || (a.extents[0] == c.extents[0] && b.extents[0] == c.extents[0]));
}

std::optional<Error> wrongShapes(const std::vector<HostTensor> &t, const VendorEpilogue &e) {
  const bool all = t.size() == size_t(3 + e.bias + e.residual);
  const size_t rank = all ? t[0].extents.size() : 0;
  if ((rank != 2 && rank != 3) || !isMatrix(t[0], rank) || !isMatrix(t[1], rank) ||
      !isMatrix(t.back(), rank) || !fitTogether(t[0], t[1], t.back()))
    return inputError("the vendor's matrix product takes A[M,K], B[K,N], C[M,N], each with one "
                      "contiguous dimension");
  const HostTensor &c = t.back();
  if (e.bias && (t[2].extents != std::vector<int64_t>{1, MatrixOf(c).extents[1]} ||
                 t[2].type != c.type || !MatrixOf(c).isRowMajor()))
    return inputError("the vendor's matrix product takes a bias[1,N] of the type of C, and a "
                      "row-major C[M,N]");
  const HostTensor &r = t[t.size() - 2];
  if (e.residual && (r.extents != c.extents || r.strides != c.strides || r.type != c.type))
    return inputError("the vendor's matrix product takes a residual like C");
  return std::nullopt;
}

void *pointer(CUdeviceptr p) {
  return reinterpret_cast<void *>(p);
}

} // namespace

struct VendorGemm::State {
  CublasLt library;
  void *handle = nullptr, *product = nullptr;
  void *layouts[3] = {};               // left, right, result: column-major, as the library counts
  int left = 0, right = 1, result = 2; // tensors
  bool whole = false;                  // sums of integers
  VendorEpilogue epilogue;
  std::vector<Heuristic> found;
  std::optional<DeviceMemory> workspace;

  ~State() {
    for (void *layout : layouts)
      if (layout)
        library.layoutDestroy(layout);
    if (product)
      library.productDestroy(product);
    if (handle)
      library.destroy(handle);
  }
  int describe(const std::vector<HostTensor> &tensors);
  int describeLayout(int place, const HostTensor &x);
  int choose();
};

/// CUBLASLT_EPILOGUE_*: bits of a bias and of the activations; 1 for none.
static int32_t epilogueNumber(const VendorEpilogue &e) {
  constexpr int32_t bias = 4, activations[] = {0, 2, 32};
  const int32_t bits = (e.bias ? bias : 0) | activations[e.activation];
  return bits ? bits : 1;
}

int VendorGemm::State::describeLayout(int place, const HostTensor &x) {
  constexpr int batchCount = 5, batchStride = 6;
  const MatrixOf m(x);
  const bool byRows = m.isRowMajor();
  const int64_t leading = std::max<int64_t>(m.strides[byRows ? 0 : 1], 1);
  void *&layout = layouts[place];
  if (int r = library.layoutCreate(&layout, dataType(x.type), m.extents[byRows ? 1 : 0],
                                   m.extents[byRows ? 0 : 1], leading))
    return r;
  if (x.extents.size() == 2)
    return 0;
  const auto count = static_cast<int32_t>(x.extents[0]);
  if (int r = library.layoutSet(layout, batchCount, &count, sizeof count))
    return r;
  return library.layoutSet(layout, batchStride, &x.strides[0], sizeof x.strides[0]);
}

/// The library is column-major: a row-major C = A B is its C^T = B^T A^T, and a row-major operand
/// is its own transpose there.
int VendorGemm::State::describe(const std::vector<HostTensor> &t) {
  constexpr int transA = 3, transB = 4, epilogueOf = 7, fastAccumulation = 25;
  const DType sums = t[0].type == DType::s8 ? DType::i32 : DType::f32;
  if (int r = library.productCreate(&product, computeType(t[0].type), dataType(sums)))
    return r;
  const int8_t fast = !epilogue.promoted; // sums of 8-bit floats stay in the tensor cores
  if (isFloat(t[0].type) && byteSize(t[0].type) == 1)
    if (int r = library.productSet(product, fastAccumulation, &fast, sizeof fast))
      return r;
  const int32_t number = epilogueNumber(epilogue);
  if (int r = library.productSet(product, epilogueOf, &number, 4))
    return r;
  whole = sums == DType::i32;
  result = int(t.size()) - 1;
  const bool swapped = MatrixOf(t[result]).isRowMajor();
  left = swapped ? 1 : 0, right = swapped ? 0 : 1;
  const int order[3] = {left, right, result};
  for (int i = 0; i < 3; ++i) {
    const HostTensor &x = t[order[i]];
    if (int r = describeLayout(i, x))
      return r;
    const int32_t transposed = MatrixOf(x).isRowMajor() != swapped;
    if (i < 2)
      if (int r = library.productSet(product, i == 0 ? transA : transB, &transposed, 4))
        return r;
  }
  return 0;
}

int VendorGemm::State::choose() {
  constexpr int maxWorkspace = 1;
  void *preference = nullptr;
  if (int r = library.preferenceCreate(&preference))
    return r;
  const uint64_t bytes = workspaceBytes;
  int r = library.preferenceSet(preference, maxWorkspace, &bytes, sizeof bytes);
  int count = 0;
  found.resize(maxAlgorithms);
  if (!r)
    r = library.heuristic(handle, product, layouts[0], layouts[1], layouts[2], layouts[2],
                          preference, maxAlgorithms, found.data(), &count);
  library.preferenceDestroy(preference);
  found.resize(count);
  std::erase_if(found, [](const Heuristic &h) { return h.state != 0; });
  return r;
}

VendorGemm::VendorGemm(std::unique_ptr<State> state) : state_(std::move(state)) {}
VendorGemm::VendorGemm(VendorGemm &&) noexcept = default;
VendorGemm::~VendorGemm() = default;

Result<VendorGemm> VendorGemm::prepare(const std::vector<HostTensor> &tensors,
                                       const VendorEpilogue &epilogue) {
  if (auto wrong = wrongShapes(tensors, epilogue))
    return *wrong;
  if (auto device = cudaDevice(); !device)
    return device.error();
  if (auto beyond = beyondTheLibrary(tensors))
    return *beyond;
  auto library = loadCublasLt();
  if (!library)
    return library.error();
  auto state = std::make_unique<State>();
  state->library = *library;
  state->epilogue = epilogue;
  auto workspace = DeviceMemory::allocate(workspaceBytes, "the vendor's workspace");
  if (!workspace)
    return workspace.error();
  state->workspace.emplace(std::move(*workspace));
  if (int r = library->create(&state->handle))
    return inputError("cublasLtCreate failed: status " + std::to_string(r));
  if (int r = state->describe(tensors))
    return inputError("cuBLASLt does not describe this product: status " + std::to_string(r));
  if (int r = state->choose(); r || state->found.empty())
    return inputError("cuBLASLt has no algorithm for this product: status " + std::to_string(r));
  return VendorGemm(std::move(state));
}

int VendorGemm::algorithms() const {
  return static_cast<int>(state_->found.size());
}

std::string VendorGemm::version() const {
  return "cuBLASLt " + std::to_string(state_->library.version());
}

std::optional<Error> VendorGemm::call(int algorithm, const std::vector<CUdeviceptr> &at,
                                      CUstream stream) const {
  constexpr int32_t oneWhole = 1; // sums of integers have no factors
  constexpr int biasPointer = 8;
  const State &s = *state_;
  const VendorEpilogue &e = s.epilogue;
  const float beta = e.residual ? e.beta : 0; // zero has the same bits in either type
  const void *alpha = s.whole ? static_cast<const void *>(&oneWhole) : &e.alpha;
  void *const c = pointer(at[s.result]);
  void *const added = e.residual ? pointer(at[s.result - 1]) : c;
  if (e.bias)
    if (int r = s.library.productSet(s.product, biasPointer, &at[2], sizeof at[2]))
      return inputError("cublasLtMatmulDescSetAttribute failed: status " + std::to_string(r));
  if (int r = s.library.matmul(s.handle, s.product, alpha, pointer(at[s.left]), s.layouts[0],
                               pointer(at[s.right]), s.layouts[1], &beta, added, s.layouts[2], c,
                               s.layouts[2], s.found[algorithm].algorithm,
                               pointer(s.workspace->address()), workspaceBytes, stream))
    return inputError("cublasLtMatmul failed: status " + std::to_string(r));
  return std::nullopt;
}

Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options) {
  auto vendor = VendorGemm::prepare(tensors);
  if (!vendor)
    return vendor.error();
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
  const auto once = [&] { return vendor->call(0, at); };
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
