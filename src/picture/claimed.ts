import { type Affiliator, type Decision, type Judged, unknownTrack } from '../model/affiliation.ts';
import type { Track, TrackFlag } from '../model/track.ts';
import { COLUMN } from '../model/track_row.ts';

/** Whom a track claims to be, and what was found of it. */
export type Claimed = {
  /** Of the affiliator's answer; another one makes it ask again. */
  generation: number;
  assetIds: readonly string[];
  place: Judged['place'];
  decision: Decision;
  /** The assets of which it was told that this is not one. */
  readonly told: Set<string>;
};

/** What a document says already, as after a restart, is where the next answer is held against. */
export function claimOf({ affiliation, affiliation_basis, asset_id }: Track): Claimed {
  const isNobody = affiliation === 'unknown' && affiliation_basis === 'none' && asset_id === null;
  const decision = isNobody ? unknownTrack : { affiliation, affiliation_basis, asset_id, cloned: null };
  return { generation: -1, assetIds: [], place: null, decision, told: new Set() };
}

/** The flags of a track: one that carries the key of an asset it is not is marked. */
export function withMark(flags: readonly TrackFlag[], { cloned }: Decision): TrackFlag[] {
  return cloned && !flags.includes('id_duplicate') ? [...flags, 'id_duplicate'] : [...flags];
}

/** Where the core's row has it. */
export function placeOf(row: Float64Array): Judged['place'] {
  const at = (column: number): number => row[column] ?? Number.NaN;
  const [latDeg, lonDeg, hM] = [at(COLUMN.lat), at(COLUMN.lon), at(COLUMN.majorM)];
  if (Number.isNaN(latDeg)) return null;
  return { latDeg, lonDeg, hM, atMs: at(COLUMN.updatedMs), heardMs: at(COLUMN.lastSeenMs) };
}

/** Who the track is now; null where it is still who it was. What claims to be nobody is not asked about again. */
export function judge(claimed: Claimed, document: Track, affiliator: Affiliator, nowMs: number): Decision | null {
  if (claimed.generation !== affiliator.generation) {
    claimed.generation = affiliator.generation;
    claimed.assetIds = affiliator.match(document.identities);
  }
  const { assetIds, decision: was, place } = claimed;
  if (assetIds.length === 0 && was === unknownTrack) return null;
  const { verdict, reasons } = document.integrity;
  const duplicate = reasons.some(({ id }) => id === 'duplicate_identity');
  const judged = { suspect: verdict === 'suspect', duplicate, place };
  claimed.decision = assetIds.length === 0 ? unknownTrack : affiliator.decide(judged, assetIds, nowMs);
  return isSame(was, claimed.decision) ? null : claimed.decision;
}

function isSame(a: Decision, b: Decision): boolean {
  const sameWord = a.affiliation === b.affiliation && a.affiliation_basis === b.affiliation_basis;
  return sameWord && a.asset_id === b.asset_id && a.cloned?.id === b.cloned?.id;
}
