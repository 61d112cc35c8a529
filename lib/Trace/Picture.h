// The parts of a timeline picture, each drawn below the one before.
#pragma once

#include "Trace/Scene.h"
#include "Trace/SvgWriter.h"
#include "Trace/Trace.h"

#include <functional>

namespace sluice::trace {

/// What the parts share. `y` moves down as they are drawn.
struct Picture {
  const PictureOptions &options;
  Scene scene;
  TimeScale scale;
  double width;       // of the whole picture
  double left, right; // of the plot
  SvgWriter svg;
  double y = 0;

  const Timeline &timeline() const { return *scene.timeline; }
};

inline constexpr double kMargin = 28;

/// A picture whose plot begins at x = left, with the windows of time that fit.
Picture makePicture(const Timeline &timeline, const PictureOptions &options, double left);
/// A title, and target, shape and clock below it.
void drawTitle(Picture &picture, const std::string &title);
/// Axis, grid and iterations of a plot of that height, in which `rows` draws.
void drawFrame(Picture &picture, double height, const std::function<void()> &rows);
/// The SVG element of what has been drawn in the picture.
std::string svgElement(Picture &picture, const std::string &title, const std::string &parts);

void drawPlot(Picture &picture);    // axis, iterations, rows
void drawSummary(Picture &picture); // figures, utilisation, stalls, notes

/// The bars of one row into the box from y down.
void drawBars(Picture &picture, const SceneRow &row, double y);
double rowHeight(const SceneRow &row);

/// The SVG element with everything in it, without an XML declaration.
std::string svgElement(const std::vector<Shown> &timelines, const PictureOptions &options);
/// What a tooltip says about an event, one fact a line.
std::string describe(const TimelineEvent &event, const PictureOptions &options);

} // namespace sluice::trace
