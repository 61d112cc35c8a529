#include "Language/Nesting.h"

namespace sluice {
namespace {

constexpr int deepest = 256; // brackets; kernels have a dozen

/// Reads a text once. Brackets that close are counted with their own kind, so that the arrows of
/// signatures close nothing else.
class Scanner {
public:
  explicit Scanner(const std::string &text) : text_(text) {}

  /// Whether some place lies deeper than allowed; then line() and column() say where.
  bool tooDeep() {
    for (; at_ < text_.size(); ++at_) {
      skipComment();
      if (at_ >= text_.size())
        return false;
      if (text_[at_] == '"')
        skipString();
      else if (deepens())
        return true;
    }
    return false;
  }
  int line() const { return line_; }
  int column() const { return int(at_ - lineStart_) + 1; }

private:
  char peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void newLine() {
    ++line_;
    lineStart_ = at_ + 1;
  }

  void skipComment() {
    if (peek(0) != '/' || peek(1) != '/')
      return;
    while (at_ < text_.size() && text_[at_] != '\n')
      ++at_;
    if (at_ < text_.size())
      newLine();
  }

  void skipString() {
    for (++at_; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\')
        ++at_;
    if (at_ < text_.size() && text_[at_] == '\n')
      newLine();
  }

  bool deepens() {
    char c = text_[at_];
    if (c == '\n')
      newLine();
    if (c == '-')
      ++minuses_;
    else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
      minuses_ = 0;
    if (c == '(' || c == '[' || c == '{')
      ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0)
      --brackets_;
    if (c == '<')
      ++angles_;
    if (c == '>' && angles_ > 0 && (at_ == 0 || text_[at_ - 1] != '-'))
      --angles_;
    return brackets_ > deepest || angles_ > deepest || minuses_ > deepest;
  }

  const std::string &text_;
  size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
  int brackets_ = 0, angles_ = 0, minuses_ = 0;
};

} // namespace

std::optional<Error> checkNesting(const std::string &text, const std::string &name) {
  if (text.compare(0, 4, "ML\xefR") == 0)
    return inputError("MLIR bytecode; a kernel file is text", {name, 1, 1});
  Scanner scanner(text);
  if (!scanner.tooDeep())
    return std::nullopt;
  return inputError("brackets nested deeper than " + std::to_string(deepest),
                    {name, scanner.line(), scanner.column()});
}

} // namespace sluice
