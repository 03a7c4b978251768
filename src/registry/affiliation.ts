import type { LatLon } from '../geo/position.ts';
import { metresApart } from '../geo/sphere.ts';
import { type Decision, gravities, type Judged, unknownTrack } from '../model/affiliation.ts';
import type { Affiliation } from '../model/assignment.ts';

/**
 * Limits of the decision config: the age up to which telemetry counts, ms, and the distance within which it agrees with
 * a track, m.
 */
export type Agreement = { freshMs: number; agreesM: number };
/**
 * Number of the track's standard deviations that are added to the distance of agreement. Only a track beyond the sum
 * contradicts telemetry.
 */
const DOUBT_SIGMAS = 3;
/** Age up to which a track may contradict telemetry, ms; the position of an older track is only a prediction. */
const RECEIVED_WITHIN_MS = 2_000;

/** Time after the loss of its position fix in which a vehicle lands or returns by other means, ms. */
const WITHOUT_FIX_MS = 300_000;

/** Facts about an asset whose key a track reports. */
export type Known = {
  id: string;
  name: string;
  /** True if the asset belongs to the own force: it is a friend even without an assignment. */
  force: boolean;
  /** Affiliation of the asset's active assignment; null without one. */
  assigned: Affiliation | null;
  /** True if the vehicle has ever sent telemetry over a link that proves its sender. */
  speaks: boolean;
  /**
   * Last telemetry of the vehicle, received at `receivedMs`; null without telemetry. `at` extrapolates its position to
   * another time.
   */
  telemetry: {
    receivedMs: number;
    at(timeMs: number): LatLon;
    /** True if the vehicle is still received over a link that proves its sender, but reports no position fix. */
    isWithoutFix: boolean;
  } | null;
};

/**
 * Decides the affiliation of a track from the assets whose keys it reports. A key makes the track a friend only while
 * nothing contradicts the key. Only a person can make a track hostile. If there are several assets, the most hostile
 * decision applies; a cloned key ranks between unknown and hostile.
 */
export function decide(track: Judged, known: readonly Known[], nowMs: number, within: Agreement): Decision {
  let decided: Decision | null = null;
  for (const asset of known) {
    const next = ofOne(track, asset, nowMs, within);
    if (!decided || gravity(next) > gravity(decided)) decided = next;
  }
  return decided ?? unknownTrack;
}

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

/**
 * Compares a track with the telemetry of an asset. Telemetry counts only if it is fresh and of nearly the same time as
 * the track. A vehicle that reports no position fix is compared for longer (`staysAt`). The result `silent` means that
 * nothing can be said.
 */
function agreementOf(
  { place }: Judged,
  { telemetry }: Known,
  nowMs: number,
  { freshMs, agreesM }: Agreement,
): 'agrees' | 'contradicts' | 'silent' {
  if (!telemetry || !place) return 'silent';
  const ageMs = nowMs - telemetry.receivedMs;
  if (ageMs > freshMs && telemetry.isWithoutFix && ageMs <= WITHOUT_FIX_MS) return staysAt(place, telemetry, agreesM);
  if (ageMs > freshMs) return 'silent';
  if (Math.abs(place.atMs - telemetry.receivedMs) > freshMs) return 'silent';
  const apartM = metresApart(place, telemetry.at(place.atMs));
  if (apartM <= agreesM) return 'agrees';
  const isReceived = place.atMs - place.receivedMs <= RECEIVED_WITHIN_MS;
  return isReceived && apartM > agreesM + DOUBT_SIGMAS * place.hM ? 'contradicts' : 'silent';
}

/**
 * Compares a track with a vehicle that reports no position fix. The track counts as the vehicle until another source
 * reports a different position.
 */
function staysAt(
  place: NonNullable<Judged['place']>,
  telemetry: NonNullable<Known['telemetry']>,
  agreesM: number,
): 'agrees' | 'silent' {
  if (place.receivedMs <= telemetry.receivedMs) return 'agrees';
  return metresApart(place, telemetry.at(place.atMs)) <= agreesM ? 'agrees' : 'silent';
}
