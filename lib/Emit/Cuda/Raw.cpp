// Raw text: as the author wrote it, in braces, behind names for its operands. A tile in shared
// memory is its address there (u32), a tile in registers the object, a scalar an int.
#include "Emit/Cuda/Printer.h"
#include "Program/RawText.h"
#include "Program/Sharing.h"

#include <algorithm>

namespace sluice::cuda {

/// "raw text: writes c (f16 64 x 64), reads a (f16 64 x 64 sw128), n; by the async proxy".
std::string RawPrinter::declaration(const Raw &o) const {
  std::string text = "// raw text:";
  const auto views = operandsOf(o);
  for (size_t i = 0; i < o.names.size(); ++i) {
    const bool first = i == 0 || i == o.writes.size();
    text += first ? (i < o.writes.size() ? " writes " : i ? ", reads " : " reads ") : ", ";
    text += o.names[i];
    if (i >= views.size())
      continue;
    const View &v = *views[i];
    const Buffer &b = program_.buffers[v.object];
    text += " (" + std::string(name(b.type)) + " " + number(v.shape[0]) + " x " +
            number(v.shape[1]) + " " + std::string(name(b.layout)) + ")";
  }
  return text + (o.divided ? "; every warp its rows" : "") +
         (o.async ? "; by the async proxy" : "");
}

/// What the name of a tile stands for.
std::string RawPrinter::reference(const View &v, const std::string &name) {
  const Buffer &b = program_.buffers[v.object];
  if (v.transposed) {
    fail("raw text takes " + b.name + " as it lies; leave out the transposition");
    return "";
  }
  if (b.space == Space::reg) {
    const auto tile = registerTile(v);
    if (tile && !tile->whole())
      fail("raw text takes register tiles whole, and " + b.name + " is cut");
    return tile ? "auto &" + name + " = " + tile->name + ";" : "";
  }
  const std::string address = parts_.tma.copyAddress(b, v);
  if (address.empty())
    fail("the part of " + b.name +
         " for raw text must start at a whole chunk of its swizzle and a "
         "multiple of 8 lines");
  return "const u32 " + name + " = " + address + ";";
}

/// Prints the names; yields what each operand is called here.
std::vector<std::string> RawPrinter::nameOperands(const Raw &o) {
  std::vector<std::string> names;
  const auto views = operandsOf(o);
  for (size_t i = 0; i < o.names.size(); ++i) {
    const auto same = std::find(o.names.begin(), o.names.end(), o.names[i]) - o.names.begin();
    if (size_t(same) < i) { // written and read
      names.push_back(names[same]);
      continue;
    }
    names.push_back(names_.take(o.names[i]));
    const std::string &name = names.back();
    if (i >= views.size() && ranges_.isWide(o.scalars[i - views.size()]))
      fail("raw text takes scalars of 32 bits, and " + name + " may not fit them");
    out().line(i < views.size()
                   ? reference(*views[i], name)
                   : "const int " + name + " = " + text(o.scalars[i - views.size()]) + ";");
  }
  return names;
}

/// What stands for the text in host mode.
static std::string hostCall(const Raw &o, const std::vector<std::string> &names) {
  std::string list, operands;
  for (size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + int64_t(i), names[i]) ==
        names.begin() + int64_t(i)) {
      list += (list.empty() ? "" : ", ") + o.names[i];
      operands += ", " + names[i];
    }
  return "rawText(\"" + list + "\"" + operands + ");";
}

void RawPrinter::raw(const Raw &o) {
  out().line(declaration(o));
  out().open("{");
  const auto scope = names_.mark();
  const std::vector<std::string> names = nameOperands(o);
  out().verbatim("#ifndef SLUICE_HOST");
  std::string body;
  for (const RawPiece &p : rawPieces(o.text))
    body += p.operand ? names[std::find(o.names.begin(), o.names.end(), p.text) - o.names.begin()]
                      : p.text;
  for (size_t at = 0; at <= body.size();) {
    const size_t end = std::min(body.find('\n', at), body.size());
    if (end > at || end < body.size())
      out().verbatim(std::string_view(body).substr(at, end - at));
    at = end + 1;
  }
  out().verbatim("#else");
  out().line(hostCall(o, names));
  out().verbatim("#endif");
  names_.release(scope);
  out().close();
}

} // namespace sluice::cuda
