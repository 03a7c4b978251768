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
/** Limit of the tracks that `lastTracks` and `lastSummaries` return. */
const mostTracks = 5_000;

/**
 * Query of one page. Times are UTC, ms; `sinceMs` is inclusive, `untilMs` exclusive. `limit` is 200 by default and at
 * most 1 000. A filter that is null or absent does not apply.
 */
export type PageQuery = {
  sinceMs?: number | null | undefined;
  untilMs?: number | null | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
};
export type TrackPointsQuery = PageQuery & {
  trackId: string;
  /** Length of a step, s: only the first point in each step is returned. Null, 0 or absent returns all points. */
  stepS?: number | null | undefined;
};
export type DetectionsQuery = PageQuery & {
  trackId?: string | null | undefined;
  sensorId?: string | null | undefined;
};
export type EventsQuery = PageQuery & {
  kind?: string | null | undefined;
  /** Lowest severity that is returned. */
  severity?: Severity | null | undefined;
  subjectId?: string | null | undefined;
  /** Event number; only events with a higher number are returned. */
  sinceSeq?: number | null | undefined;
};
export type SightingsQuery = PageQuery & {
  serial?: string | null | undefined;
  zoneId?: string | null | undefined;
  /** Threat level; only sightings that reached at least this level are returned. */
  level?: ThreatLevel | null | undefined;
};
export type TrailsQuery = { sinceMs: number; untilMs: number; stepS: number; mostPoints: number; mostTracks: number };
/**
 * Trails in a period. `tracks` is the number of confirmed tracks in the period; `trails` contains at most `mostTracks`
 * of them.
 */
export type StoredTrails = { stepS: number; tracks: number; trails: Trails['tracks'] };
export type LastTracksQuery = { sinceMs: number; trackId?: string | undefined };

/** One page. `next` is the cursor of the next page; null on the last page. */
export type Page<T> = { rows: T[]; next: string | null };

/**
 * Queries of the history. A query sees every row that was appended before it, unless the disk refuses writes. Stored
 * documents that cannot be parsed are left out; those of trails and summaries are not counted. All queries reject with
 * a Fault: `invalid_input` for an invalid cursor, `unavailable` if the history cannot answer.
 */
export type HistoryReader = {
  /** Returns points of a track, the oldest first. */
  trackPoints(query: TrackPointsQuery): Promise<Page<TrackPoint>>;
  /** Returns detections, the newest first. */
  detections(query: DetectionsQuery): Promise<Page<Detection>>;
  /** Returns events, the newest first. */
  events(query: EventsQuery): Promise<Page<LogEvent>>;
  /** Returns tracks that were ever confirmed, the latest started first. */
  sightings(query: SightingsQuery): Promise<Page<Sighting>>;
  /**
   * Returns the newest summaries of the first 5 000 `trackIds`, by track id. Tracks that were never confirmed, or not
   * seen since `sinceMs`, are left out. Used at a restart.
   */
  lastSummaries(sinceMs: number, trackIds: readonly string[]): Promise<ReadonlyMap<string, SightingSummary>>;
  trails(query: TrailsQuery): Promise<StoredTrails>;
  /** Returns the last documents of tracks that were seen since `sinceMs`, at most 5 000, in no particular order. */
  lastTracks(query: LastTracksQuery): Promise<Track[]>;
  /**
   * Returns the highest event number in the history, 0 without events. At a restart the counter continues from this
   * number.
   */
  lastEventSeq(): Promise<number>;
};

type Ask = (question: Question) => Promise<RawPage>;

/**
 * Builds the queries. `onUnreadable` is called with the number of rows left out of an answer. `provenance` is the
 * provenance of the history's world.
 */
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
