#include "Trace/Format.h"
#include "Trace/Picture.h"
#include "Trace/Scene.h"
#include "Trace/Summary.h"

namespace sluice {
namespace {

using namespace trace;

constexpr const char *kStyle = R"(
body { margin: 0; font: 14px/1.45 Helvetica, Arial, sans-serif; color: #1c1c1c; background: #fff; }
#view { border-bottom: 1px solid #d8d8d8; overflow: hidden; cursor: grab; }
#view.drag { cursor: grabbing; }
#view svg { display: block; width: 100%; height: auto; user-select: none; }
#hint { padding: 6px 28px; color: #5a5a5a; }
#tip { position: fixed; display: none; pointer-events: none; white-space: pre; padding: 6px 9px;
  background: #1c1c1c; color: #fff; border-radius: 4px; font: 13px/1.4 monospace; z-index: 2; }
g.same > rect:first-of-type { stroke: #000; stroke-width: 1.8; }
main { display: flex; flex-wrap: wrap; gap: 12px 48px; padding: 0 28px 28px; }
h1 { font-size: 18px; margin: 18px 28px 0; }
h2 { font-size: 15px; margin: 14px 0 6px; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 3px 18px 3px 0; border-bottom: 1px solid #e6e8ec; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
)";

/// Zoom and pan move the viewBox; tooltips take over the title elements of the picture.
constexpr const char *kScript = R"(
(() => {
  const view = document.getElementById('view'), tip = document.getElementById('tip');
  const svg = view.querySelector('svg'), all = svg.viewBox.baseVal;
  const home = [all.x, all.y, all.width, all.height];
  let box = home.slice(), drag = null;
  const show = () => svg.setAttribute('viewBox', box.join(' '));
  const at = e => {
    const r = svg.getBoundingClientRect();
    return [(e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height];
  };
  view.addEventListener('wheel', e => {
    e.preventDefault();
    const [u, v] = at(e), f = Math.exp(e.deltaY * (e.deltaMode ? 0.05 : 0.0015));
    const w = Math.min(home[2], Math.max(home[2] / 400, box[2] * f)), h = w * home[3] / home[2];
    box = [box[0] + u * (box[2] - w), box[1] + v * (box[3] - h), w, h];
    if (w === home[2]) box = home.slice();
    show();
  }, { passive: false });
  view.addEventListener('pointerdown', e => {
    drag = { x: e.clientX, y: e.clientY, box: box.slice() };
    view.setPointerCapture(e.pointerId);
    view.classList.add('drag');
  });
  const stop = () => { drag = null; view.classList.remove('drag'); };
  view.addEventListener('pointerup', stop);
  view.addEventListener('pointercancel', stop);
  const reset = () => { box = home.slice(); show(); };
  view.addEventListener('dblclick', reset);
  document.addEventListener('keydown', e => { if (e.key === '0') reset(); });

  const texts = new Map(), iterations = new Map();
  for (const g of svg.querySelectorAll('g.work, g.wait')) {
    const title = g.querySelector('title');
    texts.set(g, title.textContent);
    title.remove();
    const i = g.dataset.iteration;
    if (i !== undefined) iterations.set(i, (iterations.get(i) || []).concat(g));
  }
  let marked = [];
  const mark = groups => {
    for (const g of marked) g.classList.remove('same');
    for (const g of groups) g.classList.add('same');
    marked = groups;
  };
  view.addEventListener('pointermove', e => {
    if (drag) {
      const r = svg.getBoundingClientRect();
      box[0] = drag.box[0] - (e.clientX - drag.x) / r.width * box[2];
      box[1] = drag.box[1] - (e.clientY - drag.y) / r.height * box[3];
      show();
    }
    const g = drag ? null : e.target.closest('g.work, g.wait');
    tip.style.display = g ? 'block' : 'none';
    mark(g ? iterations.get(g.dataset.iteration) || [] : []);
    if (!g) return;
    tip.textContent = texts.get(g);
    tip.style.left = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(e.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
  });
  view.addEventListener('pointerleave', () => { tip.style.display = 'none'; mark([]); });
})();
)";

using Cells = std::vector<std::string>;

std::string tableRow(const Cells &cells, const char *tag) {
  std::string out = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    out += std::string("<") + tag + (i == 0 ? ">" : " class=\"number\">") + xmlEscaped(cells[i]) +
           "</" + tag + ">";
  return out + "</tr>\n";
}

/// Title, head row, rows; nothing when there are no rows.
std::string table(const char *title, const Cells &head, const std::vector<Cells> &rows) {
  if (rows.empty())
    return "";
  std::string out = "<section><h2>" + std::string(title) + "</h2>\n<table>\n";
  out += tableRow(head, "th");
  for (const Cells &row : rows)
    out += tableRow(row, "td");
  return out + "</table></section>\n";
}

std::string tables(const Timeline &t, const PictureOptions &options) {
  std::vector<Cells> run, costs, engines, stalls;
  for (const auto &[name, value] : figures(t, options))
    run.push_back({name, value});
  for (const IterationCost &c : iterationCosts(t))
    costs.push_back({c.label, cyclesText(c.cycles)});
  for (const auto &[engine, fraction] : utilisationInOrder(t))
    engines.push_back({engine, percentText(fraction)});
  for (const Stall &s : t.stalls)
    stalls.push_back({s.row + " on " + s.barrier, cyclesText(s.cycles), std::to_string(s.count)});
  return table("Run", {"figure", "value"}, run) + table("An iteration", {"", "cycles"}, costs) +
         table("Utilisation", {"engine", "busy"}, engines) +
         table("Stalls", {"who", "cycles", "times"}, stalls);
}

std::string notes(const Timeline &t) {
  if (t.notes.empty())
    return "";
  std::string out = "<section><h2>Notes</h2>\n<ul>\n";
  for (const std::string &note : t.notes)
    out += "<li>" + xmlEscaped(note) + "</li>\n";
  return out + "</ul></section>\n";
}

} // namespace

/// The figures of one timeline.
static std::string block(const Shown &shown, const PictureOptions &options) {
  const std::string caption =
      shown.caption.empty() ? "" : "<h1>" + xmlEscaped(shown.caption) + "</h1>\n";
  return caption + "<main>\n" + tables(*shown.timeline, options) + notes(*shown.timeline) +
         "</main>\n";
}

std::string drawHtml(const Timeline &timeline, const PictureOptions &options) {
  return htmlOf({{"", &timeline}}, options);
}

std::string htmlOf(const std::vector<Shown> &timelines, const PictureOptions &options) {
  std::string blocks;
  for (const Shown &shown : timelines)
    blocks += block(shown, options);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
         xmlEscaped(headline(options)) + "</title>\n<style>" + kStyle +
         "</style>\n</head>\n<body>\n<div id=\"view\">\n" + svgElement(timelines, options) +
         "</div>\n<div id=\"hint\">Wheel: zoom. Drag: move. Double click or 0: whole picture. "
         "Pointing at a bar marks its iteration in every row.</div>\n" +
         blocks + "<div id=\"tip\"></div>\n<script>" + kScript + "</script>\n</body>\n</html>\n";
}

} // namespace sluice
