import type { Enu } from '../../../geo/position.ts';
import { isOver } from '../../../model/command.ts';
import type { RunExpectation, RunMetric } from '../../../model/run.ts';
import type { Expectation } from '../../../model/scenario.ts';
import { isAtLeast, type ReportedAlert, type Telling } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import { affiliationWatcher, flagWatcher, threatWatcher } from './shown.ts';
import {
  type Act,
  figure,
  type Of,
  type RunEnd,
  reached,
  type Sighting,
  seconds,
  unmet,
  type Watcher,
  within,
} from './watcher.ts';

const units: Partial<Record<RunMetric, string>> = {
  gospa_m: ' m',
  ospa_m: ' m',
  position_rmse_m: ' m',
  first_detect_s: ' s',
  alert_latency_s: ' s',
};

/**
 * Creates a watcher that expects a metric within bounds. A metric that could not be measured does not meet the
 * expectation.
 */
function metricWatcher({ metric, at_least: least, at_most: most }: Of<'metric'>): Watcher {
  const text = (value: number): string => `${figure(value)}${units[metric] ?? ''}`;
  return {
    result({ metrics, refused }) {
      const value = metrics[metric];
      const bounds = [
        ...(least === undefined ? [] : [`at least ${text(least)}`]),
        ...(most === undefined ? [] : [`at most ${text(most)}`]),
      ];
      const asked = bounds.length === 0 ? '' : `; ${bounds.join(' and ')} was required`;
      if (value === null) return unmet(`${metric} could not be measured: nothing to measure happened${asked}`);
      const met = value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
      // A refused order counts as a failed task. The reason of the refusal appears only in this text.
      const [first] = metric === 'tasks_failed' && !met ? refused : [];
      return { text: `${metric} is ${text(value)}${asked}${first ? `: ${first.text}` : ''}`, met };
    },
  };
}

/** Watches all expectations of a scenario, in their order. */
export class Expectations {
  readonly #watchers: readonly Watcher[];

  constructor(wanted: readonly Expectation[], cast: Cast) {
    this.#watchers = wanted.map((one) => watcherOf(one, cast));
  }

