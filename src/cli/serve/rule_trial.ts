import { setTimeout as pause } from 'node:timers/promises';
import type { AssessPolicy, AssessSite } from '../../core/assess/briefed.ts';
import { RecordedSky } from '../../core/assess/recorded_sky.ts';
import type { DryRun } from '../../core/rules/dry_run.ts';
import { Fault } from '../../model/fault.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import { parseTime } from '../../model/time.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import { restoredTrack } from '../../worlds/restore.ts';

const MOST_TRACKS = 5_000;
const MOST_POINTS = 200_000;
const MOST_FIRINGS = 1_000;
const PAGE = 1_000;
const STEP_MS = 1_000;
/** After the last point of a track, so long what was raised of it is waited for to end. */
const END_MS = 10_000;
/** So long at a time the loop is held, but for a single look; then it is left alone for as long, so that half of it is others'. */
const TURN_MS = 10;
const MOST_PAUSE_MS = 100;
/** Longer than that nobody waits for an answer: a connection is closed when nothing came for half a minute. */
const LONGEST_MS = 20_000;

/** The world's time of what was recorded is UTC. */
const asTold = { nowMs: () => Number.MAX_SAFE_INTEGER, utcMs: (ms: number) => ms };

type Point = { atMs: number; number: number; point: TrackPoint };
export type Past = { policy: AssessPolicy; site: AssessSite };

/**
 * What a rule would have raised of recorded tracks. The flood rule runs beside it, since what it tells of no other does.
 * Zones, assets and policy are those of today: the question is what today's rules would have made of it.
 */
export async function tryRule(
  history: HistoryLog,
  past: Past,
  rules: readonly RuleValue[],
  span: { sinceMs: number; untilMs: number },
): Promise<DryRun> {
  const beganMs = performance.now();
  const tracks = await tracksOf(history, span);
  const points = await pointsOf(history, tracks, span);
  const site = { ...past.site, utcOffsetMs: 0 };
  const sky = new RecordedSky(Math.max(1, tracks.length), past.policy, site, rules);
  for (const track of tracks) sky.add(recorded(track));
  const run: DryRun = {
    firings: [],
    byRule: Object.fromEntries(rules.map(({ id }) => [id, { fired: 0, suppressed: 0 }])),
  };
  let turnMs = performance.now();
  for (const nowMs of look(sky, points, run)) {
    const heldMs = performance.now() - turnMs;
    if (heldMs < TURN_MS) continue;
    if (performance.now() - beganMs > LONGEST_MS)
      throw new Fault('invalid_input', `that takes longer than ${LONGEST_MS / 1000} s: ask for a shorter time`);
    await pause(Math.min(heldMs, MOST_PAUSE_MS), nowMs);
    turnMs = performance.now();
  }
  return run;
}

async function tracksOf(
  history: HistoryLog,
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
): Promise<Track[]> {
  const all = await history.lastTracks({ sinceMs });
  const tracks = all.filter(({ first_seen_at }) => (parseTime(first_seen_at) ?? 0) < untilMs);
  if (tracks.length <= MOST_TRACKS) return tracks;
  throw new Fault(
    'invalid_input',
    `${tracks.length} tracks were there: ask for a shorter time, of at most ${MOST_TRACKS}`,
  );
}

async function pointsOf(
  history: HistoryLog,
  tracks: readonly Track[],
  span: { sinceMs: number; untilMs: number },
): Promise<Point[]> {
  const points: Point[] = [];
  for (const track of tracks) {
    const { number } = restoredTrack(track, asTold);
    let cursor: string | null = null;
    do {
      const { rows, next } = await history.trackPoints({ trackId: track.id, ...span, limit: PAGE, cursor });
      for (const point of rows) points.push({ atMs: parseTime(point.at) ?? 0, number, point });
      if (points.length > MOST_POINTS)
        throw new Fault('invalid_input', `more than ${MOST_POINTS} points were recorded then: ask for a shorter time`);
      cursor = next;
    } while (cursor !== null);
  }
  return points.sort((a, b) => a.atMs - b.atMs || a.number - b.number);
}

/** Second by second, empty hours left out; yields after each look. */
function* look(sky: RecordedSky, points: readonly Point[], run: DryRun): Generator<number> {
  const endsMs = new Map(points.map(({ number, atMs }) => [number, atMs + END_MS]));
  const there = new Set<number>();
  const lastMs = (points.at(-1)?.atMs ?? 0) + 2 * END_MS;
  let next = 0;
  for (let nowMs = points[0]?.atMs ?? lastMs + 1; nowMs <= lastMs; nowMs += STEP_MS) {
    for (let point = points[next]; point && point.atMs <= nowMs; point = points[++next]) {
      sky.move(point.number, point.atMs, point.point);
      there.add(point.number);
    }
    for (const number of there) {
      if ((endsMs.get(number) ?? 0) > nowMs) continue;
      sky.end(number);
      there.delete(number);
    }
    count(run, sky.look(nowMs));
    yield nowMs;
    const upcoming = points[next];
    if (there.size === 0 && upcoming) nowMs = Math.max(nowMs, upcoming.atMs - STEP_MS);
  }
}

function count({ firings, byRule }: DryRun, looked: ReturnType<RecordedSky['look']>): void {
  firings.push(...looked.firings.slice(0, Math.max(0, MOST_FIRINGS - firings.length)));
  for (const { ruleId, fired, suppressed } of looked.counts) {
    const of = byRule[ruleId];
    if (!of) continue;
    of.fired += fired;
    of.suppressed += suppressed;
  }
}

function recorded(track: Track): Parameters<RecordedSky['add']>[0] {
  const left = restoredTrack(track, asTold);
  const { affiliation, affiliation_basis: affiliationBasis, asset_id, integrity } = track;
  const asset = asset_id === null ? null : { id: asset_id, name: 'an asset' };
  const word = {
    number: left.number,
    affiliation,
    affiliationBasis,
    asset,
    clonedOf: null,
    visits: 0,
    dismissed: false,
  };
  return { left, integrity, word };
}
