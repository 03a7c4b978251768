import { noHealth } from '../../../src/model/health.ts';
import type { OutletPicture } from '../../../src/outlet/views.ts';

/** A picture without tracks, as outlets read it. */
export const emptyPicture: OutletPicture = {
  tracks: () => [],
  track: () => undefined,
  threat: () => undefined,
  alerts: () => [],
  asset: () => null,
  sensor: () => null,
  zone: () => null,
  region: () => null,
  place: () => null,
  health: () => noHealth,
  sapientNodes: () => [],
  isClockTrusted: () => true,
};
