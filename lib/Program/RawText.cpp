#include "Program/RawText.h"

#include <algorithm>
#include <cctype>

namespace sluice {
namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool startsName(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

/// Past the name that starts at `at`.
size_t endOfName(const std::string &text, size_t at) {
  while (at < text.size() && (startsName(text[at]) || (text[at] >= '0' && text[at] <= '9')))
    ++at;
  return at;
}

std::string listed(const RawOperands &operands) {
  std::vector<std::string> all = operands.writes;
  for (const std::string &name : operands.reads)
    if (!contains(all, name))
      all.push_back(name);
  std::string text;
  for (const std::string &name : all)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

} // namespace

std::vector<RawPiece> rawPieces(const std::string &text) {
  std::vector<RawPiece> pieces;
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    const bool writes = text.compare(at, 2, "$=") == 0;
    const size_t name = at + (writes ? 2 : 1);
    if (text.compare(at, 2, "$$") == 0) {
      plain += '$';
      at += 2;
    } else if (text[at] != '$' || name >= text.size() || !startsName(text[name])) {
      plain += text[at++];
    } else {
      if (!plain.empty())
        pieces.push_back({std::move(plain)});
      plain.clear();
      at = endOfName(text, name);
      pieces.push_back({text.substr(name, at - name), true, writes});
    }
  }
  if (!plain.empty())
    pieces.push_back({std::move(plain)});
  return pieces;
}

std::string rawFault(const std::string &text, const RawOperands &operands) {
  std::vector<std::string> written, read;
  for (const RawPiece &p : rawPieces(text)) {
    if (!p.operand)
      continue;
    const bool writes = contains(operands.writes, p.text), reads = contains(operands.reads, p.text);
    const std::string mark = (p.writes ? "$=" : "$") + p.text;
    if (!writes && !reads)
      return mark + " is no operand; there are: " + listed(operands);
    if (p.writes && !writes)
      return mark + " writes an operand that is declared as read only; name it in outs too";
    if (!p.writes && !reads)
      return mark +
             " reads an operand that is declared as written only; name it in ins too, or "
             "write $=" +
             p.text;
    (p.writes ? written : read).push_back(p.text);
  }
  for (const std::string &name : operands.writes)
    if (!contains(written, name))
      return "the text never writes '" + name + "' ($=" + name + "), which it declares";
  for (const std::string &name : operands.reads)
    if (!contains(read, name) && !contains(written, name))
      return "the text never reads '" + name + "' ($" + name + "), which it declares";
  return "";
}

} // namespace sluice
