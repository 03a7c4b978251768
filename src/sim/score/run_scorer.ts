import { geoidHeightM } from '../../geo/geoid.ts';
import { LocalFrame } from '../../geo/local_frame.ts';
import type { Alert } from '../../model/alert.ts';
import type { Command, CommandState } from '../../model/command.ts';
import type { RunExpectation, RunMetrics } from '../../model/run.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import type { Task } from '../../model/task.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { RefusedOrder } from '../scenarios/orders.ts';
import { AlertLog, type ReportedAlert } from './alert_log.ts';
import { AlertJudge } from './alert_score.ts';
import { Cast } from './cast.ts';
import { type DueAlert, DueAlerts } from './due_alerts.ts';
import { Expectations } from './expectations/expectations.ts';
import { nearPairs } from './near_pairs.ts';
import { Owners } from './owners.ts';
import { ownersOf } from './owners_now.ts';
import { placesOf, shownOf } from './skies.ts';
import { assignAmong, type Sky, TrackingScore } from './tracking_score.ts';
import { isBeside, isToBeFollowed, type TruePlace } from './truth.ts';

const failures: ReadonlySet<CommandState> = new Set(['failed', 'rejected', 'expired', 'timed_out']);

/**
 * Counts the outcomes of tasks, and of commands that have no task. A task that was cancelled or superseded counts
 * neither as done nor as failed.
 */
class TaskTally {
  readonly #ends = new Map<string, CommandState>();

  task({ id, state }: Task): void {
    this.#ends.set(`task ${id}`, state);
  }

  command({ command_id, task_id, state }: Command): void {
    if (task_id === null) this.#ends.set(`command ${command_id}`, state);
    else this.#ends.delete(`command ${command_id}`);
  }

  get done(): number {
    return this.#count((state) => state === 'done');
  }

  get failed(): number {
    return this.#count((state) => failures.has(state));
  }

  #count(is: (state: CommandState) => boolean): number {
    return [...this.#ends.values()].filter(is).length;
  }
}

/** Truth and picture at one moment of world time. */
export type Evaluation = {
  atMs: number;
  truth: readonly TruePlace[];
  /** All tracks of the picture. Tracks that are not confirmed or have no position are ignored. */
  tracks: readonly Track[];
  threats: readonly Pick<Threat, 'track_id' | 'level'>[];
};

export type ScoreDeps = {
  /** World time at which the run begins, ms. */
  beginMs: number;
  /** Returns the zones that apply: those of the workspace and of the scenario. */
  zones(): readonly Zone[];
  /** Returns the actor of an asset; null if the asset is not part of the scenario. */
  actorOf(assetId: string): string | null;
};

/**
 * Scores a run against its truth, once per second of world time. All times come from the input, so the same run always
 * has the same score. docs/use/runs.md defines each metric.
 */
export class RunScorer {
  readonly #beginMs: number;
  readonly #actorOf: ScoreDeps['actorOf'];
  readonly #frame: LocalFrame;
  readonly #cast: Cast;
  readonly #tracking = new TrackingScore();
  readonly #owners = new Owners();
  readonly #alerts = new AlertLog();
  readonly #judge: AlertJudge;
  readonly #due: DueAlerts;
  readonly #tasks = new TaskTally();
  readonly #expectations: Expectations;
  /** Tracks of each object at the last evaluation, by the object's id. */
  #tracksOf = new Map<string, Track[]>();

