#include "Emit/Cuda/Text.h"

#include <cctype>
#include <sstream>

namespace sluice::cuda {
namespace {

constexpr size_t columns = 100;

/// Where a line that starts at `indent` columns is broken: after ", " or before " + " and the like,
/// in as few brackets as possible.
size_t breakPoint(std::string_view text, size_t indent) {
  size_t best = std::string_view::npos;
  if (indent + text.size() <= columns)
    return best;
  int depth = 0, bestDepth = 1 << 20;
  for (size_t i = 0; i < text.size() && indent + i <= columns; ++i) {
    bool before = std::string_view("+?:&|").find(text[i]) != std::string_view::npos;
    if (i >= 30 && text[i - 1] == ' ' && (text[i - 2] == ',' || before) && depth <= bestDepth) {
      best = i;
      bestDepth = depth;
    }
    bool angle = text[i] == '<' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '<';
    depth += angle ? 2 : text[i] == '(' || text[i] == '[' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == ']' || text[i] == '}';
    depth -= text[i] == '>' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '-' ? 2 : 0;
  }
  return best;
}

} // namespace

Text &Text::line(std::string_view text) {
  size_t indent = 2 * depth_;
  bool comment = text.substr(0, 2) == "//";
  while (true) {
    size_t at = comment ? std::string_view::npos : breakPoint(text, indent);
    out_.append(indent, ' ').append(text.substr(0, at));
    while (!out_.empty() && out_.back() == ' ')
      out_.pop_back();
    out_ += '\n';
    if (at == std::string_view::npos)
      return *this;
    text.remove_prefix(at);
    indent = 2 * depth_ + 4;
  }
}

Text &Text::open(std::string_view text) {
  line(text);
  ++depth_;
  return *this;
}

Text &Text::close(std::string_view text) {
  --depth_;
  return line(text);
}

Text &Text::next(std::string_view text) {
  --depth_;
  line(text);
  ++depth_;
  return *this;
}

Text &Text::blank() {
  out_ += '\n';
  return *this;
}

Text &Text::append(const Text &other) {
  out_ += other.out_;
  return *this;
}

namespace {

/// What a name of a kernel, tensor, buffer or value may well be, and must not be in the text:
/// keywords, names of CUDA and of device/, words that the printer uses itself.
constexpr const char *reserved =
    "auto bool break case char class const constexpr continue default delete do double else enum "
    "explicit export extern false float for friend goto if inline int long namespace new operator "
    "private protected public register return short signed sizeof static struct switch template "
    "this throw true try typedef typename union unsigned using virtual void volatile while and or "
    "not xor asm main blockIdx threadIdx blockDim gridDim warpSize min max abs exp log sqrt fabs "
    "expf logf log2f sqrtf rsqrtf tanhf erff fmaf fmaxf fminf fabsf "
    "sluice smem warp thread ctaWarp sharedBytes e "
    "f16 bf16 u16 u32 u64 i64 Buffer Mbarriers Cursor Fragment RowVector ColVector Window "
    "TensorMap "
    "SharedTile SharedOperand RegisterOperand WgmmaShape Piece Pieces Values Convert "
    "ceilDiv inside warpOfCta laneOfWarp sharedAddress addressInCluster clusterRank electLane "
    "toFloat rounded infinity exp2Of elementBits elementOf pin fill assign laneXor fragmentRow "
    "fragmentCol loadShared storeShared loadGlobal storeGlobal cpAsync insideAlong loadPiece "
    "storePiece loadTile loadTileAsync storeTile fillTile pairOf storeFragment storeFragmentRows "
    "storeFragmentShared storeFragmentMatrices loadFragment loadFragmentShared storeRowVector "
    "loadRowVector loadColVector mbarrierInit mbarrierInval mbarrierArrive mbarrierArriveRemote "
    "mbarrierArriveExpectTx mbarrierArriveExpectTxRemote mbarrierExpectTx mbarrierExpectTxRemote "
    "mbarrierWait warpSync namedBarrierSync namedBarrierArrive clusterArrive "
    "clusterArriveRelaxed clusterWait fenceProxyAsync fenceMbarrierInit bulkCommit bulkWait "
    "bulkWaitRead cpAsyncCommit cpAsyncWait cpAsyncArrive cpAsyncArriveNoinc registersGrow "
    "registersShrink tmaPrefetch tmaLoad tmaLoadBox tmaMulticast tmaMulticastBox tmaStore "
    "tmaStoreBox tmaAdd tmaAddBox wgmma wgmmaFence wgmmaCommit wgmmaWait kMajor mnMajor operandOf "
    "inRegisters isBf16 isSame";

} // namespace

Names::Names() {
  std::stringstream words(reserved);
  for (std::string word; words >> word;)
    taken_.insert(word);
}

std::string Names::take(std::string_view wanted, std::string_view fallback) {
  std::string base;
  for (char c : wanted)
    base += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  while (!base.empty() && base[0] == '_')
    base.erase(0, 1);
  if (base.empty())
    base = fallback;
  if (std::isdigit(static_cast<unsigned char>(base[0])))
    base = std::string(fallback) + base;
  std::string name = base;
  for (int n = 1; !taken_.insert(name).second; ++n)
    name = base + (std::isdigit(static_cast<unsigned char>(base.back())) ? "_" : "") +
           std::to_string(n);
  return name;
}

} // namespace sluice::cuda
