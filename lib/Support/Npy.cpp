#include "Support/Npy.h"

#include "Support/FileOutput.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {
namespace {

/// NumPy's names of our types. The first row of a name is what it means when nothing is expected,
/// the first row of a type is what is written.
struct Descr {
  std::string_view text;
  DType type;
};
constexpr Descr kDescrs[] = {
    {"<f2", DType::f16},    {"<f4", DType::f32},    {"<f4", DType::tf32},   {"<i4", DType::i32},
    {"<i8", DType::index},  {"|i1", DType::s8},     {"<i1", DType::s8},     {"|b1", DType::i1},
    {"<u2", DType::bf16},   {"|V2", DType::bf16},   {"<V2", DType::bf16},   {"|u1", DType::e4m3},
    {"|u1", DType::e5m2},   {"|V1", DType::e4m3},   {"|V1", DType::e5m2},   {"<V1", DType::e4m3},
    {"<V1", DType::e5m2},   {"|u1", DType::ue8m0},  {"|V1", DType::ue8m0},  {"<V1", DType::ue8m0},
    {"|u1", DType::e2m1x2}, {"|V1", DType::e2m1x2}, {"<V1", DType::e2m1x2}, {"|u1", DType::e2m1},
    {"|V1", DType::e2m1},   {"<V1", DType::e2m1},   {"|u1", DType::e2m3},   {"|V1", DType::e2m3},
    {"<V1", DType::e2m3},   {"|u1", DType::e3m2},   {"|V1", DType::e3m2},   {"<V1", DType::e3m2},
};

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxRank = 32;
constexpr int64_t kMaxBytes = int64_t(1) << 62;

std::string_view descrOf(DType type) {
  return std::ranges::find(kDescrs, type, &Descr::type)->text;
}

Result<DType> typeOf(std::string_view text, std::optional<DType> expected) {
  std::optional<DType> found;
  for (const Descr &d : kDescrs) {
    if (d.text != text)
      continue;
    if (d.type == expected)
      return d.type;
    if (!found)
      found = d.type;
  }
  if (!found)
    return inputError("dtype '" + std::string(text) +
                      "' is not supported; save it as float16, float32, int32 or int8, little-"
                      "endian");
  if (expected)
    return inputError("the file holds " + std::string(name(*found)) + " ('" + std::string(text) +
                      "'), " + std::string(name(*expected)) + " ('" +
                      std::string(descrOf(*expected)) + "') is needed");
  return *found;
}

/// Reads the dictionary of the header, a Python literal with three known keys.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  struct Fields {
    std::optional<std::string> descr;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<int64_t>> shape;
  };

  /// Empty on success.
  std::string parse(Fields &fields) {
    if (!eat('{'))
      return "the header is not a dictionary";
    while (!eat('}')) {
      std::string key;
      if (!string(key) || !eat(':'))
        return malformed();
      if (std::string wrong = field(key, fields); !wrong.empty())
        return wrong;
      if (!eat(',') && peek() != '}')
        return malformed();
    }
    if (peek() != 0 || at_ != text_.size())
      return malformed();
    for (auto [missing, key] : {std::pair{!fields.descr, "descr"},
                                {!fields.fortranOrder, "fortran_order"},
                                {!fields.shape, "shape"}})
      if (missing)
        return std::string("the header has no '") + key + "'";
    return "";
  }

