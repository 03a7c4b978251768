import { type Decision, type Judged, unknownTrack } from '../model/affiliation.ts';
import type { Affiliation } from '../model/assignment.ts';

/** Telemetry is fresh for so long, and agrees with a track within so far: the `identity` of the decision config. */
export type Agreement = { freshMs: number; agreesM: number };
/** Between agreeing and contradicting lies what a track's own error allows, at so many standard deviations. */
const DOUBT_SIGMAS = 3;
/** A track that was neither heard nor seen for so long flies on in the computer alone: it contradicts nobody. */
const HEARD_WITHIN_MS = 2_000;

/** A vehicle that lost its fix lands or comes home by other means within so long. */
const WITHOUT_FIX_MS = 300_000;

type Place = { latDeg: number; lonDeg: number };

/** What is known of an asset whose key a track is heard by. */
export type Known = {
  id: string;
  name: string;
  /** Whether its membership alone claims that it is a friend. */
  force: boolean;
  /** What the active assignment says. */
  assigned: Affiliation | null;
  /** It has sent telemetry of its own at some time. */
  speaks: boolean;
  /** Where its telemetry, heard at `heardMs`, puts it at another time; null where none is kept. */
  telemetry: {
    heardMs: number;
    at(timeMs: number): Place;
    /** It speaks still, over a link that proves it, and has no fix. */
    isWithoutFix: boolean;
  } | null;
};

/**
 * Who a track is, of the assets whose keys it is heard by. A key is a claim: it makes a friend only while nothing
 * contradicts it. Nobody is hostile unless a person said so. Of several, the worst that is said of one holds.
 */
export function decide(track: Judged, known: readonly Known[], nowMs: number, within: Agreement): Decision {
  let decided: Decision | null = null;
  for (const asset of known) {
    const next = ofOne(track, asset, nowMs, within);
    if (!decided || gravity(next) > gravity(decided)) decided = next;
  }
  return decided ?? unknownTrack;
}

const gravities: Record<Affiliation, number> = { friend: 0, neutral: 1, unknown: 2, hostile: 4 };

function gravity({ affiliation, cloned }: Decision): number {
  return cloned ? 3 : gravities[affiliation];
}

function ofOne(track: Judged, asset: Known, nowMs: number, within: Agreement): Decision {
  const { id: asset_id, name, assigned, force, speaks } = asset;
  const held = assigned ?? (force ? 'friend' : 'unknown');
  const said = { affiliation: held, asset_id, cloned: null };
  if (held !== 'friend') return { ...said, affiliation_basis: assigned === null ? 'none' : 'assignment' };
  const agreement = agreementOf(track, asset, nowMs, within);
  if (track.suspect || agreement === 'contradicts' || (track.duplicate && agreement !== 'agrees')) {
    return { ...unknownTrack, cloned: { id: asset_id, name } };
  }
  if (assigned !== null) return { ...said, affiliation_basis: 'assignment' };
  if (agreement === 'agrees') return { ...said, affiliation_basis: 'telemetry' };
  return speaks ? { ...unknownTrack, asset_id } : { ...said, affiliation_basis: 'remote_id' };
}

/** Whether the asset's own telemetry bears the track out: only what is fresh, and of the same moment, says anything. */
function agreementOf(
  { place }: Judged,
  { telemetry }: Known,
  nowMs: number,
  { freshMs, agreesM }: Agreement,
): 'agrees' | 'contradicts' | 'silent' {
  if (!telemetry || !place) return 'silent';
  const ageMs = nowMs - telemetry.heardMs;
  if (ageMs > freshMs && telemetry.isWithoutFix && ageMs <= WITHOUT_FIX_MS) return staysAt(place, telemetry, agreesM);
  if (ageMs > freshMs) return 'silent';
  if (Math.abs(place.atMs - telemetry.heardMs) > freshMs) return 'silent';
  const apartM = metresBetween(place, telemetry.at(place.atMs));
  if (apartM <= agreesM) return 'agrees';
  const isHeard = place.atMs - place.heardMs <= HEARD_WITHIN_MS;
  return isHeard && apartM > agreesM + DOUBT_SIGMAS * place.hM ? 'contradicts' : 'silent';
}

/** Of a vehicle that speaks without a place: the track is its own as long as nobody else sees it, or sees it there. */
function staysAt(
  place: NonNullable<Judged['place']>,
  telemetry: NonNullable<Known['telemetry']>,
  agreesM: number,
): 'agrees' | 'silent' {
  if (place.heardMs <= telemetry.heardMs) return 'agrees';
  return metresBetween(place, telemetry.at(place.atMs)) <= agreesM ? 'agrees' : 'silent';
}

const EARTH_M = 6_371_008.8;

/** Great-circle distance (haversine, mean radius): within 0.6 % of the ellipsoid, for a threshold of 100 m. */
function metresBetween(a: Place, b: Place): number {
  const rad = Math.PI / 180;
  const dLat = Math.sin(((b.latDeg - a.latDeg) * rad) / 2);
  const dLon = Math.sin(((b.lonDeg - a.lonDeg) * rad) / 2);
  const chord = dLat * dLat + Math.cos(a.latDeg * rad) * Math.cos(b.latDeg * rad) * dLon * dLon;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}
