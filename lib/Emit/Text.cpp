#include "Emit/Text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>

namespace sluice::emit {
namespace {

constexpr size_t columns = 100;

/// Where a line that starts at `indent` columns is broken: after ", " or before one of these
/// operators, in as few brackets as possible, and not between quotes.
size_t breakPoint(std::string_view text, size_t indent, std::string_view operators) {
  size_t best = std::string_view::npos;
  int depth = 0, bestDepth = 1 << 20;
  bool quoted = false;
  for (size_t i = 0; i < text.size() && indent + i <= columns; ++i) {
    bool before = operators.find(text[i]) != std::string_view::npos;
    bool between = !quoted && i >= 30 && text[i - 1] == ' ' && (text[i - 2] == ',' || before);
    if (between && depth <= bestDepth) {
      best = i;
      bestDepth = depth;
    }
    quoted ^= text[i] == '"' && (i == 0 || text[i - 1] != '\\');
    if (quoted)
      continue;
    bool angle = text[i] == '<' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '<';
    depth += angle ? 2 : text[i] == '(' || text[i] == '[' || text[i] == '{';
    depth -= text[i] == ')' || text[i] == ']' || text[i] == '}';
    depth -= text[i] == '>' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '-' ? 2 : 0;
  }
  return best;
}

/// The same; before a product or comparison where no better place is within the columns.
size_t breakPoint(std::string_view text, size_t indent) {
  if (indent + text.size() <= columns)
    return std::string_view::npos;
  const size_t best = breakPoint(text, indent, "+?:&|");
  return best != std::string_view::npos ? best : breakPoint(text, indent, "-*/<>=");
}

} // namespace

Text &Text::line(std::string_view text) {
  size_t indent = 2 * depth_;
  bool comment = text.substr(0, 2) == "//";
  while (true) {
    size_t at = comment ? std::string_view::npos : breakPoint(text, indent);
    const size_t start = out_.size();
    out_.append(indent, ' ').append(text.substr(0, at));
    while (!out_.empty() && out_.back() == ' ')
      out_.pop_back();
    const bool heads = text[0] == '#' || text.starts_with("if ") || text.starts_with("}");
    if (!note_.empty() && !comment && !heads && out_.size() - start + note_.size() + 5 <= columns)
      out_ += "  // " + (written_ = std::exchange(note_, ""));
    out_ += '\n';
    if (at == std::string_view::npos)
      return *this;
    text.remove_prefix(at);
    indent = 2 * depth_ + 4;
  }
}

Text &Text::comment(const std::string &start, std::string_view words) {
  while (start.size() + words.size() > columns) {
    const size_t at = words.rfind(", ", columns - start.size() - 2);
    if (at == words.npos || at == 0)
      break;
    line(start + std::string(words.substr(0, at + 1)));
    words.remove_prefix(at + 2);
  }
  return line(start + std::string(words));
}

Text &Text::open(std::string_view text) {
  line(text);
  ++depth_;
  opened_.push_back({out_.size()});
  return *this;
}

namespace {

/// One line that may stand without braces: no branch, loop, declaration or directive.
bool isSimpleLine(std::string_view body) {
  if (body.empty() || body.find('\n') != body.size() - 1)
    return false;
  body.remove_prefix(body.find_first_not_of(' '));
  for (std::string_view start :
       {"if (", "for (", "const ", "float ", "int ", "bool ", "Cursor<", "#", "//", "break;"})
    if (body.starts_with(start))
      return false;
  return true;
}

constexpr std::string_view brace = " {\n";

} // namespace

Text &Text::verbatim(std::string_view text) {
  if (!text.empty() && text[0] != '#')
    out_.append(2 * depth_, ' ');
  out_.append(text).append("\n");
  return *this;
}

Text &Text::close(std::string_view text) {
  --depth_;
  const Opened opened = opened_.empty() ? Opened{out_.size(), true} : opened_.back();
  if (!opened_.empty())
    opened_.pop_back();
  const size_t head = out_.rfind('\n', opened.body - 2) + 1; // of the line that opens
  const std::string_view first = std::string_view(out_).substr(0, opened.body).substr(head);
  const size_t indent = std::min(first.find_first_not_of(' '), first.size());
  const bool plain =
      first.substr(indent).starts_with("if (") || first.substr(indent).starts_with("for (");
  const size_t at = first.ends_with(brace) ? first.size() - brace.size() : first.find(" {  // ");
  if (text == "}" && !opened.chained && plain && at != first.npos &&
      isSimpleLine(std::string_view(out_).substr(opened.body))) {
    out_.erase(head + at, 2);
    return *this;
  }
  return line(text);
}

Text &Text::branch(const std::string &condition, const Text &body) {
  std::string_view rest = body.out_;
  const std::string indent(2 * body.depth_, ' ');
  const size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view head = rest.substr(0, end);
  const bool braces = head.ends_with(") {");
  bool single = head.starts_with(indent + "if (") && (braces || head.ends_with(")")) &&
                head.find("||") == head.npos && head.find('?') == head.npos;
  std::string inner; // the lines of the inner branch, one level less deep
  for (size_t at = end + 1; single && at < rest.size();) {
    const size_t next = rest.find('\n', at) + 1;
    const std::string_view line = rest.substr(at, next - at);
    const bool closes = line == indent + "}\n" && next == rest.size();
    single = closes || line.starts_with(indent + "  ");
    if (single && !closes)
      inner += line.substr(2);
    at = next;
  }
  const bool weak = condition.find("||") != condition.npos || condition.find('?') != condition.npos;
  if (!single || body.depth_ != depth_ + 1)
    open("if (" + condition + ") {").append(body);
  else {
    head.remove_prefix(indent.size() + 4);
    head.remove_suffix(braces ? 3 : 1);
    open("if (" + (weak ? "(" + condition + ")" : condition) + " && " + std::string(head) + ") {");
    out_ += inner;
  }
  return *this;
}

void Text::at(const std::string &place) {
  note_ = place == written_ ? "" : place;
  if (place.empty())
    written_.clear();
}

Text &Text::next(std::string_view text) {
  --depth_;
  line(text);
  ++depth_;
  if (!opened_.empty())
    opened_.back().chained = true;
  return *this;
}

Text &Text::blank() {
  out_ += '\n';
  return *this;
}

Text &Text::append(const Text &other) {
  out_ += other.out_;
  if (!other.written_.empty())
    written_ = other.written_;
  return *this;
}

namespace {

/// Of C++, and the one function that is never a kernel.
constexpr const char *keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "class compl const const_cast constexpr continue decltype default delete do double "
    "dynamic_cast else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast return short signed sizeof static static_assert static_cast struct "
    "switch template this thread_local throw true try typedef typeid typename union unsigned using "
    "virtual void volatile wchar_t while xor xor_eq main";

std::set<std::string> wordsOf(const char *list) {
  std::stringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}

} // namespace

Names::Names(const char *reserved, const char *declared)
    : taken_(wordsOf(keywords)), declared_(wordsOf(declared)) {
  taken_.merge(wordsOf(reserved));
}

std::string Names::takeKernel(std::string_view wanted) {
  const bool isDeclared = declared_.contains(std::string(wanted));
  return take(std::string(wanted) + (isDeclared ? "_kernel" : ""), "kernel");
}

std::string Names::takeParameter(std::string_view wanted) {
  return *parameters_.insert(take(wanted, "parameter")).first;
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

} // namespace sluice::emit
