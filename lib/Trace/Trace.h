// Pictures and summaries of a Timeline. Every function is pure; same input, same bytes.
#pragma once

#include "Simulate/Schedule.h"
#include "Simulate/Timeline.h"
#include "Support/JsonMembers.h"

#include <string>
#include <vector>

namespace sluice {

/// What a picture says about its origin, and how it is cut. Empty texts are left out.
struct PictureOptions {
  std::string kernel;      // "gemm"
  std::string target;      // "sm_90a (h100)"
  std::string shape;       // "M=4096 N=4096 K=4096 f16"
  double clockGhz = 0;     // 0: cycles only, no microseconds
  int width = 1280;        // pixels; at least 900
  bool everything = false; // draw all iterations, however thin they get
};

/// One of several timelines below each other: what it is of ("simulated", "measured on ...").
struct Shown {
  std::string caption;
  const Timeline *timeline;
};

/// A picture in SVG 1.1: title, rows of roles and engines, axis, legend, summary.
std::string drawSvg(const Timeline &timeline, const PictureOptions &options);
/// One self-contained page: the same picture with zoom, pan and tooltips, the summary as tables.
std::string drawHtml(const Timeline &timeline, const PictureOptions &options);
/// The JSON that chrome://tracing and ui.perfetto.dev open. All events, no cut.
std::string chromeTrace(const Timeline &timeline, const PictureOptions &options);

/// Several timelines in the same form and at one scale, with the figures of each below them.
std::string svgOf(const std::vector<Shown> &timelines, const PictureOptions &options);
std::string htmlOf(const std::vector<Shown> &timelines, const PictureOptions &options);
std::string chromeTraceOf(const std::vector<Shown> &timelines, const PictureOptions &options);

/// A failing schedule: agents in rows, steps in columns, the missing order as an arrow.
std::string drawSvg(const Schedule &schedule);
/// The same in a page, with all steps as a table.
std::string drawHtml(const Schedule &schedule);

/// The JSON object of `sluice trace --json`; `more` adds members to it.
std::string summaryJson(const Timeline &timeline, const MoreMembers &more = {});
/// An object with those of both, by the first words of their captions; `more` adds to the first.
std::string summaryJson(const Shown &one, const Shown &other, const MoreMembers &more = {});
/// For the terminal, with a small timeline of at most 100 columns.
std::string summaryText(const Timeline &timeline, const PictureOptions &options);
/// The same of two timelines, and their figures side by side.
std::string summaryText(const Shown &one, const Shown &other, const PictureOptions &options);

} // namespace sluice
