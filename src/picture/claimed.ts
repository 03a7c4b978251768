import {
  type Affiliator,
  type Decision,
  type Judged,
  type Matched,
  unknownTrack,
  withSet,
} from '../model/affiliation.ts';
import type { Affiliation } from '../model/assignment.ts';
import { TRACK } from '../model/rows/layouts.ts';
import type { Track, TrackFlag } from '../model/track.ts';

/** Claimed identity of a track, and the decision about its affiliation. */
export type Claimed = {
  /**
   * Generation of the affiliator (the part that decides affiliations) at the last decision. A decision of an older
   * generation is made again.
   */
  generation: number;
  assetIds: readonly string[];
  place: Judged['place'];
  /** Integrity at the last decision. */
  integrity: Track['integrity'] | null;
  decision: Decision;
  /** Affiliation that a person set for this track; null if none is set. */
  set: Affiliation | null;
  /** Assets (by id) whose identity this track copies, and for which this copy was already published. */
  readonly published: Set<string>;
};

/**
 * Creates the `Claimed` of a track from its document. The affiliator's first decision is compared with the decision in
 * it.
 */
export function claimOf({ affiliation, affiliation_basis, asset_id, affiliation_set }: Track): Claimed {
  const isNobody = affiliation === 'unknown' && affiliation_basis === 'none' && asset_id === null;
  const decision = isNobody ? unknownTrack : { affiliation, affiliation_basis, asset_id, cloned: null };
  const set = affiliation_set?.affiliation ?? null;
  return { generation: -1, assetIds: [], place: null, integrity: null, decision, set, published: new Set() };
}

/** Returns the flags of a track, with `id_duplicate` if the track copies the identity of an asset (`cloned`). */
export function withMark(flags: readonly TrackFlag[], { cloned }: Decision): TrackFlag[] {
  return cloned && !flags.includes('id_duplicate') ? [...flags, 'id_duplicate'] : [...flags];
}

/**
 * Takes the position from a row. Allocates memory for the first position only, because it runs for each track several
 * times a second.
 */
export function moveTo(claimed: Claimed, row: Float64Array): void {
  const latDeg = row[TRACK.latDeg] ?? Number.NaN;
  if (Number.isNaN(latDeg)) {
    claimed.place = null;
    return;
  }
  claimed.place ??= { latDeg, lonDeg: 0, hM: 0, atMs: 0, receivedMs: 0 };
  const { place } = claimed;
  place.latDeg = latDeg;
  place.lonDeg = row[TRACK.lonDeg] ?? Number.NaN;
  place.hM = row[TRACK.majorM] ?? Number.NaN;
  place.atMs = row[TRACK.updatedMs] ?? Number.NaN;
  place.receivedMs = row[TRACK.lastSeenMs] ?? Number.NaN;
}

/** Identities and integrity of a track, from its description or its document. */
export type Published = {
  identities: readonly Matched[];
  integrity: Track['integrity'];
};

/**
 * Returns the new decision about a track; null if it is unchanged. Asks the affiliator only after a change of its
 * input, or if a matching asset has telemetry (`moves`).
 */
export function judge(
  claimed: Claimed,
  { identities, integrity }: Published,
  affiliator: Affiliator,
  nowMs: number,
): Decision | null {
  const isNews = claimed.generation !== affiliator.generation;
  if (isNews) {
    claimed.generation = affiliator.generation;
    claimed.assetIds = affiliator.match(identities);
  }
  const { assetIds, decision: was, place, set } = claimed;
  if (assetIds.length === 0 && set === null && was === unknownTrack) return null;
  if (!isNews && claimed.integrity === integrity && !affiliator.moves(assetIds)) return null;
  claimed.integrity = integrity;
  const duplicate = integrity.reasons.some(({ id }) => id === 'duplicate_identity');
  const judged = { suspect: integrity.verdict === 'suspect', duplicate, place };
  const byRegistry = assetIds.length === 0 ? unknownTrack : affiliator.decide(judged, assetIds, nowMs);
  claimed.decision = set === null ? byRegistry : withSet(set, judged, byRegistry);
  return isSame(was, claimed.decision) ? null : claimed.decision;
}

function isSame(a: Decision, b: Decision): boolean {
  const sameWord = a.affiliation === b.affiliation && a.affiliation_basis === b.affiliation_basis;
  return sameWord && a.asset_id === b.asset_id && a.cloned?.id === b.cloned?.id;
}
