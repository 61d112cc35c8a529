// The block under the plot: figures, cost of an iteration, utilisation, stalls, notes.
#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"
#include "Trace/Summary.h"

#include <algorithm>

namespace sluice::trace {
namespace {

constexpr double kPad = 14, kLine = 21;
constexpr size_t kMostEngines = 10, kMostStalls = 7, kMostNotes = 12;

/// A column of the block. Its parts return the height they used.
struct Panel {
  Picture &p;
  double x, width, y;

  void title(const char *text) {
    p.svg.text(x, y + 12, text, {11.5, "start", kDim, true});
    y += 26;
  }
};

/// A bar of `fraction` of the width on a light track, the figure behind it.
void meter(Panel &panel, const std::string &name, double fraction, const std::string &figure,
           bool strong) {
  SvgWriter &svg = panel.p.svg;
  const double nameWidth = panel.width * 0.36, figureWidth = 62;
  const double track = panel.width - nameWidth - figureWidth;
  const char *ink = strong ? kAccent : kInk;
  const size_t fits = static_cast<size_t>(nameWidth / (0.6 * 13));
  svg.text(panel.x, panel.y + 13, shortened(name, fits), {13, "start", ink, strong});
  svg.rect(panel.x + nameWidth, panel.y + 2, track, 13, {{"fill", "#e6e8ec"}});
  svg.rect(panel.x + nameWidth, panel.y + 2, track * std::clamp(fraction, 0.0, 1.0), 13,
           {{"fill", strong ? kAccent : "#6b7a90"}});
  svg.text(panel.x + panel.width, panel.y + 13, figure, {13, "end", ink, strong});
  panel.y += kLine;
}

void drawFigures(Panel &panel) {
  panel.title("RUN");
  const auto entries = figures(panel.p.timeline(), panel.p.options);
  for (const auto &[name, value] : entries) {
    panel.p.svg.text(panel.x, panel.y + 13, name, {13, "start", kDim});
    const size_t fits = static_cast<size_t>((panel.width - textWidth(name, 13) - 8) / (0.6 * 13));
    panel.p.svg.text(panel.x + panel.width, panel.y + 13, shortened(value, fits),
                     {13, "end", kInk, true});
    panel.y += kLine;
  }
}

void drawCosts(Panel &panel) {
  const auto costs = iterationCosts(panel.p.timeline());
  if (costs.empty())
    return;
  panel.title("CYCLES OF AN ITERATION");
  double most = 0;
  for (const IterationCost &c : costs)
    most = std::max(most, c.cycles);
  for (const IterationCost &c : costs)
    meter(panel, c.label, c.cycles / most, cyclesText(c.cycles), c.label == "as run");
  panel.y += 12;
}

void drawUtilisation(Panel &panel) {
  const auto engines = utilisationInOrder(panel.p.timeline());
  if (engines.empty())
    return;
  panel.title("UTILISATION");
  for (size_t i = 0; i < std::min(engines.size(), kMostEngines); ++i)
    meter(panel, oneLine(engines[i].first), engines[i].second, percentText(engines[i].second),
          engines[i].first == panel.p.timeline().critical);
  panel.y += 12;
}

void drawStalls(Panel &panel) {
  const auto &stalls = panel.p.timeline().stalls;
  panel.title("LONGEST STALLS (CYCLES, TIMES)");
  if (stalls.empty())
    panel.p.svg.text(panel.x, panel.y + 13, "no row ever waited", {13, "start", kDim});
  for (size_t i = 0; i < std::min(stalls.size(), kMostStalls); ++i) {
    const Stall &s = stalls[i];
    const double cyclesAt = panel.x + panel.width - 52;
    const std::string figure = cyclesText(s.cycles);
    const double room = cyclesAt - textWidth(figure, 13) - 8 - panel.x;
    const std::string name = oneLine(s.row) + " on " + oneLine(s.barrier);
    panel.p.svg.text(panel.x, panel.y + 13,
                     shortened(name, static_cast<size_t>(std::max(0.0, room) / (0.6 * 13))), {13});
    panel.p.svg.text(cyclesAt, panel.y + 13, figure, {13, "end", kInk, true});
    panel.p.svg.text(panel.x + panel.width, panel.y + 13, std::to_string(s.count) + "x",
                     {13, "end", kDim});
    panel.y += kLine;
  }
}

void drawNotes(Panel &panel) {
  const auto &notes = panel.p.timeline().notes;
  if (notes.empty())
    return;
  panel.title("NOTES");
  const size_t fits = static_cast<size_t>((panel.width - 14) / (0.56 * 13));
  for (size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i) {
    panel.p.svg.text(panel.x, panel.y + 12, "\xE2\x80\xA2", {13, "start", kDim});
    for (const std::string &words : wrapped(oneLine(notes[i]), fits)) {
      const std::string line = shortened(words, fits); // a word may be longer
      panel.p.svg.text(panel.x + 14, panel.y + 12, line, {13});
      panel.y += 18;
    }
  }
  if (notes.size() > kMostNotes) {
    panel.p.svg.text(panel.x + 14, panel.y + 12,
                     "and " + std::to_string(notes.size() - kMostNotes) + " more",
                     {13, "start", kDim});
    panel.y += 18;
  }
}

} // namespace

void drawSummary(Picture &p) {
  const double top = p.y + 20, inner = p.width - 2 * kMargin, gap = 34;
  const double column = (inner - 2 * gap) / 3;
  p.svg.line(kMargin, top, p.width - kMargin, top, {{"stroke", kRule}});
  Panel run{p, kMargin, column, top + kPad};
  drawFigures(run);
  Panel bars{p, kMargin + column + gap, column, top + kPad};
  drawCosts(bars);
  drawUtilisation(bars);
  Panel stalls{p, kMargin + 2 * (column + gap), column, top + kPad};
  drawStalls(stalls);
  Panel notes{p, kMargin, inner, std::max({run.y, bars.y, stalls.y}) + 4};
  drawNotes(notes);
  p.y = notes.y;
}

} // namespace sluice::trace
