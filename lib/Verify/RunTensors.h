// The tensors of a canonical run: which elements an access touches, and who touched them before.
#pragma once

#include "Verify/GlobalMemory.h"
#include "Verify/RunOrder.h"

#include <map>
#include <tuple>

namespace sluice {

class RunTensors : public RunOrder {
public:
  explicit RunTensors(const RunLinks &links);

  bool accessTensor(Actor &a, const Stmt &s, const View &view, const Access &access, bool write,
                    bool reducing, const Strands &who, const Rows &rows);
  const std::vector<TensorHistory> &histories() const { return tensors_; }

private:
  friend class NormalForm;

  /// Elements of the tensor that a view touches; nothing: none.
  std::optional<Box> boxOf(const Actor &a, const Stmt &s, const View &part);
  /// What `now` does wrong with an earlier access of a tensor; true: nothing.
  bool fits(const Actor &a, const Stmt &s, int tensor, const Access &prior, bool priorWrites,
            const Access &now, bool writes, const Strands &who);
  bool isFit(const Actor &a, const Access &prior, bool priorWrites, const Access &now, bool writes,
             const Strands &who) const;
  /// An input in whose place an output may be written: all reads come before the writes.
  bool isReadBefore(int tensor) const { return context_.memory[tensor] != tensor; }
  void readTooLate(const Actor &a, const Stmt &s, const Access &prior, int tensor);
  /// Looks up whether an access of a tensor comes after all earlier ones of those it is asked
  /// about.
  void follow(const Actor &a, const Stmt &s, const View &view, const Box &box, const Access &now,
              bool writes, const Strands &who);
  bool isStill(const View &view) const;

  std::vector<TensorHistory> tensors_;
  /// The last accesses of statements of Context::asked: all earlier ones of their strands end
  /// before.
  struct Last {
    Access access;
    Box box;
    bool writes;
    int tensor;
    const View *view;
    int32_t path; // of the iteration that it was in
  };
  std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, Last> last_;
};

} // namespace sluice
