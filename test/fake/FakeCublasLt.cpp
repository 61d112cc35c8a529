// A cuBLASLt for tests without a GPU: it multiplies nothing and writes down what it is asked, a
// line each, into the file that FAKE_CUBLASLT_LOG names. Results are column-major, as in the real
// one; those of fewer columns than FAKE_CUBLASLT_LIMIT are not supported.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int offered = 2; // algorithms
constexpr uint64_t memory = 4096,
                   apart = uint64_t{1} << 36; // where the fake driver's memories begin
constexpr int notSupported = 15;              // CUBLAS_STATUS_NOT_SUPPORTED

struct Product {
  int compute, transposed[2];
};
struct Layout {
  int type;
  uint64_t rows, cols;
  int64_t leading;
};
struct Preference {
  uint32_t alignment[4]; // left, right, added, result
};
struct Heuristic {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

FILE *log() {
  static FILE *const file = [] {
    const char *path = std::getenv("FAKE_CUBLASLT_LOG");
    return path ? std::fopen(path, "w") : nullptr;
  }();
  return file;
}

/// "NN type 2: 264x130, 72 deep"
void writeShape(const Product &p, const Layout &a, const Layout &d) {
  const uint64_t depth = p.transposed[0] ? a.rows : a.cols;
  std::fprintf(log(), "%s%s type %d: %dx%d, %d deep", p.transposed[0] ? "T" : "N",
               p.transposed[1] ? "T" : "N", a.type, int(d.rows), int(d.cols), int(depth));
}

long long offsetOf(const void *pointer) {
  return static_cast<long long>((reinterpret_cast<uint64_t>(pointer) - memory) % apart);
}

} // namespace

extern "C" {

int cublasLtCreate(void **handle) {
  static char one;
  *handle = &one;
  return 0;
}
int cublasLtDestroy(void *) {
  return 0;
}
size_t cublasLtGetVersion() {
  return 130000;
}
int cublasLtMatmulDescCreate(void **product, int compute, int) {
  *product = new Product{compute, {}};
  return 0;
}
int cublasLtMatmulDescDestroy(void *product) {
  delete static_cast<Product *>(product);
  return 0;
}
int cublasLtMatmulDescSetAttribute(void *product, int attribute, const void *value, size_t) {
  constexpr int transA = 3, transB = 4;
  if (attribute == transA || attribute == transB)
    std::memcpy(&static_cast<Product *>(product)->transposed[attribute - transA], value, 4);
  return 0;
}
int cublasLtMatrixLayoutCreate(void **layout, int type, uint64_t rows, uint64_t cols,
                               int64_t leading) {
  *layout = new Layout{type, rows, cols, leading};
  return 0;
}
int cublasLtMatrixLayoutSetAttribute(void *, int, const void *, size_t) {
  return 0;
}
int cublasLtMatrixLayoutDestroy(void *layout) {
  delete static_cast<Layout *>(layout);
  return 0;
}
int cublasLtMatmulPreferenceCreate(void **preference) {
  *preference = new Preference{};
  return 0;
}
int cublasLtMatmulPreferenceDestroy(void *preference) {
  delete static_cast<Preference *>(preference);
  return 0;
}
int cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute, const void *value,
                                         size_t) {
  constexpr int first = 5;
  if (attribute >= first && attribute < first + 4)
    std::memcpy(&static_cast<Preference *>(preference)->alignment[attribute - first], value, 4);
  return 0;
}
int cublasLtMatmulAlgoGetHeuristic(void *, void *product, void *a, void *, void *, void *d,
                                   void *preference, int wanted, Heuristic *found, int *count) {
  const auto &result = *static_cast<Layout *>(d);
  const char *limit = std::getenv("FAKE_CUBLASLT_LIMIT");
  *count = 0;
  if (limit && result.cols < std::strtoull(limit, nullptr, 10))
    return notSupported;
  for (; *count < offered && *count < wanted; ++*count) {
    found[*count] = {};
    found[*count].algorithm[0] = uint64_t(*count);
  }
  if (log()) {
    const auto *bytes = static_cast<Preference *>(preference)->alignment;
    std::fprintf(log(), "algorithms ");
    writeShape(*static_cast<Product *>(product), *static_cast<Layout *>(a), result);
    std::fprintf(log(), ", aligned %u %u %u %u\n", bytes[0], bytes[1], bytes[2], bytes[3]);
  }
  return 0;
}
int cublasLtMatmul(void *, void *product, const void *, const void *a, void *layoutA, const void *b,
                   void *layoutB, const void *, const void *, void *, void *d, void *layoutD,
                   const void *algorithm, void *, size_t, void *stream) {
  if (!log())
    return 0;
  uint64_t chosen = 0;
  std::memcpy(&chosen, algorithm, sizeof chosen);
  const auto &left = *static_cast<Layout *>(layoutA);
  std::fprintf(log(), "matmul ");
  writeShape(*static_cast<Product *>(product), left, *static_cast<Layout *>(layoutD));
  std::fprintf(log(), ", at %lld %lld %lld, apart %lld %lld %lld, algorithm %d%s\n", offsetOf(a),
               offsetOf(b), offsetOf(d), static_cast<long long>(left.leading),
               static_cast<long long>(static_cast<Layout *>(layoutB)->leading),
               static_cast<long long>(static_cast<Layout *>(layoutD)->leading), int(chosen),
               stream ? ", captured" : "");
  return 0;
}

} // extern "C"
