#include "Support/Json.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace sluice {

size_t utf8Length(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || at + length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  if (length == 3 &&
      ((lead == 0xE0 && byte(at + 1) < 0xA0) || (lead == 0xED && byte(at + 1) > 0x9F)))
    return 0; // overlong form, surrogate
  if (length == 4 &&
      ((lead == 0xF0 && byte(at + 1) < 0x90) || (lead == 0xF4 && byte(at + 1) > 0x8F)))
    return 0; // overlong form, beyond U+10FFFF
  return length;
}

namespace {

void appendControl(std::string &out, unsigned char c) {
  switch (c) {
  case '\n':
    out += "\\n";
    return;
  case '\t':
    out += "\\t";
    return;
  case '\r':
    out += "\\r";
    return;
  case '\b':
    out += "\\b";
    return;
  case '\f':
    out += "\\f";
    return;
  default:
    break;
  }
  char code[8];
  std::snprintf(code, sizeof code, "\\u%04x", c);
  out += code;
}

} // namespace

std::string jsonQuoted(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const size_t length = utf8Length(text, i);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c < 0x20)
      appendControl(out, c);
    else if (c == '"' || c == '\\')
      (out += '\\') += static_cast<char>(c);
    else
      out += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return out += '"';
}

void JsonWriter::separate() {
  if (afterKey_) {
    afterKey_ = false;
    return;
  }
  if (hasItems_.empty())
    return;
  if (hasItems_.back())
    out_ += ", ";
  hasItems_.back() = true;
}

JsonWriter &JsonWriter::raw(std::string_view text) {
  separate();
  out_ += text;
  return *this;
}

JsonWriter &JsonWriter::beginObject() {
  raw("{");
  hasItems_.push_back(false);
  return *this;
}

JsonWriter &JsonWriter::endObject() {
  hasItems_.pop_back();
  out_ += '}';
  return *this;
}

JsonWriter &JsonWriter::beginArray() {
  raw("[");
  hasItems_.push_back(false);
  return *this;
}

JsonWriter &JsonWriter::endArray() {
  hasItems_.pop_back();
  out_ += ']';
  return *this;
}

JsonWriter &JsonWriter::key(std::string_view name) {
  separate();
  out_ += jsonQuoted(name);
  out_ += ": ";
  afterKey_ = true;
  return *this;
}

JsonWriter &JsonWriter::value(std::string_view text) {
  return raw(jsonQuoted(text));
}

JsonWriter &JsonWriter::value(double number) {
  if (!std::isfinite(number))
    return null();
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return raw({text, static_cast<size_t>(end - text)});
}

JsonWriter &JsonWriter::value(const std::vector<std::string> &texts) {
  beginArray();
  for (const std::string &text : texts)
    value(std::string_view(text));
  return endArray();
}

} // namespace sluice
