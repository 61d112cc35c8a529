// Writes SVG elements. Coordinates are rounded to a hundredth of a pixel.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::trace {

using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// How a text stands at its point, and how it looks.
struct TextStyle {
  double size = 13;
  const char *anchor = "start"; // "middle", "end"
  const char *fill = nullptr;   // inherited
  bool bold = false;
  bool upright = true; // false: turned a quarter to the left
};

class SvgWriter {
public:
  /// The SVG element of a picture, with its title.
  void openPicture(double width, double height, std::string_view title);
  void open(std::string_view element, const Attributes &attributes);
  void close(std::string_view element);
  void empty(std::string_view element, const Attributes &attributes);
  void rect(double x, double y, double width, double height, Attributes attributes);
  void line(double x1, double y1, double x2, double y2, Attributes attributes);
  void path(std::string data, Attributes attributes);
  /// y is the base line.
  void text(double x, double y, std::string_view content, const TextStyle &style = {});
  /// `<name>content</name>`, content escaped.
  void leaf(std::string_view name, std::string_view content);
  void raw(std::string_view markup) { out_ += markup; }
  std::string take() { return std::move(out_); }

private:
  void begin(std::string_view element, const Attributes &attributes);

  std::string out_;
};

/// "12.25"
std::string px(double value);
/// Estimated width of a text in a sans-serif font; rather too wide than too narrow.
double textWidth(std::string_view text, double size);

} // namespace sluice::trace
