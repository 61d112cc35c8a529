#include "Support/JsonReader.h"

#include <algorithm>
#include <charconv>

namespace sluice {

int64_t JsonValue::asInteger() const {
  const double n = asNumber();
  return n >= -0x1p53 && n <= 0x1p53 ? static_cast<int64_t>(n) : 0;
}

const JsonValue &JsonValue::operator[](std::string_view name) const {
  static const JsonValue none;
  const auto at = std::find(keys_.begin(), keys_.end(), name);
  return at == keys_.end() ? none : items_[at - keys_.begin()];
}

class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Result<JsonValue> run() {
    JsonValue value;
    if (parse(value, 0) && (space(), at_ < text_.size()))
      fail("nothing may follow the value");
    if (fault_.empty())
      return value;
    const std::string_view before = text_.substr(0, at_);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return inputError("not JSON: line " + std::to_string(line) + ", column " +
                      std::to_string(at_ - lineStart + 1) + ": " + fault_);
  }

private:
  static constexpr int deepest = 64;

  bool fail(const char *what) {
    if (fault_.empty())
      fault_ = what;
    return false;
  }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos)
      ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  bool word(std::string_view w) {
    if (!text_.substr(at_).starts_with(w))
      return fail("a value is expected");
    at_ += w.size();
    return true;
  }

  bool parse(JsonValue &to, int depth) {
    space();
    if (at_ == text_.size())
      return fail("a value is expected");
    if (depth == deepest)
      return fail("too deeply nested");
    switch (text_[at_]) {
    case '{':
    case '[':
      return nested(to, depth);
    case '"':
      to.kind_ = JsonValue::text;
      return string(to.text_);
    case 't':
    case 'f':
      to.kind_ = JsonValue::boolean;
      to.number_ = text_[at_] == 't';
      return word(text_[at_] == 't' ? "true" : "false");
    case 'n':
      return word("null");
    default:
      return number(to);
    }
  }

  bool nested(JsonValue &to, int depth) {
    const bool object = text_[at_++] == '{';
    const char end = object ? '}' : ']';
    to.kind_ = object ? JsonValue::object : JsonValue::array;
    if (take(end))
      return true;
    do {
      if (object) {
        space();
        if (at_ == text_.size() || text_[at_] != '"')
          return fail("a name in quotes is expected");
        if (!string(to.keys_.emplace_back()) || (!take(':') && !fail("':' is expected")))
          return false;
      }
      if (!parse(to.items_.emplace_back(), depth + 1))
        return false;
    } while (take(','));
    return take(end) || fail(object ? "',' or '}' is expected" : "',' or ']' is expected");
  }

  bool number(JsonValue &to) {
    to.kind_ = JsonValue::number;
    const auto [end, code] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), to.number_);
    if (code != std::errc{} || text_[at_] == 'i')
      return fail("a value is expected");
    at_ = end - text_.data();
    return true;
  }

  bool string(std::string &to) {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20)
        return fail("a control character in a text");
      if (text_[at_] != '\\')
        to += text_[at_];
      else if (!escape(to))
        return false;
    }
    if (at_ == text_.size())
      return fail("a text does not end");
    ++at_;
    return true;
  }

  bool escape(std::string &to) {
    static constexpr std::string_view from = "\"\\/bfnrt", into = "\"\\/\b\f\n\r\t";
    if (++at_ == text_.size())
      return fail("a text does not end");
    if (const size_t i = from.find(text_[at_]); i != from.npos) {
      to += into[i];
      return true;
    }
    uint32_t code = 0;
    if (!unit(code))
      return false;
    if (code >= 0xD800 && code < 0xDC00) { // the first half of a pair
      uint32_t low = 0;
      if (!text_.substr(at_ + 1).starts_with("\\u") || (at_ += 2, !unit(low)) || low < 0xDC00 ||
          low > 0xDFFF)
        return fail("half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    encode(code, to);
    return true;
  }

  /// "uXXXX" at the current place; leaves it on the last digit.
  bool unit(uint32_t &code) {
    const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 4);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
    if (text_[at_] != 'u' || digits.size() < 4 || end != digits.data() + 4)
      return fail("an unknown escape");
    at_ += 4;
    return true;
  }

  static void encode(uint32_t code, std::string &to) {
    const auto byte = [&](uint32_t b) { to += static_cast<char>(b); };
    if (code < 0x80)
      return byte(code);
    if (code < 0x800) {
      byte(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      byte(0xE0 | code >> 12);
      byte(0x80 | (code >> 6 & 0x3F));
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
      byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string fault_;
};

Result<JsonValue> readJson(std::string_view text) {
  return JsonParser(text).run();
}

} // namespace sluice
