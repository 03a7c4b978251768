import type { Site } from '../../../src/cli/track/site.ts';

const looks = { lat: 10, lon: 20, alt: 100, period: 1, pd: 0.9, clutter_per_scan: 3, range_max: 5_000 };

/** A site with a sensor of each kind. */
export const site: Site = {
  name: 'made up',
  duration_s: 2,
  origin: { lat: 10, lon: 20, alt_hae: 90 },
  sensors: {
    tower: {
      type: 'radar',
      kind: 'polar3d',
      ...looks,
      el_fov: [-2, 40],
      clutter_range: [100, 4_000],
      clutter_el: [0, 10],
      rotating: true,
    },
    flat: { type: 'radar', kind: 'polar2d', ...looks },
    eye: { type: 'eo', kind: 'azel', ...looks, az_fov: [350, 30] },
    ear: { type: 'rf', kind: 'bearing', ...looks, az_fov: null },
    rid: { type: 'rid', kind: 'pos' },
    telemetry: { type: 'mavlink', kind: 'pos' },
    squitter: { type: 'adsb', kind: 'pos' },
  },
};
