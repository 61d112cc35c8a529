// What the tool knows of a kernel beyond its program, for the text it prints.
#pragma once

#include "Load.h"

#include "Diagnose/Check.h"
#include "Emit/Standalone.h"

namespace sluice::tool {

/// Header of the text: plan, verdict and assumptions, who arrives and waits.
EmitOptions notesFor(const Loaded &loaded, const Verdict &verdict);

/// --stamps, --cta, --checksums.
void addRecords(const Options &options, EmitOptions &emit);

/// Sizes, extents and reference of a kernel with a main.
Standalone standaloneFor(const Loaded &loaded);

} // namespace sluice::tool
