#include "sluice/PipelineClc.h"

#include "Language/Recorder.h"

using namespace mlir;

namespace sluice::lang {

PipelineClcFetchAsync::PipelineClcFetchAsync(KernelBuilder &k, const std::string &name,
                                             const LoopOptions &stages, SourceLocation at)
    : k_(&k), response_(k.shared(i32, {1, 4}, name + "_response", {}, at)),
      ring_(k.pipeline(name, stages, {response_}, {}, at)) {
  k.recorder().kernel().setTarget(StringRef(sluice::name(Target::sm_100a)));
}

RequestProducer PipelineClcFetchAsync::producer(SourceLocation at) const {
  return {*k_, ring_.producer(at), response_};
}
RequestConsumer PipelineClcFetchAsync::consumer(SourceLocation at) const {
  return {*k_, ring_.consumer(at), response_};
}

void RequestProducer::ask(SourceLocation at) {
  auto &r = k_->recorder();
  end_.acquire(at);
  Value slot = r.open(at) ? r.use(response_[{end_, at}].handle(), at) : Value();
  if (!slot)
    return;
  ir::ClcTryCancelOp::create(r.builder, r.at(at), slot, Value(), Value(), /*multicast=*/false,
                             ir::Exec::one);
  end_.commit(at);
  end_.advance(1, at);
}

void RequestProducer::tail(SourceLocation at) {
  end_.tail(at);
}

Next RequestConsumer::take(SourceLocation at) {
  auto &r = k_->recorder();
  end_.wait(at);
  Value slot = r.open(at) ? r.use(response_[{end_, at}].handle(), at) : Value();
  if (!slot)
    return {Index(r.poison()) >= 0, Index(r.poison())};
  Value read = ir::ClcQueryOp::create(r.builder, r.at(at), r.builder.getIndexType(), slot);
  end_.release(at);
  end_.advance(1, at);
  Index number = k_->uniform(Index(r.handleOf(read)), at);
  return {number >= 0, number};
}

} // namespace sluice::lang