  constructor(scenario: ScenarioSpec, { beginMs, zones, actorOf }: ScoreDeps) {
    const { lat, lon, alt_hae_m: groundM } = scenario.origin;
    this.#beginMs = beginMs;
    this.#actorOf = actorOf;
    this.#frame = new LocalFrame(lat, lon, groundM);
    this.#cast = new Cast(scenario.actors);
    this.#due = new DueAlerts(this.#cast, zones, {
      groundAltHaeM: () => groundM,
      haeOfMsl: (altMslM, latDeg, lonDeg) => altMslM + geoidHeightM(latDeg, lonDeg),
    });
    this.#judge = new AlertJudge(this.#alerts, this.#owners, this.#cast);
    this.#expectations = new Expectations(scenario.expect, this.#cast);
  }

  /** Adds an actor that was injected during the run. */
  add(actor: ScenarioActor): void {
    this.#cast.add(actor);
  }

  alert(alert: Alert, atMs: number): void {
    this.#alerts.note(alert, atMs);
  }

  /** Records a change of a task. The metrics use only the last state of each task. */
  task(task: Task, atMs: number): void {
    this.#tasks.task(task);
    this.#act(task, task.phase, atMs);
  }

  command(command: Command, atMs: number): void {
    this.#tasks.command(command);
    if (command.task_id === null) this.#act(command, null, atMs);
  }

  #act({ verb, state, reason, params, asset_id }: Task | Command, phase: Task['phase'] | null, atMs: number): void {
    const about = params.kind === 'track' ? this.#thingOf(params.track_id) : null;
    const aboutId = params.kind === 'asset' ? this.#actorOf(params.asset_id) : about;
    const actorId = this.#actorOf(asset_id);
    this.#expectations.act({ atS: this.#secondsAt(atMs), verb, state, phase, reason, actorId, aboutId });
  }

  #secondsAt(atMs: number): number {
    return (atMs - this.#beginMs) / 1000;
  }

  #thingOf(trackId: string): string | null {
    for (const [id, tracks] of this.#tracksOf) if (tracks.some((track) => track.id === trackId)) return id;
    return null;
  }

  evaluate({ atMs, truth, tracks: all, threats }: Evaluation): void {
    const atS = this.#secondsAt(atMs);
    const tracks = all.filter(({ state, position }) => state === 'confirmed' && position !== null);
    const shown = shownOf(tracks, this.#frame, atMs);
    const things = placesOf(truth.filter(isToBeFollowed), this.#frame);
    const others = placesOf(truth.filter(isBeside), this.#frame);
    const fakes = tracks.map(({ integrity }) => integrity.verdict === 'suspect');
    const { trackOf, trackOfOther, free } = this.#tracking.evaluate(things, shown, others, fakes, atS);

    const claimed = claimedPlaces(this.#cast, truth, this.#frame, atS);
    const owners = ownersOf({
      ...{ things, trackOf, others, trackOfOther, free, shown, claimed },
      claimOf: assignAmong(nearPairs(claimed.spots, shown.spots), free, tracks.length),
      inventorOf: (column) => (tracks[column] ? inventorOf(this.#cast, tracks[column]) : null),
    });
    for (const [column, { id }] of tracks.entries())
      this.#owners.note(id, atMs, owners.get(column) ?? null, fakes[column] ?? false);

    this.#due.evaluate(truth, atMs);
    const tracksOf = new Map<string, Track[]>();
    for (const [column, { id, as }] of owners) {
      const track = tracks[column];
      if (track && as !== 'double') tracksOf.set(id, [...(tracksOf.get(id) ?? []), track]);
    }
    this.#tracksOf = tracksOf;
    const levels = new Map(threats.map(({ track_id, level }) => [track_id, level]));
    const spots = placesOf(truth, this.#frame).spots;
    const levelOf = (trackId: string) => levels.get(trackId) ?? 'none';
    this.#expectations.evaluate({ atS, places: truth, spots, tracksOf, levelOf });
  }

  /**
   * Returns the track that followed an actor, or was at the position that it claimed, at the last evaluation; null if
   * none did.
   */
  trackOf(actorId: string): Track | null {
    for (const [id, [track]] of this.#tracksOf) if (this.#cast.isOf(id, actorId)) return track ?? null;
    return null;
  }

  /** Returns the result so far; the run may continue. Each refused order counts as a failed task. */
  result(refused: readonly RefusedOrder[] = []): { metrics: RunMetrics; expect: RunExpectation[] } {
    const isAskedFor = (alert: ReportedAlert): boolean => this.#expectations.asksFor(alert, this.#judge);
    const alerts = this.#judge.score(this.#dueAlerts(), isAskedFor);
    const { first_detect_s, position_rmse_m, ...tracking } = this.#tracking.metrics();
    const metrics: RunMetrics = {
      ...tracking,
      false_tracks: this.#owners.falseTracks,
      first_detect_s,
      position_rmse_m,
      ...alerts,
      tasks_done: this.#tasks.done,
      tasks_failed: this.#tasks.failed + refused.length,
    };
    const end = { metrics, log: this.#alerts, judge: this.#judge, beginMs: this.#beginMs, refused };
    return { metrics, expect: this.#expectations.results(end) };
  }

  /**
   * Returns due alerts: about actors that entered a guarded zone, and about actors for which an expectation requires an
   * alert.
   */
  #dueAlerts(): DueAlert[] {
    const due = this.#due.all();
    const known = new Set(due.map(({ actorId }) => actorId));
    const named = [...this.#expectations.namedInAlerts()].filter((id) => !known.has(id));
    return [...due, ...named.map((actorId) => ({ actorId, fromMs: this.#beginMs, zoneId: null }))];
  }
}

/**
 * Returns claimed positions without a real object: aircraft that spoofers invent, and false positions that real
 * aircraft claim.
 */
function claimedPlaces(cast: Cast, truth: readonly TruePlace[], frame: LocalFrame, atS: number): Sky {
  // In most scenarios no actor makes false claims, so the lookups are skipped.
  if (![...cast.all()].some(({ kind, remote_id: remoteId }) => kind === 'spoofer' || remoteId?.lies !== undefined))
    return { ids: [], spots: new Float64Array() };
  const invented = truth.filter(({ kind, id }) => kind === 'spoofer' && cast.of(id)?.id !== id);
  const liars = truth.filter(({ id }) => (cast.of(id)?.remote_id?.lies?.from_s ?? Infinity) <= atS);
  const sky = placesOf([...invented, ...liars], frame);
  for (const [i, { id }] of liars.entries()) {
    const lies = cast.of(id)?.remote_id?.lies;
    const at = 3 * (invented.length + i);
    for (const [axis, offM] of [lies?.east_m, lies?.north_m, lies?.up_m].entries())
      sky.spots[at + axis] = (sky.spots[at + axis] ?? 0) + (offM ?? 0);
  }
  return sky;
}

/**
 * Returns the spoofer that invented a track, if only claims support the track. Null if there is no such spoofer, or if
 * several are possible.
 */
function inventorOf(cast: Cast, { cooperative, identities }: Track): string | null {
  if (cooperative !== 'coop_only') return null;
  const spoofers = [...cast.all()].filter(({ kind }) => kind === 'spoofer');
  const named = spoofers.find(({ remote_id: remoteId }) => identities.some(({ value }) => value === remoteId?.serial));
  return (named ?? (spoofers.length === 1 ? spoofers[0] : undefined))?.id ?? null;
}
