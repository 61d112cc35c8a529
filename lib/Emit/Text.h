// Indented source text with lines of at most 100 columns, and identifiers that never collide.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::emit {

class Text {
public:
  explicit Text(int depth = 0) : depth_(depth) {}
  /// One line; a long one is broken after a comma or before an operator.
  Text &line(std::string_view text);
  /// One line as it is, indented unless it is for the preprocessor.
  Text &verbatim(std::string_view text);
  /// Lines that begin with `start`, cut behind commas.
  Text &comment(const std::string &start, std::string_view words);
  /// `text` and what follows one level deeper, until close(). A branch or loop around a single
  /// simple line loses its braces.
  Text &open(std::string_view text);
  Text &close(std::string_view text = "}");
  /// A branch; one whose body is nothing but another branch becomes a single one.
  Text &branch(const std::string &condition, const Text &body);
  /// "} else {" and the like.
  Text &next(std::string_view text);
  Text &blank();
  /// A text that continues this one a level deeper; append() brings it in.
  Text inside() const {
    Text text(depth_ + 1);
    text.written_ = note_.empty() ? written_ : note_;
    return text;
  }
  /// Lines of another text, as they are.
  Text &append(const Text &other);
  /// "gemm.cpp:42" behind the next line that is written, where the place has changed.
  void at(const std::string &place);
  int depth() const { return depth_; }
  bool empty() const { return out_.empty(); }
  const std::string &str() const { return out_; }

private:
  struct Opened {
    size_t body; // where its first line starts
    bool chained = false;
  };
  int depth_;
  std::string out_;
  std::string note_, written_; // the place that the next line is to name, the last that one named
  std::vector<Opened> opened_;
};

class Names {
public:
  /// Words that beside those of C++ nothing may be called by, and those that no kernel may; lists
  /// with spaces.
  Names(const char *reserved, const char *declared);
  /// `wanted` made a C++ identifier that is not taken yet; `fallback` where nothing is left of it.
  std::string take(std::string_view wanted, std::string_view fallback = "v");
  /// The same for a kernel, whose name nothing else in the global namespace may have.
  std::string takeKernel(std::string_view wanted);
  /// The same for a parameter of the kernel, which every scope sees: it stays taken.
  std::string takeParameter(std::string_view wanted);
  /// A scope: other names taken after mark() are free again after release().
  std::set<std::string> mark() const { return taken_; }
  void release(std::set<std::string> mark) {
    taken_ = std::move(mark);
    taken_.insert(parameters_.begin(), parameters_.end());
  }

private:
  std::set<std::string> taken_, declared_, parameters_;
};

} // namespace sluice::emit