private:
  std::string malformed() const {
    return "the header is malformed at its character " + std::to_string(at_);
  }

  std::string field(const std::string &key, Fields &fields) {
    if (key == "descr" && !fields.descr) {
      if (peek() == '[')
        return "structured dtypes are not supported";
      return string(fields.descr.emplace()) ? "" : malformed();
    }
    if (key == "fortran_order" && !fields.fortranOrder) {
      bool yes = eatWord("True");
      fields.fortranOrder = yes;
      return yes || eatWord("False") ? "" : malformed();
    }
    if (key == "shape" && !fields.shape)
      return tuple(fields.shape.emplace());
    return "the header has an unknown or repeated key";
  }

  /// Next character that is not a blank; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool eat(char c) {
    if (peek() != c)
      return false;
    ++at_;
    return true;
  }
  bool eatWord(std::string_view word) {
    peek();
    if (text_.substr(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  bool string(std::string &out) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::ranges::all_of(out, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
  }

  std::string tuple(std::vector<int64_t> &out) {
    if (!eat('('))
      return malformed();
    while (!eat(')')) {
      if (std::string wrong = extent(out); !wrong.empty())
        return wrong;
      if (out.size() > kMaxRank)
        return "more than " + std::to_string(kMaxRank) + " dimensions";
      bool comma = eat(',');
      if (!comma && (peek() != ')' || out.size() == 1)) // (3) is a number, (3,) a tuple
        return malformed();
    }
    return "";
  }

  std::string extent(std::vector<int64_t> &out) {
    bool negative = eat('-');
    int64_t value = 0;
    size_t begin = (peek(), at_);
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[at_] - '0', &value))
        return "an extent of the shape is too large";
    if (at_ == begin)
      return malformed();
    if (negative)
      return "negative extent -" + std::to_string(value) + " in the shape";
    out.push_back(value);
    return "";
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// Where the dictionary starts and ends, from the fixed fields before it.
Result<std::pair<int64_t, int64_t>> dictionaryRange(std::string_view start, int64_t fileBytes) {
  if (!start.starts_with(kMagic))
    return inputError("not a .npy file");
  if (start.size() < 10)
    return inputError("the file ends inside the header");
  auto byte = [&](size_t i) { return static_cast<uint8_t>(start[i]); };
  int major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    return inputError(".npy version " + std::to_string(major) + "." + std::to_string(minor) +
                      " is not supported; 1.0, 2.0 and 3.0 are");
  int64_t begin = major == 1 ? 10 : 12;
  if (fileBytes < begin)
    return inputError("the file ends inside the header");
  int64_t length = byte(8) | byte(9) << 8;
  if (major > 1)
    length |= int64_t(byte(10)) << 16 | int64_t(byte(11)) << 24;
  if (length > fileBytes - begin)
    return inputError("the file ends inside the header");
  if (length > kNpyHeaderLimit - begin)
    return inputError("the header is longer than " + std::to_string(kNpyHeaderLimit) + " bytes");
  return std::pair{begin, begin + length};
}

/// Bytes of the data; fails when they, or a stride of an empty tensor, would not fit.
Result<int64_t> sizeOf(const std::vector<int64_t> &extents, DType type) {
  int64_t bytes = byteSize(type);
  bool empty = false;
  for (int64_t e : extents) {
    empty |= e == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(e, 1), &bytes) || bytes > kMaxBytes)
      return inputError("the shape has more elements than memory can address");
  }
  return empty ? 0 : bytes;
}

std::vector<int64_t> denseStrides(const std::vector<int64_t> &extents, bool fortranOrder) {
  std::vector<int64_t> strides(extents.size());
  int64_t next = 1;
  for (size_t n = 0; n < extents.size(); ++n) {
    size_t dim = fortranOrder ? n : extents.size() - 1 - n;
    strides[dim] = next;
    next *= std::max<int64_t>(extents[dim], 1);
  }
  return strides;
}

/// The elements in C order, without gaps.
std::vector<std::byte> packed(const HostTensor &tensor) {
  size_t size = static_cast<size_t>(byteSize(tensor.type));
  std::vector<std::byte> out(static_cast<size_t>(tensor.elements()) * size);
  std::vector<int64_t> index(tensor.extents.size(), 0);
  for (size_t to = 0; to < out.size(); to += size) {
    int64_t from = 0;
    for (size_t d = 0; d < index.size(); ++d)
      from += index[d] * tensor.strides[d];
    std::memcpy(&out[to], &tensor.bytes[static_cast<size_t>(from) * size], size);
    for (size_t d = index.size(); d-- > 0 && ++index[d] == tensor.extents[d];)
      index[d] = 0;
  }
  return out;
}

