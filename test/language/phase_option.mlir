// RUN: sluice-opt %s -sluice-verify-phase=phase=allocated -verify-diagnostics
// The option takes the place of the phase that the kernel states.
sluice.kernel @k() attributes {phase = "barrier"} {
  // expected-error @+1 {{'sluice.mbarrier.alloc' op has no offset in phase 'allocated'; write `at`}}
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
}
