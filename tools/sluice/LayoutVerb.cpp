// sluice layout: a layout in numbers, as a table and as a picture.
#include "Console.h"
#include "Proof.h"
#include "Verbs.h"

#include "Layout/Expression.h"
#include "Layout/Grid.h"
#include "Support/Json.h"
#include "Trace/LayoutPicture.h"

#include <charconv>
#include <filesystem>

namespace sluice::tool {
namespace {

Result<TileShape> parseTile(const std::string &text) {
  TileShape tile{};
  const char *end = text.data() + text.size();
  auto rows = std::from_chars(text.data(), end, tile.rows);
  if (rows.ec == std::errc() && rows.ptr != end && *rows.ptr == 'x')
    if (auto columns = std::from_chars(rows.ptr + 1, end, tile.columns);
        columns.ec == std::errc() && columns.ptr == end && tile.rows > 0 && tile.columns > 0 &&
        tile.rows <= mostSize && tile.columns <= mostSize / tile.rows)
      return tile;
  return inputError("--tile " + text + ": write ROWSxCOLUMNS, as in --tile 16x8");
}

/// The expression, with what the options say of it.
Result<TileLayout> layoutOf(const Options &options) {
  auto layout = parseLayoutExpression(options.kernel);
  if (!layout)
    return layout;
  if (!options.tile.empty()) {
    if (layout->dealt)
      return inputError("--tile: the layout says of which tile it is");
    auto tile = parseTile(options.tile);
    if (!tile)
      return tile.error();
    layout->dealt = *tile;
  }
  if (!options.type.empty()) {
    layout->type = parseDType(options.type);
    if (!layout->type || *layout->type == DType::i1 || *layout->type == DType::index)
      return inputError("--type " + options.type +
                        ": it must be s8, i32, e4m3, e5m2, f16, bf16, tf32 or f32");
    if (layout->dealt)
      return inputError("--type: elements that threads hold lie in no bank");
  }
  return layout;
}

using Drawing = std::string (*)(const LayoutGrid &);

Result<Drawing> drawing(const std::string &path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending == ".svg")
    return &layoutSvg;
  if (ending == ".tex")
    return &layoutTex;
  return inputError("-o " + path + ": the name must end in .svg or .tex");
}

std::string numbersText(const TileLayout &tile) {
  const ShapeStride &layout = tile.layout.layout;
  return text(tile.layout) + "\nshape   " + shapeText(layout) + "\nstride  " + strideText(layout) +
         "\nsize    " + std::to_string(size(layout)) + "\ncosize  " +
         std::to_string(cosize(tile.layout)) + "\n";
}

std::string layoutJson(const TileLayout &tile) {
  constexpr int64_t mostListed = 1 << 16;
  const ShapeStride &layout = tile.layout.layout;
  JsonWriter json;
  json.beginObject().member("layout", text(tile.layout)).member("shape", shapeText(layout));
  json.member("stride", strideText(layout)).member("size", size(layout));
  json.member("cosize", cosize(tile.layout));
  if (size(layout) <= mostListed) {
    json.key("offsets").beginArray();
    for (int64_t i = 0; i < size(layout); ++i)
      json.value(offsetOf(tile.layout, i));
    json.endArray();
  }
  json.endObject();
  return json.str() + "\n";
}

std::string functionsText() {
  std::string text;
  for (const std::string &function : layoutFunctions())
    text += function + "\n";
  return text;
}

Result<bool> show(const Options &options) {
  Drawing draw = nullptr;
  if (!options.output.empty()) {
    auto known = drawing(options.output);
    if (!known)
      return known.error();
    draw = *known;
  }
  auto layout = layoutOf(options);
  if (!layout)
    return layout.error();
  constexpr size_t mostPrinted = 4096;
  auto grid = gridOf(*layout);
  if (!grid && (draw || layout->dealt))
    return grid.error();
  if (draw)
    if (auto written = writeText(options.output, draw(*grid)); !written)
      return written;
  std::string text = numbersText(*layout);
  if (grid && grid->cells.size() <= mostPrinted)
    text += "\n" + gridText(*grid);
  return writeText("", options.json ? layoutJson(*layout) : text);
}

} // namespace

int layoutVerb(const Options &options) {
  if (options.kernel.empty() && !options.json && options.output.empty()) {
    const auto written = writeText("", functionsText());
    return written ? kExitGood : report(written.error());
  }
  if (auto shown = show(options); !shown)
    return refuse(shown.error(), options);
  return kExitGood;
}

} // namespace sluice::tool
