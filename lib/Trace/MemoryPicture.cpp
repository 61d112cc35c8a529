// The map of memories over time: addresses down, in steps that leave room for a name each.
#include "Trace/Format.h"
#include "Trace/MemoryMap.h"
#include "Trace/Palette.h"
#include "Trace/Picture.h"

#include <algorithm>

namespace sluice {
namespace {

using namespace trace;

constexpr double kAddress = 10.5, kName = 13, kLabel = 11.5; // sizes of letters
constexpr double kMemoryHeight = 360, kHead = 24, kFoot = 10;
constexpr double kLeast = 18, kMost = 48, kGap = 5; // heights of what has a name, and of a gap

/// Addresses that the same places have.
struct Stretch {
  int64_t begin, end;
  std::vector<const MemoryPlace *> places; // none: free
  double height = 0, y = 0;                // y from the top of the memory
};

std::vector<Stretch> stretchesOf(const MemoryMap &map) {
  std::vector<int64_t> cuts = {0, map.capacity};
  for (const MemoryPlace &place : map.places)
    cuts.insert(cuts.end(), {place.begin, place.end});
  std::ranges::sort(cuts);
  std::vector<Stretch> all;
  for (size_t i = 1; i < cuts.size(); ++i) {
    if (cuts[i - 1] == cuts[i])
      continue;
    Stretch s{cuts[i - 1], cuts[i], {}};
    for (const MemoryPlace &place : map.places)
      if (place.begin <= s.begin && s.end <= place.end)
        s.places.push_back(&place);
    all.push_back(std::move(s));
  }
  return all;
}

class MemoryPanel {
public:
  explicit MemoryPanel(const MemoryMap &map) : map_(map), stretches_(stretchesOf(map)) {
    double y = kHead;
    for (Stretch &s : stretches_) {
      const double share = double(s.end - s.begin) / double(std::max<int64_t>(map.used, 1));
      const bool last = &s == &stretches_.back();
      s.height = !s.places.empty() ? std::clamp(kMemoryHeight * share, kLeast, kMost)
                                   : (last ? kLeast : kGap);
      s.y = y;
      y += s.height;
    }
    height_ = y + kFoot;
  }

  double height() const { return height_; }

  void draw(Picture &p) const {
    p.svg.text(kMargin, p.y + 14, title(), {11.5, "start", kDim, true});
    for (const Stretch &s : stretches_)
      drawStretch(p, s);
    for (const MemoryPlace &place : map_.places)
      drawPlace(p, place);
    p.y += height_;
  }

private:
  std::string title() const {
    std::string name = map_.memory;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name + "  \xC2\xB7  " + cyclesText(double(map_.used)) + " of " +
           cyclesText(double(map_.capacity)) + " " + map_.unit + ", at most " +
           cyclesText(double(map_.most)) + " hold something at a time";
  }

  static std::string nameOf(const Stretch &s) {
    std::string name;
    for (const MemoryPlace *place : s.places)
      name += (name.empty() ? "" : " / ") + place->name;
    return name;
  }

  void drawStretch(Picture &p, const Stretch &s) const {
    const double y = p.y + s.y;
    for (const Window &w : p.scale.windows())
      p.svg.rect(w.x, y, p.scale.endX(w) - w.x, s.height,
                 {{"fill", s.places.empty() ? "#e4e6ea" : "#ffffff"}, {"stroke", kRule}});
    if (s.height < kLeast)
      return;
    const double base = y + s.height / 2 + 4;
    p.svg.text(kMargin + addressWidth(), base, cyclesText(double(s.begin)),
               {kAddress, "end", kDim});
    const std::string name = s.places.empty() ? "free" : nameOf(s);
    const double room = p.left - 12 - kMargin - addressWidth() - 10;
    p.svg.text(p.left - 12, base, shortened(name, static_cast<size_t>(room / (0.6 * kName))),
               {kName, "end", s.places.empty() ? kDim : kInk});
  }

