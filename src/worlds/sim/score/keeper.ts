import { geoidHeightM } from '../../../geo/geoid.ts';
import { LocalFrame } from '../../../geo/local_frame.ts';
import type { Alert } from '../../../model/alert.ts';
import type { Command } from '../../../model/command.ts';
import type { RunExpectation, RunMetrics } from '../../../model/run.ts';
import type { ScenarioActor, ScenarioSpec } from '../../../model/scenario.ts';
import type { Task } from '../../../model/task.ts';
import type { Threat } from '../../../model/threat.ts';
import type { Track } from '../../../model/track.ts';
import type { Zone } from '../../../model/zone.ts';
import type { RefusedOrder } from '../orders.ts';
import { type ActRim, actOf } from './act.ts';
import { AlertLog } from './alert_log.ts';
import { AlertJudge } from './alert_score.ts';
import { Cast } from './cast.ts';
import { Claims } from './claims.ts';
import { Expectations } from './expectations/expectations.ts';
import { type Owed, OwedAlerts } from './owed_alerts.ts';
import { Owners } from './owners.ts';
import { ownersOf } from './owners_now.ts';
import { placesOf, shownOf } from './skies.ts';
import { TaskTally } from './task_tally.ts';
import { TrackingScore } from './tracking_score.ts';
import { isBeside, isToBeFollowed, type TruePlace } from './truth.ts';

/** What is there, and what is shown of it, at one moment of the run's own time. */
export type Look = {
  atMs: number;
  truth: readonly TruePlace[];
  /** All of the picture: those that are confirmed count. */
  tracks: readonly Track[];
  threats: readonly Pick<Threat, 'track_id' | 'level'>[];
};

export type ScoreRim = {
  /** World milliseconds at which the run begins. */
  beginMs: number;
  /** Those that hold: of the workspace and of the scenario. */
  zones(): readonly Zone[];
  /** The actor that an asset is; null where the scenario did not bring it. */
  actorOf: ActRim['actorOf'];
};

/**
 * Keeps the score of a run against its truth. It is told of all there is, looks once a simulated second, and takes time
 * from what it is told: the same run has the same score. docs/runs.md says what each metric is.
 */
export class ScoreKeeper {
  readonly #beginMs: number;
  readonly #acts: ActRim;
  readonly #frame: LocalFrame;
  readonly #cast: Cast;
  readonly #tracking = new TrackingScore();
  readonly #owners = new Owners();
  readonly #alerts = new AlertLog();
  readonly #judge: AlertJudge;
  readonly #owed: OwedAlerts;
  readonly #claims: Claims;
  readonly #tasks = new TaskTally();
  readonly #expectations: Expectations;
  /** Of the last look. */
  #tracksOf = new Map<string, Track[]>();

