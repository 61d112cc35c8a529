// The gate before a program is used for real.
#pragma once

#include "Load.h"

#include "Diagnose/Check.h"

#include <optional>

namespace sluice::tool {

/// As --limit says; a run of one launch has some seconds in any case.
CheckOptions limitsOf(const Options &options);

/// The verdict on every launch, or on this one. What is proven can be printed too: what the printer
/// of CUDA C++ refuses is unsupported. A kernel by hand may be a protocol and no more: there it is
/// a note.
Verdict judge(const Loaded &loaded, bool thisLaunch = false, CheckOptions options = {});

/// The verdict on the launch at hand, for all that runs it; of every launch where no proof tells of
/// that alone: clusters that counters join.
Verdict judgeHere(const Loaded &loaded);

/// The verdict on what was refused before there was a program.
Verdict refusal(const Error &error);

/// The verdict on this launch that a run gives by what it met.
Verdict met(Violation violation);

/// Prints the one line of an error, with --json its verdict on stdout too; returns the exit code.
int refuse(const Error &error, const Options &options);
/// The same where the check, or the run, has come to a verdict.
int refuse(const Error &error, const Verdict &verdict, const Options &options);

/// Why the check did not prove the program at this launch; nothing: it did.
std::optional<Error> unproven(const Loaded &loaded);
/// The same of a verdict that is there already.
std::optional<Error> unproven(const Loaded &loaded, const Verdict &verdict);
/// Why the verdict is not one of every launch.
std::optional<Error> unprovenSomewhere(const Loaded &loaded, const Verdict &verdict);

} // namespace sluice::tool
