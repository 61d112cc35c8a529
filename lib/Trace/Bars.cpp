// The bars of a row: work in the colour of its kind, waits hatched.
#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"

#include <algorithm>

namespace sluice::trace {
namespace {

constexpr double kThinnest = 1.2; // pixels; thinner bars are drawn together

double laneHeight(const SceneRow &row) {
  return row.lanes == 1 ? 30 : row.lanes == 2 ? 20 : 16;
}
double textSize(const SceneRow &row) {
  return row.lanes == 1 ? 12.5 : row.lanes == 2 ? 12 : 11;
}

/// A bar, or a run of bars too thin to be seen apart.
struct Piece {
  const Bar *bar;
  double from, to;
  int count = 1;
};

/// What is too thin shows the longest of its events.
void join(Piece &piece, const Piece &next) {
  auto duration = [](const Bar &b) { return b.event->end - b.event->begin; };
  if (duration(*next.bar) > duration(*piece.bar))
    piece.bar = next.bar;
  piece.to = std::max(piece.to, next.to);
  ++piece.count;
}

/// The pieces of one lane in one window, thin neighbours joined: no more than pixels.
std::vector<Piece> pieces(const Picture &p, const SceneRow &row, int lane, int window) {
  std::vector<Piece> result;
  for (const Bar &bar : row.bars) {
    if (bar.lane != lane)
      continue;
    for (const Span &s : p.scale.spans(bar.event->begin, bar.event->end)) {
      if (s.window != window)
        continue;
      if (result.empty() || s.to - result.back().from > kThinnest)
        result.push_back({&bar, s.from, s.to});
      else
        join(result.back(), {&bar, s.from, s.to});
    }
  }
  return result;
}

/// Labels of an event, the longest first.
std::vector<std::string> labels(const TimelineEvent &e) {
  auto firstWord = [](const std::string &text) { return text.substr(0, text.find(' ')); };
  std::string name = oneLine(e.name);
  if (e.kind == TimelineEvent::wait) {
    std::string what = name; // "wait flag MTE1->M id 0": "MTE1->M id 0", "MTE1->M"
    for (std::string_view prefix : {"wait ", "flag "})
      if (what.starts_with(prefix))
        what.erase(0, prefix.size());
    return {name, what, firstWord(what)};
  }
  if (e.slot < 0)
    return {name, firstWord(name)};
  const std::string slot = std::to_string(e.slot), index = " [" + slot + "]";
  const bool shown = name.ends_with("[" + slot + "]");
  return {shown ? name : name + index, firstWord(name) + index, slot};
}

std::string fitting(const TimelineEvent &e, double width, double size) {
  for (const std::string &label : labels(e))
    if (!label.empty() && textWidth(label, size) + 6 <= width)
      return label;
  return "";
}

void drawWork(Picture &p, const Piece &piece, double y, double height, double size) {
  const TimelineEvent &e = *piece.bar->event;
  const double width = std::max(piece.to - piece.from, kThinnest);
  p.svg.rect(piece.from, y, width, height,
             {{"fill", fillColour(piece.bar->kind, e.iteration >= 0 && e.iteration % 2 == 1)},
              {"stroke", edgeColour(piece.bar->kind)},
              {"stroke-width", width < 4 ? "0.3" : "0.8"}});
  const double stripe = e.slot >= 0 ? std::min(5.0, height / 4) : 0;
  if (stripe > 0)
    p.svg.rect(piece.from, y + height - stripe, width, stripe, {{"fill", slotColour(e.slot)}});
  const std::string text = piece.count == 1 ? fitting(e, width, size) : "";
  if (!text.empty())
    p.svg.text(piece.from + width / 2, y + (height - stripe) / 2 + size * 0.36, text,
               {size, "middle"});
}

void drawWait(Picture &p, const Piece &piece, double y, double height, double size) {
  const double width = std::max(piece.to - piece.from, kThinnest), inset = height * 0.12;
  p.svg.rect(piece.from, y + inset, width, height - 2 * inset,
             {{"fill", "url(#sluice-wait)"}, {"stroke", "#b5b5b5"}, {"stroke-width", "0.5"}});
  const std::string text = piece.count == 1 ? fitting(*piece.bar->event, width, size - 1) : "";
  if (text.empty())
    return;
  const double half = textWidth(text, size - 1) / 2, middle = piece.from + width / 2;
  p.svg.rect(middle - half, y + height / 2 - size * 0.6, 2 * half, size * 1.2,
             {{"fill", "#ffffff"}, {"fill-opacity", "0.85"}});
  p.svg.text(middle, y + height / 2 + size * 0.33, text, {size - 1, "middle", kDim});
}

void drawPiece(Picture &p, const Piece &piece, double y, double height, double size) {
  const TimelineEvent &e = *piece.bar->event;
  Attributes marks = {{"class", e.kind == TimelineEvent::work ? "work" : "wait"}};
  if (e.iteration >= 0)
    marks.push_back({"data-iteration", std::to_string(e.iteration)});
  p.svg.open("g", marks);
  p.svg.leaf("title", piece.count == 1 ? describe(e, p.options)
                                       : std::to_string(piece.count) + " events, longest:\n" +
                                             describe(e, p.options));
  if (e.kind == TimelineEvent::work)
    drawWork(p, piece, y, height, size);
  else
    drawWait(p, piece, y, height, size);
  p.svg.close("g");
}

} // namespace

double rowHeight(const SceneRow &row) {
  return laneHeight(row) * row.lanes;
}

void drawBars(Picture &p, const SceneRow &row, double y) {
  const double height = laneHeight(row);
  const double inset = row.lanes == 1 ? 2 : 1;
  for (int lane = 0; lane < row.lanes; ++lane)
    for (size_t window = 0; window < p.scale.windows().size(); ++window)
      for (const Piece &piece : pieces(p, row, lane, static_cast<int>(window)))
        drawPiece(p, piece, y + lane * height + inset, height - 2 * inset, textSize(row));
}

std::string describe(const TimelineEvent &e, const PictureOptions &options) {
  std::string text = oneLine(e.name);
  const double duration = e.end - e.begin;
  text += "\n" + decimal(e.begin, 1) + " \xE2\x80\x93 " + decimal(e.end, 1) + " (" +
          decimal(duration, 1) + " cycles" +
          (options.clockGhz > 0 ? ", " + timeText(duration, options.clockGhz) : "") + ")";
  if (e.slot >= 0)
    text += "\nslot " + std::to_string(e.slot);
  if (e.iteration >= 0)
    text += "\niteration " + std::to_string(e.iteration);
  if (e.loc.line > 0)
    text += "\n" + oneLine(e.loc.str());
  return text;
}

} // namespace sluice::trace
