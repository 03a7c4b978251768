import type { Placement } from '../../../model/sensor.ts';
import { normaliseDeg } from '../../../model/units.ts';
import type { StatusReport } from '../../wire/sapient/message.ts';
import type { SapientPart } from '../../wire/sapient/schema.ts';
import { visible } from '../../wire/sapient/visible.ts';
import type { SelfTrouble } from '../sensor_row.ts';
import { bearingUnits, northOf } from './bearing.ts';
import { readPlace } from './location.ts';
import { within } from './units.ts';

type Cone = SapientPart<'RangeBearingCone'>;

const MOST_REASONS = 8;
const MOST_TEXT = 200;
const MOST_RANGE_M = 1_000_000;
/**
 * Steps per degree to which a node's position is rounded, about 1 m each. Noise in the last digits of a satellite
 * receiver thus does not move a fixed node.
 */
const PLACE_STEP = 1e5;

const stateOf = { WARNING: 'degraded', ERROR: 'fault', GOODBYE: 'off' } as const;
const sayingOf = {
  degraded: 'the node of this sensor reports a warning',
  fault: 'the node of this sensor reports an error',
  off: 'the node of this sensor has signed off',
} as const;

/**
 * Returns the state that a status report gives its node, with the report's texts as reasons. Without texts, or if the
 * node signs off, the reason is a fixed sentence. Null if the node is well or states no condition.
 */
export function troubleOf({ system, status = [] }: StatusReport): SelfTrouble | null {
  if (system === 'OK' || system === 'UNSPECIFIED') return null;
  const state = stateOf[system];
  const texts = status.map(({ status_type, status_value }) => {
    const type = status_type.toLowerCase().replaceAll('_', ' ');
    const value = visible(status_value, MOST_TEXT);
    return value === '' ? type : `${type}: ${value}`;
  });
  const [reason = sayingOf[state], ...more] = state === 'off' ? [] : texts.slice(0, MOST_REASONS);
  return { state, reason, more };
}

/** Returns position and coverage of a node from its status report; null if it has no valid position. */
export function placementOf(report: StatusReport, zone: string): Placement | null {
  const { node_location, field_of_view, coverage = [] } = report;
  if (node_location === undefined) return null;
  const place = readPlace(node_location, { zone, near: null });
  if (place === null) return null;
  const cone = field_of_view?.range_bearing ?? coverage.flatMap(({ range_bearing }) => range_bearing ?? [])[0];
  return {
    lat: stepped(place.latDeg),
    lon: stepped(place.lonDeg),
    ...(place.altHaeM === null ? {} : { alt_hae_m: Math.round(place.altHaeM * 10) / 10 }),
    ...(place.sigmaHM === null ? {} : { sigma_m: place.sigmaHM }),
    ...(cone === undefined ? {} : coverageOf(cone)),
  };
}

/**
 * Converts a cone to coverage. A cone whose azimuth is not from true north is left out, since its direction would be
 * wrong.
 */
function coverageOf(cone: Cone): Partial<Placement> {
  if (typeof northOf(cone, null) === 'string') return {};
  const { degrees, metres } = bearingUnits(cone);
  const angle = (value: number | undefined, least: number, most: number): number | null =>
    within(value === undefined ? undefined : value * degrees, least, most);
  const azimuth = angle(cone.azimuth, -360, 360);
  const width = angle(cone.horizontal_extent, 1e-6, 360);
  const elevation = angle(cone.elevation, -90, 90);
  const height = angle(cone.vertical_extent, 1e-6, 180);
  const range = within(cone.range === undefined ? undefined : cone.range * metres, 1e-3, MOST_RANGE_M);
  // A sector without a central direction is no coverage.
  if (width !== null && width < 360 && azimuth === null) return {};
  return {
    ...(azimuth === null ? {} : { azimuth_deg: normaliseDeg(azimuth) }),
    ...(width === null ? {} : { hfov_deg: width }),
    ...(elevation === null ? {} : { elevation_deg: elevation }),
    ...(height === null ? {} : { vfov_deg: height }),
    ...(range === null ? {} : { max_range_m: range }),
  };
}

function stepped(degrees: number): number {
  return Math.round(degrees * PLACE_STEP) / PLACE_STEP;
}
