import { builtinRule } from '../../model/builtin_rules.ts';
import type { Firing } from '../../model/firing.ts';
import type { LevelFloor, RuleCount, RuleValue } from '../../model/rule_value.ts';
import { builtins } from './builtin/index.ts';
import { endOf } from './ends.ts';
import type { FloodNow } from './engine.ts';
import { type Evaluation, type Finder, type Hits, nobody } from './evaluation.ts';
import type { SensorFact, TrackFacts, ZoneFact } from './facts.ts';
import { Lane, type Settled } from './lane.ts';
import { userRule } from './user_rule.ts';

/** State of one rule across evaluations, including its events. */
export class RuleRun implements Hits {
  #rule: RuleValue;
  /** Version of the rule by which the present events were last reported. */
  #reported: RuleValue;
  #finder: Finder;
  /** Lanes (subjects and events of one zone) by zone id; the empty string for a rule without a zone. */
  readonly #lanes = new Map<string, Lane>();
  #count: RuleCount;
  #evaluation = 0;
  #nowMs = 0;
  #sensors = 0;
  /** Number of the last evaluation before the rule changed; NaN if it never changed. */
  #changedAt = Number.NaN;

  constructor(rule: RuleValue) {
    this.#rule = this.#reported = rule;
    this.#finder = finderOf(rule);
    this.#count = uncounted(rule.id);
  }

  get rule(): RuleValue {
    return this.#rule;
  }

  /**
   * Replaces the rule by a changed version of it. The events of the rule continue, unless the rule begins or stops to
   * raise alerts: then they end at the next evaluation, and begin anew.
   */
  become(rule: RuleValue): void {
    if (rule === this.#rule) return;
    this.#rule = rule;
    this.#finder = finderOf(rule);
    this.#changedAt = this.#evaluation;
  }

  evaluate(look: Evaluation, flood: FloodNow, firings: Firing[], floors: LevelFloor[]): void {
    this.#evaluation++;
    this.#nowMs = look.nowMs;
    this.#sensors = 0;
    if (this.#reported.does.alert !== this.#rule.does.alert) firings.push(...this.end(look.nowMs));
    this.#reported = this.#rule;
    this.#finder.find(look, this);
    if (this.#lanes.size === 0) return;
    const isOfFlood = this.#rule.builtin === 'suspect_remote_id';
    const to: Settled = {
      firings,
      dismissed: look.dismissed,
      because: (subject, zoneId) => endOf(subject, zoneId, this.#finder, this.#changedAt, look),
      fired: (trackId) => this.#fired(trackId),
      suppressed: () => {
        this.#count.suppressed++;
      },
    };
    for (const [name, lane] of this.#lanes) {
      this.#raise(lane, floors);
      const [excused, gang] = isOfFlood ? [nobody, flood.members] : [flood.hidden, nobody];
      lane.settle(this.#rule, this.#finder, excused, gang, this.#evaluation, look.nowMs, to);
      if (lane.isIdle) this.#lanes.delete(name);
    }
  }

  track(track: TrackFacts, zone: ZoneFact | null): void {
    this.#lane(zone).hitTrack(track, zone, this.#evaluation, this.#nowMs);
  }

  sensor(sensor: SensorFact): void {
    this.#lane(null).hitSensor(sensor, this.#sensors++, this.#evaluation, this.#nowMs);
  }

  /** Ends all events of the rule, as the version of the rule does that last reported them. */
  end(nowMs: number): Firing[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.end(this.#reported, this.#finder, nowMs));
  }

  get lanes(): Iterable<Lane> {
    return this.#lanes.values();
  }

  /** Returns the counts since the last call and resets them; null if nothing was counted. */
  takeCount(): RuleCount | null {
    const { fired, suppressed } = this.#count;
    if (fired === 0 && suppressed === 0) return null;
    const count = this.#count;
    this.#count = uncounted(this.#rule.id);
    return count;
  }

  /**
   * Adds the floor (lowest permitted threat level) that the rule sets for each track that it has matched for at least
   * `forS`. The floor ends as soon as the rule no longer matches; unlike an alert, it has neither hold time nor
   * cool-down.
   */
  #raise(lane: Lane, floors: LevelFloor[]): void {
    const { rule } = this;
    if (rule.builtin !== null || rule.raiseLevel === null) return;
    for (const { id, evaluation: look, sinceMs } of lane.subjects)
      if (look === this.#evaluation && this.#nowMs - sinceMs >= rule.forS * 1_000)
        floors.push({ trackId: id, level: rule.raiseLevel });
  }

  #fired(trackId: string | null): void {
    this.#count.fired++;
    this.#count.lastMs = this.#nowMs;
    this.#count.lastTrackId = trackId;
  }

  #lane(zone: ZoneFact | null): Lane {
    const name = zone?.id ?? '';
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = new Lane(this.#rule.id, zone);
      this.#lanes.set(name, lane);
    }
    return lane;
  }
}

function finderOf(rule: RuleValue): Finder {
  if (rule.builtin === null) return userRule(rule);
  const { parameters } = rule;
  const facts = builtinRule(rule.builtin)?.parameters ?? {};
  return builtins[rule.builtin](rule, (name) => parameters[name] ?? facts[name]?.default ?? Number.NaN);
}

function uncounted(ruleId: string): RuleCount {
  return { ruleId, fired: 0, suppressed: 0, lastMs: null, lastTrackId: null };
}