  constructor(scenario: ScenarioSpec, { beginMs, zones, actorOf }: ScoreRim) {
    const { lat, lon, alt_hae_m: groundM } = scenario.origin;
    this.#beginMs = beginMs;
    this.#acts = { actorOf, thingOf: (trackId) => this.#thingOf(trackId) };
    this.#frame = new LocalFrame(lat, lon, groundM);
    this.#cast = new Cast(scenario.actors);
    this.#claims = new Claims(this.#cast);
    this.#owed = new OwedAlerts(this.#cast, zones, {
      groundAltHaeM: () => groundM,
      haeOfMsl: (altMslM, latDeg, lonDeg) => altMslM + geoidHeightM(latDeg, lonDeg),
    });
    this.#judge = new AlertJudge(this.#alerts, this.#owners, this.#cast);
    this.#expectations = new Expectations(scenario.expect, this.#cast);
  }

  /** An actor that was put in while it ran. */
  add(actor: ScenarioActor): void {
    this.#cast.add(actor);
  }

  /** Each time that it is told, as it is then. */
  alert(alert: Alert, atMs: number): void {
    this.#alerts.note(alert, atMs);
  }

  /** Each time that it changed; its end counts. */
  task(task: Task, atMs: number): void {
    this.#tasks.task(task);
    this.#expectations.act(actOf(task, this.#secondsAt(atMs), this.#acts));
  }

  command(command: Command, atMs: number): void {
    this.#tasks.command(command);
    if (command.task_id === null) this.#expectations.act(actOf(command, this.#secondsAt(atMs), this.#acts));
  }

  #secondsAt(atMs: number): number {
    return (atMs - this.#beginMs) / 1000;
  }

  #thingOf(trackId: string): string | null {
    for (const [id, tracks] of this.#tracksOf) if (tracks.some((track) => track.id === trackId)) return id;
    return null;
  }

  look({ atMs, truth, tracks: all, threats }: Look): void {
    const atS = this.#secondsAt(atMs);
    const tracks = all.filter(({ state, position }) => state === 'confirmed' && position !== null);
    const shown = shownOf(tracks, this.#frame, atMs);
    const things = placesOf(truth.filter(isToBeFollowed), this.#frame);
    const others = placesOf(truth.filter(isBeside), this.#frame);
    const fakes = tracks.map(({ integrity }) => integrity.verdict === 'suspect');
    const { trackOf, trackOfOther, free } = this.#tracking.look(things, shown, others, fakes, atS);

    const claimed = this.#claims.of(truth, this.#frame, atS);
    const owners = ownersOf({
      ...{ things, trackOf, others, trackOfOther, free, shown, claimed },
      claimOf: this.#claims.match(claimed, shown, free),
      inventorOf: (column) => (tracks[column] ? this.#claims.inventorOf(tracks[column]) : null),
    });
    for (const [column, { id }] of tracks.entries())
      this.#owners.note(id, atMs, owners.get(column) ?? null, fakes[column] ?? false);

    this.#owed.look(truth, atMs);
    const tracksOf = new Map<string, Track[]>();
    for (const [column, { id, as }] of owners) {
      const track = tracks[column];
      if (track && as !== 'double') tracksOf.set(id, [...(tracksOf.get(id) ?? []), track]);
    }
    this.#tracksOf = tracksOf;
    const levels = new Map(threats.map(({ track_id, level }) => [track_id, level]));
    const spots = placesOf(truth, this.#frame).spots;
    const levelOf = (trackId: string) => levels.get(trackId) ?? 'none';
    this.#expectations.look({ atMs, atS, places: truth, spots, tracksOf, levelOf });
  }

  /** The track that followed an actor at the last look, null where none did. */
  trackOf(actorId: string): Track | null {
    for (const [id, [track]] of this.#tracksOf) if (this.#cast.isOf(id, actorId)) return track ?? null;
    return null;
  }

  /** What came of it so far; the run goes on as before. An order that was refused is a task that failed. */
  result(refused: readonly RefusedOrder[] = []): { metrics: RunMetrics; expect: RunExpectation[] } {
    const alerts = this.#judge.score(this.#owedAlerts(), {
      isAskedFor: (alert) => this.#expectations.asksFor(alert, this.#judge),
    });
    const metrics: RunMetrics = {
      gospa_m: this.#tracking.gospaM,
      ospa_m: this.#tracking.ospaM,
      completeness: this.#tracking.completeness,
      id_switches: this.#tracking.idSwitches,
      false_tracks: this.#owners.falseTracks,
      first_detect_s: this.#tracking.firstDetectS,
      position_rmse_m: this.#tracking.positionRmseM,
      ...alerts,
      tasks_done: this.#tasks.done,
      tasks_failed: this.#tasks.failed + refused.length,
    };
    const told = { log: this.#alerts, judge: this.#judge, beginMs: this.#beginMs, refused };
    return { metrics, expect: this.#expectations.results(metrics, told) };
  }

  /** Besides who came into a zone those that the scenario names. */
  #owedAlerts(): Owed[] {
    const owed = this.#owed.all();
    const known = new Set(owed.map(({ actorId }) => actorId));
    const named = [...this.#expectations.namedInAlerts()].filter((id) => !known.has(id));
    return [...owed, ...named.map((actorId) => ({ actorId, fromMs: this.#beginMs, zoneId: null }))];
  }
}
