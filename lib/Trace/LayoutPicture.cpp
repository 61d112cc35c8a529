#include "Trace/LayoutPicture.h"

#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/SvgWriter.h"

#include <algorithm>

namespace sluice {
namespace {

using namespace trace;

constexpr double kFrame = 28, kCell = 34, kTop = 96, kLetter = 11;

/// Sides of a cell that has room for its words.
struct CellSize {
  double width, height;
};

CellSize cellSize(const LayoutGrid &grid) {
  double widest = textWidth(std::to_string(grid.columns - 1), kLetter);
  bool two = false;
  for (const GridCell &cell : grid.cells) {
    widest = std::max({widest, textWidth(cell.first, kLetter), textWidth(cell.second, kLetter)});
    two |= !cell.second.empty();
  }
  return {std::max(kCell, widest + 8), two ? kCell + 2 : 26};
}

class SvgGrid {
public:
  explicit SvgGrid(const LayoutGrid &grid) : grid_(grid), cell_(cellSize(grid)) {}

  std::string draw() {
    left_ = kFrame + textWidth(std::to_string(grid_.rows - 1), kLetter) + 22;
    const double width =
        std::max({left_ + cell_.width * double(grid_.columns), kFrame + textWidth(grid_.title, 18),
                  kFrame + textWidth(grid_.legend, 12.5)}) +
        kFrame;
    const double height = kTop + cell_.height * double(grid_.rows) + kFrame;
    svg_.openPicture(width, height, grid_.title);
    svg_.rect(0, 0, width, height, {{"fill", "#ffffff"}});
    svg_.text(kFrame, 38, grid_.title, {18, "start", kInk, true});
    svg_.text(kFrame, 58, grid_.legend, {12.5, "start", kDim});
    drawNumbers();
    for (int64_t row = 0; row < grid_.rows; ++row)
      for (int64_t column = 0; column < grid_.columns; ++column)
        drawCell(row, column);
    svg_.close("svg");
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg_.take();
  }

private:
  double x(int64_t column) const { return left_ + cell_.width * double(column); }
  double y(int64_t row) const { return kTop + cell_.height * double(row); }

  void drawNumbers() {
    svg_.text(left_, kTop - 20, grid_.across, {kLetter, "start", kDim});
    svg_.text(kFrame + 4, kTop + textWidth(grid_.down, kLetter), grid_.down,
              {kLetter, "start", kDim, false, false});
    for (int64_t column = 0; column < grid_.columns; ++column)
      svg_.text(x(column) + cell_.width / 2, kTop - 6, std::to_string(column),
                {kLetter, "middle", kDim});
    for (int64_t row = 0; row < grid_.rows; ++row)
      svg_.text(left_ - 6, y(row) + cell_.height / 2 + 4, std::to_string(row),
                {kLetter, "end", kDim});
  }

  void drawCell(int64_t row, int64_t column) {
    const GridCell &cell = grid_.at(row, column);
    svg_.rect(x(column), y(row), cell_.width, cell_.height,
              {{"fill", cell.colour < 0 ? "#ffffff" : cellColour(cell.colour)},
               {"stroke", cell.colour < 0 ? kRule : "#787878"}});
    const double middle = x(column) + cell_.width / 2, centre = y(row) + cell_.height / 2;
    if (!cell.first.empty())
      svg_.text(middle, centre + (cell.second.empty() ? 4 : -2), cell.first, {kLetter, "middle"});
    if (!cell.second.empty())
      svg_.text(middle, centre + 12, cell.second, {kLetter, "middle"});
  }

  const LayoutGrid &grid_;
  CellSize cell_;
  double left_ = 0;
  SvgWriter svg_;
};

/// Characters of layouts that TeX reads otherwise.
std::string texEscaped(const std::string &text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '<' ? "$<$" : c == '>' ? "$>$" : c == '_' ? "\\_" : std::string(1, c);
  return escaped;
}

std::string texNode(const std::string &style, double x, double y, const std::string &content) {
  return "\\node[" + style + "] at (" + decimal(x, 2) + "," + decimal(y, 2) + ") {" + content +
         "};\n";
}

} // namespace

std::string layoutSvg(const LayoutGrid &grid) {
  return SvgGrid(grid).draw();
}

std::string layoutTex(const LayoutGrid &grid) {
  std::string tex = "\\documentclass{standalone}\n\\usepackage{tikz}\n\\begin{document}\n";
  for (int colour = 0; colour < kGridColours; ++colour)
    tex += "\\definecolor{c" + std::to_string(colour) + "}{HTML}{" + cellColour(colour).substr(1) +
           "}\n";
  tex += "\\begin{tikzpicture}[x=1cm,y=-1cm,cell/.style={draw,minimum size=1cm,align=center,inner "
         "sep=0,font=\\footnotesize},index/.style={font=\\footnotesize}]\n";
  tex += texNode("anchor=west", -0.5, -1.8, texEscaped(grid.title));
  tex += texNode("anchor=west,font=\\scriptsize", -0.5, -1.3, texEscaped(grid.legend));
  for (int64_t column = 0; column < grid.columns; ++column)
    tex += texNode("index", double(column), -0.75, std::to_string(column));
  for (int64_t row = 0; row < grid.rows; ++row) {
    tex += texNode("index", -0.8, double(row), std::to_string(row));
    for (int64_t column = 0; column < grid.columns; ++column) {
      const GridCell &cell = grid.at(row, column);
      const std::string fill =
          cell.colour < 0 ? "cell" : "cell,fill=c" + std::to_string(cell.colour);
      tex += texNode(fill, double(column), double(row),
                     cell.first + (cell.second.empty() ? "" : "\\\\" + cell.second));
    }
  }
  return tex + "\\end{tikzpicture}\n\\end{document}\n";
}

} // namespace sluice
