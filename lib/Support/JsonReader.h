// Reads JSON text (RFC 8259) into a tree.
#pragma once

#include "Support/Result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {

class JsonValue {
public:
  enum Kind : uint8_t { null, boolean, number, text, array, object };

  Kind kind() const { return kind_; }
  /// Of another kind: false, 0, "".
  bool truth() const { return kind_ == boolean && number_ != 0; }
  double asNumber() const { return kind_ == number ? number_ : 0; }
  /// Truncated, within the range that doubles hold exactly; 0 outside.
  int64_t asInteger() const;
  const std::string &asText() const { return text_; }
  /// Of an array; an object's values, with their names in keys().
  const std::vector<JsonValue> &items() const { return items_; }
  const std::vector<std::string> &keys() const { return keys_; }
  /// Member of an object; null where it is none or has no such member.
  const JsonValue &operator[](std::string_view name) const;

private:
  friend class JsonParser;
  Kind kind_ = null;
  double number_ = 0;
  std::string text_;
  std::vector<JsonValue> items_;
  std::vector<std::string> keys_;
};

/// The error names line and column.
Result<JsonValue> readJson(std::string_view text);

} // namespace sluice
