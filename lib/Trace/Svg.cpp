#include "Trace/Format.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"
#include "Trace/Summary.h"
#include "Trace/Windows.h"

#include <algorithm>
#include <limits>
#include <set>

namespace sluice::trace {
namespace {

constexpr double kRight = 66; // for the utilisation beside the engines

/// Room for the longest row name, within limits.
double labelWidth(const std::vector<Shown> &timelines) {
  double widest = textWidth("iteration", 12);
  for (const Shown &shown : timelines)
    for (const TimelineRow &row : shown.timeline->rows)
      widest = std::max(widest, textWidth(row.name, 14));
  return std::min(widest, 180.0) + 16;
}

/// One picture a timeline, all at the scale of the one that has least room for a cycle.
std::vector<Picture> makePictures(const std::vector<Shown> &timelines,
                                  const PictureOptions &options) {
  std::vector<Picture> pictures;
  double least = std::numeric_limits<double>::infinity();
  for (const Shown &shown : timelines) {
    pictures.push_back(makePicture(*shown.timeline, options, kMargin + labelWidth(timelines)));
    if (const double perCycle = pictures.back().scale.perCycle(); perCycle > 0)
      least = std::min(least, perCycle);
  }
  for (Picture &p : pictures)
    if (p.scale.perCycle() > least)
      p.scale = p.scale.narrowed(least);
  return pictures;
}

void drawPatterns(SvgWriter &svg) {
  svg.open("defs", {});
  svg.open("pattern", {{"id", "sluice-wait"},
                       {"width", "6"},
                       {"height", "6"},
                       {"patternUnits", "userSpaceOnUse"},
                       {"patternTransform", "rotate(45)"}});
  svg.rect(0, 0, 6, 6, {{"fill", "#ffffff"}});
  svg.rect(0, 0, 1.6, 6, {{"fill", "#d2d2d2"}});
  svg.close("pattern");
  svg.close("defs");
}

/// The kinds and slots that can be seen.
struct Seen {
  std::set<WorkKind> kinds;
  std::set<int64_t> slots;
  bool waits = false, light = false;
};

void addSeen(const Scene &scene, Seen &seen) {
  for (const SceneRow &row : scene.rows)
    for (const Bar &bar : row.bars) {
      if (bar.event->kind == TimelineEvent::wait) {
        seen.waits = true;
        continue;
      }
      seen.kinds.insert(bar.kind);
      seen.light |= bar.event->iteration >= 0 && bar.event->iteration % 2 == 1;
      if (bar.event->slot >= 0)
        seen.slots.insert(bar.event->slot);
    }
}

/// Legend entries from left to right, in new lines as needed.
class Legend {
public:
  explicit Legend(Picture &p) : p_(p), x_(kMargin) {}

  void kind(WorkKind kind, bool light) {
    const double width = light ? 36 : 20;
    place(label(kind), width);
    p_.svg.rect(x_, p_.y + 1, 18, 13,
                {{"fill", fillColour(kind, false)}, {"stroke", edgeColour(kind)}});
    if (light)
      p_.svg.rect(x_ + 18, p_.y + 1, 18, 13,
                  {{"fill", fillColour(kind, true)}, {"stroke", edgeColour(kind)}});
    finish(label(kind), width);
  }
  void wait() {
    place("wait", 28);
    p_.svg.rect(x_, p_.y + 1, 28, 13, {{"fill", "url(#sluice-wait)"}, {"stroke", "#b5b5b5"}});
    finish("wait", 28);
  }
  void slot(int64_t slot) {
    const std::string text = slot == 0 ? "slot 0" : std::to_string(slot);
    place(text, 20);
    p_.svg.rect(x_, p_.y + 6, 20, 5, {{"fill", slotColour(slot)}});
    finish(text, 20);
  }
  void words(const std::string &text) {
    place(text, -6);
    finish(text, -6);
  }

private:
  void place(const std::string &text, double swatch) {
    if (x_ + swatch + 6 + textWidth(text, 12.5) > p_.width - kMargin) {
      x_ = kMargin;
      p_.y += 21;
    }
  }
  void finish(const std::string &text, double swatch) {
    p_.svg.text(x_ + swatch + 6, p_.y + 12, text, {12.5, "start", kInk});
    x_ += swatch + 6 + textWidth(text, 12.5) * 0.9 + 14;
  }

