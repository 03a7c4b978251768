import type { DayFiles } from './day_files.ts';
import { type Day, dayStartMs } from './days.ts';
import type { RawRow } from './packed.ts';
import { type RawPage, type Span, select, touching } from './selecting.ts';

/**
 * Query for trails of all confirmed tracks: at most `mostPoints` points of `mostTracks` tracks. The most recently seen
 * tracks are preferred.
 */
export type TrailsQuestion = Span & {
  readonly about: 'trails';
  readonly stepMs: number;
  readonly mostPoints: number;
  readonly mostTracks: number;
};

type Trail = { readonly trackId: string; readonly number: number; readonly parts: { day: Day; span: Span }[] };

const columns = 'at_ms, state, lat, lon, alt_hae_m, alt_msl_m, alt_agl_m';

/**
 * Reads the points of several tracks. The first row is `step_ms` and the number of tracks in the period. Each other row
 * is `track_id, number` and a point: track by track, the oldest point first. The step is longer than requested if the
 * limit of points demands it. Each point is found by one index lookup.
 */
export function trails(files: DayFiles, asked: TrailsQuestion): RawPage {
  const { all, trails: chosen } = trailsOf(files, asked);
  const stepMs = stepOf(chosen, asked);
  const rows: RawRow[] = [[stepMs, all]];
  const sql = `SELECT ${columns} FROM points WHERE track_id = ? AND at_ms >= ? AND at_ms < ? ORDER BY at_ms LIMIT 1`;
  for (const { trackId, number, parts } of chosen) {
    for (const { day, span } of parts) {
      files.read(day, ({ db }) => {
        const next = db.prepare<[string, number, number], RawRow>(sql).raw();
        let fromMs = span.sinceMs;
        for (let row = next.get(trackId, fromMs, span.untilMs); row; row = next.get(trackId, fromMs, span.untilMs)) {
          rows.push([trackId, number, ...row]);
          fromMs = (Math.floor(Number(row[0]) / stepMs) + 1) * stepMs;
        }
      });
    }
  }
  return { rows, next: null };
}

/**
 * Returns at most `mostTracks` tracks of a period, with the parts of the period in which each was seen. `all` is the
 * number of all tracks in the period.
 */
function trailsOf(files: DayFiles, asked: TrailsQuestion): { all: number; trails: Trail[] } {
  const { sinceMs, untilMs, mostTracks } = asked;
  const trails = new Map<string, Trail>();
  const others = new Set<string>();
  const sql = `SELECT track_id, number, first_seen_ms, last_seen_ms FROM tracks
    WHERE level IS NOT NULL AND first_seen_ms < ? AND last_seen_ms >= ? ORDER BY last_seen_ms DESC`;
  for (const day of touching(files.days(), asked).reverse()) {
    for (const [id, number, firstMs, lastMs] of files.read(day, (file) => select(file, sql, [untilMs, sinceMs])) ??
      []) {
      const trackId = String(id);
      if (!trails.has(trackId) && trails.size >= mostTracks) {
        others.add(trackId);
        continue;
      }
      const trail = trails.get(trackId) ?? { trackId, number: Number(number), parts: [] };
      trails.set(trackId, trail);
      const fromMs = Math.max(sinceMs, Number(firstMs), dayStartMs(day));
      // Points of a track continue for a while after the track is lost.
      trail.parts.unshift({ day, span: { sinceMs: fromMs, untilMs: Math.min(untilMs, Number(lastMs) + AFTER_MS) } });
    }
  }
  return { all: trails.size + others.size, trails: [...trails.values()] };
}

const AFTER_MS = 60_000;

function stepOf(trails: readonly Trail[], { stepMs, mostPoints }: TrailsQuestion): number {
  const parts = trails.flatMap((trail) => trail.parts);
  const totalMs = parts.reduce((sum, { span }) => sum + Math.max(0, span.untilMs - span.sinceMs), 0);
  // Steps follow clock time, so a part may touch two more steps than its length divided by the step.
  const room = Math.max(1, mostPoints - 2 * parts.length);
  return Math.max(stepMs, Math.ceil(totalMs / room / 1_000) * 1_000);
}
