import type { Seeing, SensorValue } from '../../core/tracking/settings.ts';
import type { Site, SiteSensor } from './site.ts';

/** Elevation limits of a sensor for which the site gives none. */
const ELEVATION_DEG = [-5, 60] as const;

/** The sensors of a site, numbered in their order there. */
export function sensorsOf(site: Site): SensorValue[] {
  return Object.entries(site.sensors).map(([id, sensor], index) => ({ index, id, ...viewOf(sensor) }));
}

function viewOf(sensor: SiteSensor): Omit<SensorValue, 'index' | 'id'> {
  if (sensor.kind === 'pos') return { cooperative: true, placement: null, seeing: null };
  const placement = { latDeg: sensor.lat, lonDeg: sensor.lon, altHaeM: sensor.alt };
  return { cooperative: false, placement, seeing: seeingOf(sensor) };
}

function seeingOf(sensor: Exclude<SiteSensor, { kind: 'pos' }>): Seeing {
  const isRadar = sensor.kind === 'polar3d' || sensor.kind === 'polar2d';
  const [from, to] = sensor.az_fov ?? [0, 360];
  // A sector may run over north.
  const azimuthWidthDeg = to >= from ? Math.min(360, to - from) : to - from + 360;
  return {
    ranges: isRadar,
    covers: sensor.kind !== 'bearing',
    detection: sensor.pd,
    clutterPerScan: sensor.clutter_per_scan,
    rangeM: [0, sensor.range_max],
    azimuthDeg: azimuthWidthDeg === 360 ? 0 : (((from + azimuthWidthDeg / 2) % 360) + 360) % 360,
    azimuthWidthDeg,
    elevationDeg: sensor.el_fov ?? ELEVATION_DEG,
    clutterRangeM: sensor.clutter_range ?? null,
    clutterElevationDeg: sensor.clutter_el ?? null,
    periodS: sensor.period,
    rotating: sensor.rotating ?? false,
  };
}
