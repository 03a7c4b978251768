import { type Affiliator, type Decision, type Judged, unknownTrack } from '../model/affiliation.ts';
import type { Identity } from '../model/observation.ts';
import type { Track, TrackFlag } from '../model/track.ts';
import { COLUMN } from '../model/track_row.ts';

/** Whom a track claims to be, and what was found of it. */
export type Claimed = {
  /** Of the affiliator's answer; another one makes it ask again. */
  generation: number;
  assetIds: readonly string[];
  place: Judged['place'];
  /** As it was when it was judged last. */
  integrity: Track['integrity'] | null;
  decision: Decision;
  /** The assets of which it was told that this is not one. */
  readonly told: Set<string>;
};

/** What a document says already, as after a restart, is where the next answer is held against. */
export function claimOf({ affiliation, affiliation_basis, asset_id }: Track): Claimed {
  const isNobody = affiliation === 'unknown' && affiliation_basis === 'none' && asset_id === null;
  const decision = isNobody ? unknownTrack : { affiliation, affiliation_basis, asset_id, cloned: null };
  return { generation: -1, assetIds: [], place: null, integrity: null, decision, told: new Set() };
}

/** The flags of a track: one that carries the key of an asset it is not is marked. */
export function withMark(flags: readonly TrackFlag[], { cloned }: Decision): TrackFlag[] {
  return cloned && !flags.includes('id_duplicate') ? [...flags, 'id_duplicate'] : [...flags];
}

/** Takes over where the core's row has it. Asked for each track several times a second: nothing is made anew. */
export function moveTo(claimed: Claimed, row: Float64Array): void {
  const latDeg = row[COLUMN.lat] ?? Number.NaN;
  if (Number.isNaN(latDeg)) {
    claimed.place = null;
    return;
  }
  claimed.place ??= { latDeg, lonDeg: 0, hM: 0, atMs: 0, heardMs: 0 };
  const { place } = claimed;
  place.latDeg = latDeg;
  place.lonDeg = row[COLUMN.lon] ?? Number.NaN;
  place.hM = row[COLUMN.majorM] ?? Number.NaN;
  place.atMs = row[COLUMN.updatedMs] ?? Number.NaN;
  place.heardMs = row[COLUMN.lastSeenMs] ?? Number.NaN;
}

/** What a track tells of itself, as its card or its document has it. */
export type Told = {
  identities: readonly Pick<Identity, 'type' | 'value'>[];
  integrity: Track['integrity'];
};

/** Who the track is now; null where it is still who it was. What nothing has changed of is not asked about again. */
export function judge(
  claimed: Claimed,
  { identities, integrity }: Told,
  affiliator: Affiliator,
  nowMs: number,
): Decision | null {
  const isNews = claimed.generation !== affiliator.generation;
  if (isNews) {
    claimed.generation = affiliator.generation;
    claimed.assetIds = affiliator.match(identities);
  }
  const { assetIds, decision: was, place } = claimed;
  if (assetIds.length === 0 && was === unknownTrack) return null;
  if (!isNews && claimed.integrity === integrity && !affiliator.moves(assetIds)) return null;
  claimed.integrity = integrity;
  const duplicate = integrity.reasons.some(({ id }) => id === 'duplicate_identity');
  const judged = { suspect: integrity.verdict === 'suspect', duplicate, place };
  claimed.decision = assetIds.length === 0 ? unknownTrack : affiliator.decide(judged, assetIds, nowMs);
  return isSame(was, claimed.decision) ? null : claimed.decision;
}

function isSame(a: Decision, b: Decision): boolean {
  const sameWord = a.affiliation === b.affiliation && a.affiliation_basis === b.affiliation_basis;
  return sameWord && a.asset_id === b.asset_id && a.cloned?.id === b.cloned?.id;
}