  Picture &p_;
  double x_;
};

void drawLegend(Picture &p, const Seen &seen) {
  Legend legend(p);
  for (WorkKind kind : seen.kinds)
    legend.kind(kind, seen.light);
  if (seen.light)
    legend.words("(even | odd iterations)");
  if (seen.waits)
    legend.wait();
  constexpr int64_t distinct = 8;
  for (int64_t slot : seen.slots)
    if (slot < distinct)
      legend.slot(slot);
  p.y += 21;
}

void drawHeading(Picture &p, const Seen &seen) {
  drawTitle(p, p.options.kernel.empty() ? "timeline" : p.options.kernel);
  drawLegend(p, seen);
  p.y += 10;
}

void drawCaption(Picture &p, const std::string &caption) {
  if (caption.empty())
    return;
  p.svg.text(kMargin, p.y + 30, oneLine(caption), {16, "start", kInk, true});
  p.y += 48;
}

/// Heading, plots below each other, then the figures of each.
std::string drawParts(const std::vector<Shown> &timelines, std::vector<Picture> &pictures) {
  Seen seen;
  for (const Picture &p : pictures)
    addSeen(p.scene, seen);
  drawHeading(pictures.front(), seen);
  double y = pictures.front().y;
  for (auto part : {drawPlot, drawSummary})
    for (size_t i = 0; i < pictures.size(); ++i) {
      pictures[i].y = y;
      drawCaption(pictures[i], timelines[i].caption);
      part(pictures[i]);
      y = pictures[i].y;
    }
  pictures.front().y = y;
  std::string svg;
  for (Picture &p : pictures)
    svg += p.svg.take();
  return svg;
}

} // namespace

Picture makePicture(const Timeline &timeline, const PictureOptions &options, double left) {
  const double width = std::max(options.width, 900), right = width - kMargin - kRight + 16;
  constexpr double gap = 34;
  Scene scene = makeScene(timeline);
  TimeScale scale(chooseWindows(scene, {right - left - 2 * gap, 16, 72, options.everything}), left,
                  right - left, gap);
  keepVisible(scene, scale);
  return {options, std::move(scene), std::move(scale), width, left, right, {}, 0};
}

void drawTitle(Picture &p, const std::string &title) {
  const PictureOptions &o = p.options;
  p.svg.text(kMargin, 42, title, {22, "start", kInk, true});
  std::string under;
  for (const std::string &part :
       {o.target, o.shape, o.clockGhz > 0 ? decimal(o.clockGhz, 3) + " GHz" : std::string()})
    if (!part.empty())
      under += (under.empty() ? "" : "  \xC2\xB7  ") + part;
  p.svg.text(kMargin, 65, under, {14, "start", kDim});
  p.y = under.empty() ? 60 : 82;
}

std::string svgElement(Picture &p, const std::string &title, const std::string &parts) {
  const double height = p.y + kMargin;
  SvgWriter svg;
  svg.openPicture(p.width, height, title);
  drawPatterns(svg);
  svg.rect(0, 0, p.width, height, {{"fill", "#ffffff"}});
  svg.raw(parts);
  svg.close("svg");
  return svg.take();
}

std::string svgElement(const std::vector<Shown> &timelines, const PictureOptions &options) {
  std::vector<Picture> pictures = makePictures(timelines, options);
  const std::string parts = drawParts(timelines, pictures);
  return svgElement(pictures.front(), headline(options), parts);
}

} // namespace sluice::trace

namespace sluice {

std::string svgOf(const std::vector<Shown> &timelines, const PictureOptions &options) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + trace::svgElement(timelines, options);
}

std::string drawSvg(const Timeline &timeline, const PictureOptions &options) {
  return svgOf({{"", &timeline}}, options);
}

} // namespace sluice
