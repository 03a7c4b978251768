import { setTimeout as pause } from 'node:timers/promises';
import type { AssessPolicy, AssessSite } from '../core/assess/configuration.ts';
import { RecordedSky } from '../core/assess/recorded_sky.ts';
import { invalidInput } from '../model/fault.ts';
import { type Firing, withTime } from '../model/firing.ts';
import type { RuleValue } from '../model/rule_value.ts';
import { formatTime, parseTime } from '../model/time.ts';
import type { Track, TrackPoint } from '../model/track.ts';
import type { Registry } from '../registry/registry.ts';
import type { HistoryLog } from '../store/log/history.ts';
import { restoredTrack } from '../world/restore.ts';
import type { World } from '../world/world.ts';
import { oneAtATime } from './one_at_a_time.ts';

/** Firings that rules would have raised over a recorded span. */
export type DryRun = {
  /** The first `MOST_FIRINGS` firings. `byRule` counts all firings. */
  firings: Firing[];
  /** Numbers of fired and suppressed events by rule id, also for rules that did not fire. */
  byRule: Record<string, { fired: number; suppressed: number }>;
};

const MOST_TRACKS = 5_000;
const MOST_POINTS = 200_000;
const MOST_FIRINGS = 1_000;
const PAGE = 1_000;
const STEP_MS = 1_000;
/** Time for which a track continues after its last point, ms, so that its events can end. */
const END_MS = 10_000;
/**
 * Time for which the trial runs without a pause, ms; one evaluation may take longer. A pause of equal length, at most
 * `MOST_PAUSE_MS`, follows, so that other work gets about half of the processor time.
 */
const TURN_MS = 10;
const MOST_PAUSE_MS = 100;
/** Time limit of a trial, ms. It is below the 30 s after which a connection without an answer is closed. */
const LONGEST_MS = 20_000;

/** Clock for recorded points. Their world time is UTC already, so no time is converted. */
const asRecorded = { nowMs: () => Number.MAX_SAFE_INTEGER, utcMs: (ms: number) => ms };

type Point = { atMs: number; number: number; point: TrackPoint };
type Past = { policy: AssessPolicy; site: AssessSite };

/**
 * Returns the events that rules would have raised about recorded tracks. `rules` must include the built-in rule
 * `suspect_remote_id`: it keeps other rules from reporting tracks of a flood (many suspect tracks at once). Zones,
 * assets and policy are the current ones, because the question is the effect of the rules now.
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
  for (const nowMs of evaluate(sky, points, run)) {
    const heldMs = performance.now() - turnMs;
    if (heldMs < TURN_MS) continue;
    if (performance.now() - beganMs > LONGEST_MS)
      throw invalidInput(`the dry run takes longer than ${LONGEST_MS / 1000} s: ask for a shorter period`);
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
  throw invalidInput(`this period has ${tracks.length} tracks; ask for a period with at most ${MOST_TRACKS}`);
}

async function pointsOf(
  history: HistoryLog,
  tracks: readonly Track[],
  span: { sinceMs: number; untilMs: number },
): Promise<Point[]> {
  const points: Point[] = [];
  for (const track of tracks) {
    const { number } = restoredTrack(track, asRecorded);
    let cursor: string | null = null;
    do {
      const { rows, next } = await history.trackPoints({ trackId: track.id, ...span, limit: PAGE, cursor });
      for (const point of rows) points.push({ atMs: parseTime(point.at) ?? 0, number, point });
      if (points.length > MOST_POINTS)
        throw invalidInput(`this period has more than ${MOST_POINTS} points; ask for a shorter period`);
      cursor = next;
    } while (cursor !== null);
  }
  return points.sort((a, b) => a.atMs - b.atMs || a.number - b.number);
}

/** Evaluates the points in steps of 1 s, and skips times without tracks. Yields the time after each evaluation, ms. */
function* evaluate(sky: RecordedSky, points: readonly Point[], run: DryRun): Generator<number> {
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
    count(run, sky.evaluate(nowMs));
    yield nowMs;
    const upcoming = points[next];
    if (there.size === 0 && upcoming) nowMs = Math.max(nowMs, upcoming.atMs - STEP_MS);
  }
}

function count({ firings, byRule }: DryRun, looked: ReturnType<RecordedSky['evaluate']>): void {
  const first = looked.firings.slice(0, Math.max(0, MOST_FIRINGS - firings.length));
  firings.push(...first.map((firing) => withTime(firing, formatTime)));
  for (const { ruleId, fired, suppressed } of looked.counts) {
    const of = byRule[ruleId];
    if (!of) continue;
    of.fired += fired;
    of.suppressed += suppressed;
  }
}

function recorded(track: Track): Parameters<RecordedSky['add']>[0] {
  const left = restoredTrack(track, asRecorded);
  const { affiliation, affiliation_basis: affiliationBasis, asset_id, integrity } = track;
  const asset = asset_id === null ? null : { id: asset_id, name: 'an asset' };
  const word = {
    number: left.number,
    affiliation,
    affiliationBasis,
    asset,
    clonedOf: null,
    visits: 0,
    setAffiliation: null,
    dismissed: false,
  };
  return { left, integrity, word };
}

type RuleTrialServiceDeps = {
  world: Pick<World, 'coreConfiguration'>;
  registry: Pick<Registry, 'rules'>;
  history: HistoryLog;
};

/** Tries rules on the recorded history of the live world. */
export class RuleTrialService {
  readonly #deps: RuleTrialServiceDeps;
  readonly #inTurn = oneAtATime();

  constructor(deps: RuleTrialServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Tries a rule on the recorded history between two times, UTC ms. The built-in rule `suspect_remote_id` runs too,
   * because its floods hide tracks from other rules; the answer may contain its firings. Throws `rate_limited` while
   * another trial runs.
   */
  dryRun(rule: RuleValue, sinceMs: number, untilMs: number): Promise<DryRun> {
    const { world, registry, history } = this.#deps;
    const { policy, site } = world.coreConfiguration;
    const flood = registry.rules
      .values()
      .filter(({ id, builtin }) => builtin === 'suspect_remote_id' && id !== rule.id);
    return this.#inTurn(() => tryRule(history, { policy, site }, [rule, ...flood], { sinceMs, untilMs }));
  }
}
