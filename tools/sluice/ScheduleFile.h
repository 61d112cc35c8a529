// The schedule of --schedule: read, and fitted to the kernel.
#pragma once

#include "Load.h"

#include "Simulate/Schedule.h"

namespace sluice::tool {

Result<Schedule> readSchedule(const std::string &path);

/// What --set has to say so that a kernel from a file gets the schedule's launch.
std::map<std::string, std::string> settingsOf(const Schedule &schedule);

/// An Error where the schedule is of another kernel or launch.
Result<bool> checkBelongs(const Schedule &schedule, const Loaded &loaded);

} // namespace sluice::tool
