// Writes JSON text (RFC 8259). The writer puts the commas; the caller nests objects and arrays.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

class JsonWriter {
public:
  JsonWriter &beginObject();
  JsonWriter &endObject();
  JsonWriter &beginArray();
  JsonWriter &endArray();
  /// Name of the next value; only inside an object.
  JsonWriter &key(std::string_view name);

  JsonWriter &value(std::string_view text);
  JsonWriter &value(const char *text) { return value(std::string_view(text)); }
  /// Shortest text that reads back as the same number; infinities and NaN become null.
  JsonWriter &value(double number);
  template <std::integral T> JsonWriter &value(T number) {
    if constexpr (std::same_as<T, bool>)
      return raw(number ? "true" : "false");
    else
      return raw(std::to_string(number));
  }
  JsonWriter &value(const std::vector<std::string> &texts);
  JsonWriter &null() { return raw("null"); }

  /// key(name) and value(v) in one.
  template <typename T> JsonWriter &member(std::string_view name, const T &v) {
    return key(name).value(v);
  }

  const std::string &str() const { return out_; }

private:
  JsonWriter &raw(std::string_view text);
  void separate();

  std::string out_;
  std::vector<bool> hasItems_; // one per open object or array
  bool afterKey_ = false;
};

/// `text` in double quotes with the escapes of JSON. Bytes that are not UTF-8 become U+FFFD.
std::string jsonQuoted(std::string_view text);

/// Length of the UTF-8 sequence that starts at text[at]; 0 when it is malformed.
size_t utf8Length(std::string_view text, size_t at);

} // namespace sluice