/// Magic, version 1.0 and dictionary, padded so that the data starts at a multiple of 64 bytes.
std::string headerText(const HostTensor &tensor, bool fortranOrder) {
  std::string shape;
  for (int64_t e : tensor.extents)
    shape += std::to_string(e) + ", ";
  if (tensor.extents.size() > 1)
    shape.resize(shape.size() - 2);
  else if (!shape.empty())
    shape.pop_back(); // "(3,)"
  std::string text = "{'descr': '" + std::string(descrOf(tensor.type)) +
                     "', 'fortran_order': " + (fortranOrder ? "True" : "False") + ", 'shape': (" +
                     shape + "), }";
  text.append(63 - (text.size() + 10) % 64, ' ');
  text += '\n';
  std::string out(kMagic);
  out += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return out + text;
}

/// Closes on every path.
struct File {
  int descriptor;
  explicit File(const std::string &path) : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  /// Reads `count` bytes at `offset`; 0, an errno, or -1 when the file is shorter.
  int read(void *to, int64_t count, int64_t offset) const {
    auto *bytes = static_cast<char *>(to);
    while (count > 0) {
      ssize_t n = ::pread(descriptor, bytes, static_cast<size_t>(count), offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : -1;
      bytes += n, offset += n, count -= n;
    }
    return 0;
  }
};

Error unreadable(const std::string &path, const std::string &reason) {
  return inputError("cannot read '" + path + "': " + reason);
}
Error unreadable(const std::string &path, int code) {
  return unreadable(path, code < 0 ? "the file became shorter while it was read"
                                   : std::string(std::strerror(code)));
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view start, int64_t fileBytes,
                                 std::optional<DType> expected) {
  auto range = dictionaryRange(start, fileBytes);
  if (!range)
    return range.error();
  auto [begin, end] = *range;
  HeaderParser::Fields fields;
  std::string_view text =
      start.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  if (std::string wrong = HeaderParser(text).parse(fields); !wrong.empty())
    return inputError(wrong);
  auto type = typeOf(*fields.descr, expected);
  if (!type)
    return type.error();
  auto bytes = sizeOf(*fields.shape, *type);
  if (!bytes)
    return bytes.error();
  if (*bytes != fileBytes - end)
    return inputError("the header promises " + std::to_string(*bytes) +
                      " bytes of data, the file has " + std::to_string(fileBytes - end));
  return NpyHeader{*type, *fields.shape, *fields.fortranOrder, end, *bytes};
}

Result<HostTensor> readNpy(const std::string &path, std::optional<DType> expected) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return unreadable(path, errno);
  if (S_ISDIR(status.st_mode))
    return unreadable(path, EISDIR);
  if (!S_ISREG(status.st_mode)) // opening a pipe would block, and its size is unknown
    return unreadable(path, "not a regular file");
  File file(path);
  if (file.descriptor < 0)
    return unreadable(path, errno);
  std::string start(static_cast<size_t>(std::min<int64_t>(status.st_size, kNpyHeaderLimit)), '\0');
  if (int code = file.read(start.data(), static_cast<int64_t>(start.size()), 0))
    return unreadable(path, code);
  auto header = parseNpyHeader(start, status.st_size, expected);
  if (!header)
    return unreadable(path, header.error().message);
  HostTensor tensor{
      header->type, header->extents, denseStrides(header->extents, header->fortranOrder), {}};
  tensor.bytes.resize(static_cast<size_t>(header->dataBytes));
  if (int code = file.read(tensor.bytes.data(), header->dataBytes, header->dataOffset))
    return unreadable(path, code);
  return tensor;
}

Result<int64_t> writeNpy(const std::string &path, const HostTensor &tensor) {
  bool rows = tensor.strides == denseStrides(tensor.extents, false);
  bool columns = !rows && tensor.strides == denseStrides(tensor.extents, true);
  std::vector<std::byte> gathered;
  if (!rows && !columns)
    gathered = packed(tensor);
  const std::vector<std::byte> &data = rows || columns ? tensor.bytes : gathered;
  std::string header = headerText(tensor, columns);
  size_t bytes = static_cast<size_t>(tensor.elements() * byteSize(tensor.type));
  return writePieces(path, {header, {reinterpret_cast<const char *>(data.data()), bytes}});
}

} // namespace sluice
