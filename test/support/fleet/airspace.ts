import type { LatLon } from '../../../src/geo/position.ts';
import type { Geometry, Position } from '../../../src/model/geometry.ts';
import type { Track } from '../../../src/model/track.ts';
import { type Zone, zoneSpecSchema } from '../../../src/model/zone.ts';
import { positionAt } from '../basics/place.ts';

const AT = '2026-05-01T12:00:00.000Z';
export const AT_MS = Date.parse(AT);
let made = 0;

/** A zone as the registry would hand it out. */
export function zone(of: Partial<Zone> & { geometry: Geometry }): Zone {
  const spec = zoneSpecSchema.parse({ name: 'Tower', kind: 'keep_out', geometry: of.geometry });
  const id = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
  return { ...spec, id, version: 1, created_at: AT, updated_at: AT, ...of };
}

type Flying = LatLon & { altHaeM?: number | null; courseDeg?: number; speedMps?: number; climbMps?: number };

/** A track that flies straight on, with its predicted places. */
export function track(flying: Flying, of: Partial<Track> = {}): Track {
  const { altHaeM = 100, courseDeg = 0, speedMps = 0, climbMps = 0 } = flying;
  const ahead = (inS: number) => {
    const { latDeg: lat, lonDeg: lon } = speedMps > 0 ? positionAt(flying, courseDeg, speedMps * inS) : flying;
    return { in_s: inS, lat, lon, alt_hae_m: altHaeM === null ? null : altHaeM + climbMps * inS, radius_m: inS };
  };
  const { latDeg: lat, lonDeg: lon } = flying;
  const heights = { alt_hae_m: altHaeM, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null };
  return {
    ...unheard,
    position: { lat, lon, ...heights },
    velocity: { speed_mps: speedMps, course_deg: courseDeg, climb_mps: climbMps },
    predicted: [5, 10, 20, 30].map(ahead),
    ...of,
  };
}

const unheard: Track = {
  ...{ id: '00000000-0000-4000-8000-00000000000a', number: 'T-0042', state: 'confirmed' },
  ...{ affiliation: 'unknown', affiliation_basis: 'none', asset_id: null },
  ...{ position: null, velocity: null, uncertainty: null, identities: [], classification: [] },
  ...{ cooperative: 'non_coop_only', operator: null, takeoff: null, status: null },
  integrity: { verdict: 'unchecked', score: 1, reasons: [] },
  ...{
    contributors: [],
    claims: [],
    lineage: [],
    flags: [],
    quality: 9,
    provenance: 'live',
    group_id: null,
    predicted: [],
  },
  ...{ first_seen_at: AT, last_seen_at: AT, updated_at: AT },
};

/** A square of so many metres from its middle to each side. */
export function square(middle: LatLon, halfM: number): Position[] {
  const corner = (azimuthDeg: number): Position => {
    const { latDeg, lonDeg } = positionAt(middle, azimuthDeg, halfM * Math.SQRT2);
    return [lonDeg, latDeg];
  };
  return [corner(45), corner(135), corner(225), corner(315), corner(45)];
}
