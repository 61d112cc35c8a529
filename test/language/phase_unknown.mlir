// RUN: sluice-opt %s -sluice-verify-phase=phase=tiles -verify-diagnostics
// expected-error @+1 {{'sluice.kernel' op unknown phase 'tiles'; one of tile, placed, pipeline, barrier, allocated}}
sluice.kernel @k() {
  sluice.epoch
}
