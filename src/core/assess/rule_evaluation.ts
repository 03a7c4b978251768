import type { Firing } from '../../model/firing.ts';
import type { LevelFloor, RuleValue } from '../../model/rule_value.ts';
import { RuleEngine } from '../rules/engine.ts';
import type { AssetFact, SensorFact } from '../rules/facts.ts';
import type { AssetValue } from '../site/site_plan.ts';
import type { Watched } from './watched.ts';

/**
 * Least interval between rule evaluations when inputs changed, ms. The shorter `SOON_MS` applies when a level, zone,
 * rule or sensor changed, or a zone had a transition (`approach`, `enter`, `dwell`, `exit`).
 */
const EVERY_MS = 100;
const SOON_MS = 20;
/**
 * Time after an evaluation at which changed inputs cause a step of the core, ms. Before it, the step of a later
 * observation evaluates them: a step of its own for each observation would double the steps of a quiet site.
 */
const LATEST_MS = 200;
/**
 * Interval of rule evaluations when no input changed, ms. They are needed because a sensor may fall silent or a
 * duration may pass. An idle core steps once a second; the interval is shorter, so that each of these steps evaluates.
 */
const ANYWAY_MS = 950;

/** Schedules rule evaluations and holds their inputs. */
export class RuleEvaluation {
  readonly engine = new RuleEngine();
  #sensors: readonly SensorFact[] = [];
  #assets: readonly AssetValue[] = [];
  #zoneIds: ReadonlySet<string> = new Set();
  #askedMs = Number.NEGATIVE_INFINITY;
  #waits = false;
  #urgent = false;
  #floored = false;
  /** Time at which the first of the tracks that are held back is evaluated at the latest, ms. */
  #heldUntilMs = Number.POSITIVE_INFINITY;

  /** Replaces the rules, from the next evaluation on. */
  setRules(rules: readonly RuleValue[]): void {
    this.engine.set(rules);
    this.#urgent = true;
  }

  setSensors(sensors: readonly SensorFact[]): void {
    this.#sensors = sensors;
    this.#urgent = true;
  }

  /** Sets the ids of the active zones, from the next evaluation on. */
  setZones(zoneIds: ReadonlySet<string>): void {
    this.#zoneIds = zoneIds;
    this.#urgent = true;
  }

  setAssets(assets: readonly AssetValue[]): void {
    this.#assets = assets;
  }

  /** Records that an input of the rules changed. `urgent` brings the next evaluation forward. */
  note(urgent: boolean): void {
    this.#waits = true;
    this.#urgent ||= urgent;
  }

  /**
   * Time at which the next evaluation is due, even if nothing is received until then, ms; infinite without changed
   * inputs.
   */
  get dueMs(): number {
    return this.#afterMs(LATEST_MS);
  }

  /** Time of the next evaluation if changed inputs wait `waitMs` after the last one, ms. */
  #afterMs(waitMs: number): number {
    if (this.#urgent) return this.#askedMs + SOON_MS;
    return Math.min(this.#heldUntilMs, this.#waits ? this.#askedMs + waitMs : Number.POSITIVE_INFINITY);
  }

  /**
   * Evaluates the rules if due. If `isBehind`, a non-urgent evaluation waits for the assessment of the changed tracks,
   * but not beyond `ANYWAY_MS`. Sets the floor of each track, which is the lowest threat level that the rules allow for
   * it. Calls `floored` for each track whose floor changed.
   */
  ask(
    watched: ReadonlyMap<number, Watched>,
    nowMs: number,
    isBehind: boolean,
    floored: (watched: Watched) => void,
  ): Firing[] {
    if (nowMs < Math.min(this.#afterMs(EVERY_MS), this.#askedMs + ANYWAY_MS)) return [];
    if (isBehind && !this.#urgent && nowMs < Math.min(this.#heldUntilMs, this.#askedMs + ANYWAY_MS)) return [];
    this.#askedMs = nowMs;
    this.#waits = this.#urgent = false;
    const all = this.#openTo(watched, nowMs);
    const tracks = all.map(({ facts }) => facts);
    const { firings, floors } = this.engine.evaluate({
      nowMs,
      tracks,
      sensors: this.#sensors,
      assets: placesOf(this.#assets, all),
      zoneIds: this.#zoneIds,
    });
    this.#floor(all, floors, floored);
    return firings;
  }

  /** Returns the tracks that the rules evaluate, without those that are held back. */
  #openTo(watched: ReadonlyMap<number, Watched>, nowMs: number): Watched[] {
    this.#heldUntilMs = Number.POSITIVE_INFINITY;
    return [...watched.values()].filter((one) => {
      const untilMs = one.heldBackUntilMs(nowMs);
      if (untilMs !== null) this.#heldUntilMs = Math.min(this.#heldUntilMs, untilMs);
      return untilMs === null;
    });
  }

  /** Sets the floors of all tracks. Returns early in the usual case that no rule sets a floor. */
  #floor(all: readonly Watched[], floors: readonly LevelFloor[], floored: (watched: Watched) => void): void {
    if (floors.length === 0 && !this.#floored) return;
    this.#floored = floors.length > 0;
    const floorOf = new Map(floors.map(({ trackId, level }) => [trackId, level]));
    for (const one of all) {
      const floor = floorOf.get(one.record.id) ?? 'none';
      if (floor === one.floor) continue;
      one.floor = floor;
      floored(one);
    }
  }
}

/**
 * Yields the positions of fixed assets, and those of own vehicles from their tracks. It is a generator, because few
 * rules use these positions.
 */
function* placesOf(assets: readonly AssetValue[], all: readonly Watched[]): Generator<AssetFact> {
  yield* assets;
  for (const { word, latDeg, lonDeg } of all)
    if (word.asset && word.affiliation === 'friend' && !Number.isNaN(latDeg)) yield { latDeg, lonDeg, ...word.asset };
}