  evaluate(sighting: Sighting): void {
    for (const watcher of this.#watchers) watcher.evaluate?.(sighting);
  }

  act(act: Act): void {
    for (const watcher of this.#watchers) watcher.act?.(act);
  }

  /** Returns the ids of actors about which an expectation requires an alert. */
  namedInAlerts(): Set<string> {
    return new Set(this.#watchers.flatMap(({ dueFor }) => dueFor ?? []));
  }

  asksFor(alert: ReportedAlert, judge: AlertJudge): boolean {
    return this.#watchers.some((watcher) => watcher.asksFor?.(alert, judge));
  }

  results(end: RunEnd): RunExpectation[] {
    return this.#watchers.map((watcher) => watcher.result(end));
  }
}

function watcherOf(wanted: Expectation, cast: Cast): Watcher {
  switch (wanted.kind) {
    case 'metric':
      return metricWatcher(wanted);
    case 'alert':
      return alertWatcher(wanted, cast);
    case 'threat':
      return threatWatcher(wanted, cast);
    case 'affiliation':
      return affiliationWatcher(wanted, cast);
    case 'flag':
      return flagWatcher(wanted, cast);
    case 'near':
      return nearWatcher(wanted, cast);
    case 'task':
      return taskWatcher(wanted, cast);
    case 'apart':
      return apartWatcher(wanted, cast);
  }
}

/** Creates a watcher that expects an alert, or with `never` its absence. */
function alertWatcher(wanted: Of<'alert'>, cast: Cast): Watcher {
  const { rule, about, severity, by_s: byS, never } = wanted;
  const firstMs = ({ ruleId, tellings }: ReportedAlert, judge: AlertJudge): number => {
    if (rule !== undefined && rule !== ruleId) return Number.POSITIVE_INFINITY;
    const isLoud = (one: Telling): boolean => isAtLeast(one.severity, severity ?? 'info');
    const found = tellings.find((one) => isLoud(one) && (about === undefined || judge.isAbout(one, about)));
    return found?.atMs ?? Number.POSITIVE_INFINITY;
  };
  return {
    ...(never || about === undefined ? {} : { dueFor: about }),
    asksFor: (alert, judge) => !never && Number.isFinite(firstMs(alert, judge)),
    result({ log, judge, beginMs }) {
      const loud = severity === undefined ? '' : ` of at least ${severity}`;
      const from = rule === undefined ? '' : ` of the rule ${rule}`;
      const what = `alert${from}${loud}${about === undefined ? '' : ` about ${cast.nameOf(about)}`}`;
      let first = Number.POSITIVE_INFINITY;
      for (const alert of log.all()) first = Math.min(first, firstMs(alert, judge));
      const afterS = (first - beginMs) / 1000;
      const came = Number.isFinite(first);
      if (never && !(came && afterS <= (byS ?? Number.POSITIVE_INFINITY)))
        return { text: `no ${what} came${within(byS)}, as required`, met: true };
      if (never) return unmet(`the first ${what} came after ${seconds(afterS)}; none was allowed${within(byS)}`);
      if (!came) return unmet(`no ${what} came${within(byS)}`);
      return reached(`the first ${what} came`, afterS, byS);
    },
  };
}

/**
 * Creates a watcher that expects a vehicle to reach the station of a task, or to complete the task. It does not matter
 * who ordered the task.
 */
function taskWatcher({ asset, verb, about, is, by_s: byS }: Of<'task'>, cast: Cast): Watcher {
  let firstS: number | null = null;
  /** Latest state of the vehicle's task with this verb and object; null if none began. */
  let last: Act | null = null;
  return {
    act(act) {
      if (act.actorId !== asset || act.verb !== verb) return;
      if (about !== undefined && (act.aboutId === null || !cast.isOf(act.aboutId, about))) return;
      last = act;
      const isReached = is === 'done' ? act.state === 'done' : act.phase === 'on_station';
      if (isReached) firstS ??= act.atS;
    },
    result({ refused }) {
      const what = `${verb}${about === undefined ? '' : ` about ${cast.nameOf(about)}`}`;
      const end = is === 'done' ? `done with ${what}` : `on station with ${what}`;
      if (firstS !== null) return reached(`${cast.nameOf(asset)} was ${end}`, firstS, byS);
      // If no task began, a refused order of the scenario may be the reason, so the sentence of the refusal is shown.
      const refusal = refused.find(({ order }) =>
        order.do === 'command' ? order.asset === asset && order.verb === verb : order.about === about,
      );
      const why = last === null ? (refusal?.text ?? 'no such task began') : outcomeOf(last);
      return unmet(`${cast.nameOf(asset)} was not ${end}${within(byS)}: ${why}`);
    },
  };
}

function outcomeOf({ state, reason }: Act): string {
  if (!isOver(state)) return `the task was ${state} at the end`;
  return `the task was ${state}${reason === null ? '' : ` (${reason})`}`;
}

/** Creates a watcher that expects two actors to keep a distance while both fly. */
function apartWatcher({ actors, at_least_m: leastM }: Of<'apart'>, cast: Cast): Watcher {
  const distance = new LeastDistance();
  let least = { metres: Number.POSITIVE_INFINITY, atS: 0 };
  return {
    evaluate(sighting) {
      const [a, b] = actors;
      const distanceM = distance.next(pointsOf(sighting, cast, a, false), pointsOf(sighting, cast, b, false), false);
      if (distanceM < least.metres) least = { metres: distanceM, atS: sighting.atS };
    },
    result() {
      const pair = actors.map((actor) => cast.nameOf(actor)).join(' and ');
      if (!Number.isFinite(least.metres)) return { text: `${pair} were never in the air together`, met: true };
      const nearest = `${pair} came to ${metres(least.metres)} of each other after ${seconds(least.atS)}`;
      return { text: `${nearest}; at least ${metres(leastM)} was required`, met: least.metres >= leastM };
    },
  };
}

/**
 * Creates a watcher that expects an actor to come within a distance of another actor or a place. The distance is
 * horizontal for a place without a height.
 */
function nearWatcher(wanted: Of<'near'>, cast: Cast): Watcher {
  const { actor, to, within_m: withinM, from_s: fromS = 0, by_s: byS } = wanted;
  const distance = new LeastDistance();
  const flat = !('actor' in to) && to.height_m === undefined;
  let firstS: number | null = null;
  let leastM = Number.POSITIVE_INFINITY;
  return {
    evaluate(sighting) {
      if (sighting.atS < fromS) return;
      const there =
        'actor' in to
          ? pointsOf(sighting, cast, to.actor, true)
          : new Map([['', { eastM: to.east_m, northM: to.north_m, upM: to.height_m ?? 0 }]]);
      const distanceM = distance.next(pointsOf(sighting, cast, actor, true), there, flat);
      leastM = Math.min(leastM, distanceM);
      if (distanceM <= withinM) firstS ??= sighting.atS;
    },
    result() {
      const where = 'actor' in to ? cast.nameOf(to.actor) : 'the place';
      const came = `${cast.nameOf(actor)} came`;
      if (firstS !== null) return reached(`${came} within ${metres(withinM)} of ${where}`, firstS, byS);
      const nearest = Number.isFinite(leastM) ? `to ${metres(leastM)} of ${where}` : `nowhere near ${where}`;
      return unmet(`${came} ${nearest}; ${metres(withinM)} was required${within(byS)}`);
    },
  };
}

/**
 * Returns the positions of all objects of an actor, by id. Objects on the ground are left out; with `stand`, own assets
 * on the ground are included.
 */
function pointsOf({ places, spots }: Sighting, cast: Cast, actorId: string, stand: boolean): Map<string, Enu> {
  const points = new Map<string, Enu>();
  for (const [i, { id, airborne, kind }] of places.entries()) {
    if (!cast.isOf(id, actorId) || !(airborne || (stand && kind === 'asset'))) continue;
    points.set(id, { eastM: spots[3 * i] ?? 0, northM: spots[3 * i + 1] ?? 0, upM: spots[3 * i + 2] ?? 0 });
  }
  return points;
}

/** Computes the least distance between the objects of two sets in the time since the previous call. */
class LeastDistance {
  #before: { a: ReadonlyMap<string, Enu>; b: ReadonlyMap<string, Enu> } | null = null;

  /** Returns the minimum distance, m; Infinity if one set is empty. `flat`: horizontal distance. */
  next(a: ReadonlyMap<string, Enu>, b: ReadonlyMap<string, Enu>, flat: boolean): number {
    let least = Number.POSITIVE_INFINITY;
    for (const [idA, atA] of a)
      for (const [idB, atB] of b) {
        if (idA === idB) continue;
        const [fromA, fromB] = [this.#before?.a.get(idA) ?? atA, this.#before?.b.get(idB) ?? atB];
        least = Math.min(least, leastBetween(fromA, atA, fromB, atB, flat));
      }
    this.#before = { a, b };
    return least;
  }
}

/**
 * Returns the minimum distance of two objects, m, that fly straight from a0 to a1 and from b0 to b1 at the same time.
 * `flat`: horizontal distance.
 */
function leastBetween(a0: Enu, a1: Enu, b0: Enu, b1: Enu, flat: boolean): number {
  const [x, y, z] = less(a0, b0);
  const [toX, toY, toZ] = less(a1, b1);
  const up = flat ? 0 : 1;
  const [dx, dy, dz] = [toX - x, toY - y, (toZ - z) * up];
  const length2 = dx * dx + dy * dy + dz * dz;
  const along = length2 === 0 ? 0 : -(x * dx + y * dy + z * up * dz) / length2;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x + share * dx, y + share * dy, z * up + share * dz);
}

function less(a: Enu, b: Enu): [eastM: number, northM: number, upM: number] {
  return [a.eastM - b.eastM, a.northM - b.northM, a.upM - b.upM];
}

function metres(valueM: number): string {
  return `${figure(valueM)} m`;
}
