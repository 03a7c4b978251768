import type { Detection } from '../../model/detection.ts';
import { type LogEvent, type Severity, severitiesFrom } from '../../model/event.ts';
import { type ThreatLevel, threatLevels } from '../../model/posture.ts';
import type { Sighting, SightingSummary, Trails } from '../../model/sighting.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import { type Paged, readCursor, writeCursor } from './cursor.ts';
import type { RawRow } from './packed.ts';
import type { Question } from './queries.ts';
import { unpackDetection, unpackEvent, unpackPoint, unpackTrack } from './rows.ts';
import type { RawPage } from './selecting.ts';
import { serialKey, summaryOf, unpackSighting, unpackTrails, zoneKey } from './sighting_rows.ts';

const usualLimit = 200;
const mostRows = 1_000;
/** More tracks than a box ever holds; a bound for the answer at a restart. */
const mostTracks = 5_000;

/**
 * `sinceMs` is included, `untilMs` is not; both UTC milliseconds. `limit` is 200 unless given, at most 1 000. A null or
 * absent filter does not filter.
 */
export type PageQuery = {
  sinceMs?: number | null | undefined;
  untilMs?: number | null | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
};
export type TrackPointsQuery = PageQuery & {
  trackId: string;
  /** Returns at most the first point of each step of `stepS` seconds. */
  stepS?: number | null | undefined;
};
export type DetectionsQuery = PageQuery & {
  trackId?: string | null | undefined;
  sensorId?: string | null | undefined;
};
export type EventsQuery = PageQuery & {
  kind?: string | null | undefined;
  /** Least severity that is returned. */
  severity?: Severity | null | undefined;
  subjectId?: string | null | undefined;
  /** Only events of a higher number. */
  sinceSeq?: number | null | undefined;
};
export type SightingsQuery = PageQuery & {
  serial?: string | null | undefined;
  zoneId?: string | null | undefined;
  /** This highest level and those above it. */
  level?: ThreatLevel | null | undefined;
};
export type TrailsQuery = { sinceMs: number; untilMs: number; stepS: number; mostPoints: number; mostTracks: number };
/** `tracks` is the number of tracks in the span, of which those with a trail are given. */
export type StoredTrails = { stepS: number; tracks: number; trails: Trails['tracks'] };
export type LastTracksQuery = { sinceMs: number; trackId?: string | undefined };

/** `next` is the cursor of the page after, null on the last one. */
export type Page<T> = { rows: T[]; next: string | null };

/**
 * Questions to the history. Each sees every row appended before it was asked, unless the disk refuses rows. A stored
 * document that no longer reads is left out and counted. All reject with a Fault: `invalid_input` for a cursor that is not
 * one, `unavailable` where the history cannot answer.
 */
export type HistoryReader = {
  /** The oldest first. */
  trackPoints(query: TrackPointsQuery): Promise<Page<TrackPoint>>;
  /** The newest first. */
  detections(query: DetectionsQuery): Promise<Page<Detection>>;
  /** The newest first. */
  events(query: EventsQuery): Promise<Page<LogEvent>>;
  /** Tracks that were confirmed, the latest first seen first. */
  sightings(query: SightingsQuery): Promise<Page<Sighting>>;
  /** Summaries of at most 5 000 tracks seen since then, by their ids; for a restart. */
  lastSummaries(sinceMs: number, trackIds: readonly string[]): Promise<ReadonlyMap<string, SightingSummary>>;
  trails(query: TrailsQuery): Promise<StoredTrails>;
  /** The last document of each track seen since then, in no order; for a restart. */
  lastTracks(query: LastTracksQuery): Promise<Track[]>;
  /** The highest event number in the history, 0 where it has none; for the counter at a restart. */
  lastEventSeq(): Promise<number>;
};

type Ask = (question: Question) => Promise<RawPage>;

/** `onUnreadable` is told how many rows of an answer were left out; `provenance` is of the world whose history it is. */
export function createReader(
  ask: Ask,
  onUnreadable: (rows: number) => void,
  provenance: LogEvent['provenance'] = 'live',
): HistoryReader {
  function readable<T>(raw: readonly RawRow[], unpack: (row: RawRow) => T | null): T[] {
    const rows = raw.map(unpack).filter((row) => row !== null);
    if (rows.length < raw.length) onUnreadable(raw.length - rows.length);
    return rows;
  }

  async function page<T>(list: Paged, question: Question, unpack: (row: RawRow) => T | null): Promise<Page<T>> {
    const { rows, next } = await ask(question);
    return { rows: readable(rows, unpack), next: next === null ? null : writeCursor(list, next) };
  }

  return {
    async trackPoints(query) {
      const about = {
        about: 'points',
        trackId: query.trackId,
        stepMs: Math.max(0, (query.stepS ?? 0) * 1_000),
      } as const;
      return page('points', { ...about, ...paging('points', query) }, unpackPoint);
    },
    async detections(query) {
      const about = { about: 'detections', trackId: query.trackId ?? null, sensorId: query.sensorId ?? null } as const;
      return page('detections', { ...about, ...paging('detections', query) }, unpackDetection);
    },
    async events(query) {
      const { kind = null, severity, subjectId = null, sinceSeq = null } = query;
      const about = {
        about: 'events',
        kind,
        severities: severitiesFrom(severity ?? undefined),
        subjectId,
        sinceSeq,
      } as const;
      return page('events', { ...about, ...paging('events', query) }, (raw) => unpackEvent(raw, provenance));
    },
    async sightings(query) {
      const { serial, zoneId, level } = query;
      const keys = [...(serial ? [serialKey(serial)] : []), ...(zoneId ? [zoneKey(zoneId)] : [])];
      const least = level ? threatLevels.indexOf(level) : 0;
      const about = { about: 'sightings', keys, level: least } as const;
      return page('sightings', { ...about, ...paging('sightings', query) }, unpackSighting);
    },
    async lastSummaries(sinceMs, trackIds) {
      if (trackIds.length === 0) return new Map();
      const { rows } = await ask({ about: 'summaries', sinceMs, trackIds: trackIds.slice(0, mostTracks) });
      return new Map(
        rows.flatMap(([id, level, text]) => {
          const summary = summaryOf(level, text);
          return summary ? [[String(id), summary] as const] : [];
        }),
      );
    },
    async trails({ stepS, ...query }) {
      const { rows } = await ask({ about: 'trails', stepMs: Math.max(1, stepS * 1_000), ...query });
      return unpackTrails(rows);
    },
    async lastTracks({ sinceMs, trackId }) {
      const { rows } = await ask({ about: 'tracks', sinceMs, trackId: trackId ?? null, limit: mostTracks });
      return readable(rows, unpackTrack);
    },
    async lastEventSeq() {
      const { rows } = await ask({ about: 'last_seq' });
      return Number(rows[0]?.[0] ?? 0);
    },
  };
}

function paging(list: Paged, { sinceMs, untilMs, limit, cursor }: PageQuery) {
  return {
    sinceMs: sinceMs ?? Number.NEGATIVE_INFINITY,
    untilMs: untilMs ?? Number.POSITIVE_INFINITY,
    limit: Math.min(Math.max(1, Math.floor(limit ?? usualLimit)), mostRows),
    after: cursor === undefined || cursor === null ? null : readCursor(list, cursor),
  };
}
