#include "Trace/SvgWriter.h"

#include "Trace/Format.h"
#include "Trace/Palette.h"

namespace sluice::trace {

std::string px(double value) {
  return decimal(value, 2);
}

double textWidth(std::string_view text, double size) {
  return 0.6 * size * static_cast<double>(length(text));
}

void SvgWriter::begin(std::string_view element, const Attributes &attributes) {
  (out_ += '<') += element;
  for (const auto &[name, value] : attributes)
    (((out_ += ' ') += name) += "=\"") += xmlEscaped(value) + '"';
}

void SvgWriter::openPicture(double width, double height, std::string_view title) {
  open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
               {"width", px(width)},
               {"height", px(height)},
               {"viewBox", "0 0 " + px(width) + " " + px(height)},
               {"font-family", "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"},
               {"fill", kInk}});
  leaf("title", title);
}

void SvgWriter::open(std::string_view element, const Attributes &attributes) {
  begin(element, attributes);
  out_ += ">\n";
}

void SvgWriter::close(std::string_view element) {
  ((out_ += "</") += element) += ">\n";
}

void SvgWriter::empty(std::string_view element, const Attributes &attributes) {
  begin(element, attributes);
  out_ += "/>\n";
}

void SvgWriter::rect(double x, double y, double width, double height, Attributes attributes) {
  attributes.insert(attributes.begin(),
                    {{"x", px(x)}, {"y", px(y)}, {"width", px(width)}, {"height", px(height)}});
  empty("rect", attributes);
}

void SvgWriter::line(double x1, double y1, double x2, double y2, Attributes attributes) {
  attributes.insert(attributes.begin(),
                    {{"x1", px(x1)}, {"y1", px(y1)}, {"x2", px(x2)}, {"y2", px(y2)}});
  empty("line", attributes);
}

void SvgWriter::path(std::string data, Attributes attributes) {
  attributes.insert(attributes.begin(), {"d", std::move(data)});
  empty("path", attributes);
}

void SvgWriter::text(double x, double y, std::string_view content, const TextStyle &style) {
  Attributes a = {{"x", px(x)}, {"y", px(y)}, {"font-size", px(style.size)}};
  if (std::string_view(style.anchor) != "start")
    a.push_back({"text-anchor", style.anchor});
  if (style.fill)
    a.push_back({"fill", style.fill});
  if (style.bold)
    a.push_back({"font-weight", "bold"});
  if (!style.upright)
    a.push_back({"transform", "rotate(-90 " + px(x) + " " + px(y) + ")"});
  begin("text", a);
  out_ += '>' + xmlEscaped(oneLine(content)) + "</text>\n";
}

void SvgWriter::leaf(std::string_view name, std::string_view content) {
  ((out_ += '<') += name) += '>' + xmlEscaped(content) + "</";
  (out_ += name) += ">\n";
}

} // namespace sluice::trace