  void drawPlace(Picture &p, const MemoryPlace &place) const {
    double top = 0, bottom = 0;
    for (const Stretch &s : stretches_) {
      if (s.begin == place.begin)
        top = p.y + s.y;
      if (s.end == place.end)
        bottom = p.y + s.y + s.height;
    }
    if (place.isBarriers)
      for (const Window &w : p.scale.windows())
        p.svg.rect(w.x, top + 1, p.scale.endX(w) - w.x, bottom - top - 2, {{"fill", "#dedede"}});
    for (const Held &h : place.held)
      drawHeld(p, place, h, top + 1, bottom - top - 2);
  }

  static void drawHeld(Picture &p, const MemoryPlace &place, const Held &h, double y,
                       double height) {
    for (const Span &s : p.scale.spans(h.begin, h.end)) {
      const double width = std::max(s.to - s.from, 1.2);
      p.svg.open("g", {{"class", "held"}});
      p.svg.leaf("title", describe(place, h));
      p.svg.rect(
          s.from, y, width, height,
          {{"fill", cellColour(place.slot)}, {"stroke", "#787878"}, {"stroke-width", "0.6"}});
      for (const Span &w : p.scale.spans(h.begin, std::min(h.ready, h.end)))
        if (w.window == s.window)
          p.svg.rect(w.from, y, w.to - w.from, height,
                     {{"fill", "url(#sluice-wait)"}, {"fill-opacity", "0.7"}});
      if (textWidth(place.name, kLabel) + 6 <= width && height >= kLabel + 2)
        p.svg.text(s.from + width / 2, y + height / 2 + kLabel * 0.36, place.name,
                   {kLabel, "middle"});
      p.svg.close("g");
    }
  }

  static std::string describe(const MemoryPlace &place, const Held &h) {
    return place.name + ", " + place.tile + "\nwritten " + decimal(h.begin, 1) + " \xE2\x80\x93 " +
           decimal(h.ready, 1) + "\nheld until " + decimal(h.end, 1) + "\nat " +
           std::to_string(place.begin) + " \xE2\x80\x93 " + std::to_string(place.end - 1);
  }

public:
  static double addressWidth() { return textWidth("999,999", kAddress); }
  double nameWidth() const {
    double widest = textWidth("iteration", kName);
    for (const Stretch &s : stretches_)
      widest = std::max(widest, textWidth(nameOf(s), kName));
    return std::min(widest, 220.0);
  }

private:
  const MemoryMap &map_;
  std::vector<Stretch> stretches_;
  double height_ = 0;
};

void drawLegend(Picture &p) {
  const auto entry = [&](double x, const std::string &text, const std::string &fill) {
    p.svg.rect(x, p.y + 1, 28, 13, {{"fill", fill}, {"stroke", "#787878"}});
    p.svg.text(x + 34, p.y + 12, text, {12.5, "start", kInk});
  };
  entry(kMargin, "holds what is read; a colour a slot", cellColour(0));
  entry(kMargin + 300, "is being written", "url(#sluice-wait)");
  entry(kMargin + 470, "is free at all times", "#e4e6ea");
  p.y += 34;
}

} // namespace

std::string memorySvg(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                      const PictureOptions &options) {
  std::vector<MemoryPanel> panels(maps.begin(), maps.end());
  double names = 0, height = 0;
  for (const MemoryPanel &panel : panels) {
    names = std::max(names, panel.nameWidth());
    height += panel.height();
  }
  Picture p = makePicture(timeline, options, kMargin + MemoryPanel::addressWidth() + names + 24);
  const std::string title = options.kernel + ": memory";
  drawTitle(p, title);
  drawLegend(p);
  drawFrame(p, height, [&] {
    for (const MemoryPanel &panel : panels)
      panel.draw(p);
  });
  const std::string parts = p.svg.take();
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svgElement(p, title, parts);
}

} // namespace sluice
