import { type BoxPart, endBoxAlert, raiseBoxAlert } from '../alerts/box_alert.ts';
import type { Health, HealthPart } from '../model/health.ts';
import { sameJson } from '../model/same_json.ts';
import { formatTime } from '../model/time.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';

/**
 * Minimum interval between two health events if only the texts of parts changed, ms. Texts contain countdowns, which
 * change often.
 */
const WORDS_EVERY_MS = 5_000;
/** Time for which a part must have a fault before an alert is raised, ms: short disturbances raise no alert. */
const ALERT_AFTER_MS = 3_000;

/**
 * Parts whose faults raise an alert here. Rules raise the alerts about sensors and links. Health contains the parts
 * `state` and `load` only while they have a fault.
 */
const alerted: readonly BoxPart[] = ['history', 'clock', 'core', 'state', 'load'];
const wellAgain: Partial<Record<BoxPart, string>> = {
  state: 'changes are saved again',
  load: 'the daemon runs in time again',
};
const severities = { degraded: 'warning', down: 'critical' } as const;

type Deps = {
  health(): Health;
  history: Pick<HistoryLog, 'status'>;
  /** The live world. */
  world: Pick<World, 'alerts' | 'note'>;
  announce(health: Health): void;
  nowMs(): number;
  utcMs(): number;
};

type Gap = { fromMs: number; toMs: number; dropped: number };

/** Publishes health in the picture, raises alerts about faults of the box's parts, and logs gaps of the history. */
export class HealthWatch {
  readonly #deps: Deps;
  #published: Health;
  #publishedMs: number;
  /**
   * Faults of parts. `sinceMs` is the time at which the fault began. `state` is the state in the alert; null before an
   * alert.
   */
  readonly #unwell = new Map<BoxPart, { sinceMs: number; state: HealthPart['state'] | null }>();
  #isFirst = true;
  #gap: Gap | null = null;
  #dropped: number;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#published = deps.health();
    this.#publishedMs = deps.nowMs();
    this.#dropped = deps.history.status().dropped;
  }

  /** Health as it was last published. */
  get published(): Health {
    return this.#published;
  }

  everySecond(): void {
    const health = this.#deps.health();
    this.#publish(health);
    for (const name of alerted) {
      const part = health.parts.find((one) => one.name === name) ?? absent(name);
      // The part `state` is down only in recovery, and the start has already raised that alert.
      if (part && !(name === 'state' && part.state === 'down')) this.#alert(name, part);
    }
    this.#isFirst = false;
    this.#watchGap();
  }

  #publish(health: Health): void {
    const nowMs = this.#deps.nowMs();
    if (sameJson(health, this.#published)) return;
    if (sameJson(statesOf(health), statesOf(this.#published)) && nowMs - this.#publishedMs < WORDS_EVERY_MS) return;
    this.#published = health;
    this.#publishedMs = nowMs;
    this.#deps.announce(health);
  }

  #alert(name: BoxPart, { state, text }: HealthPart): void {
    const { world } = this.#deps;
    const nowMs = this.#deps.nowMs();
    const unwell = this.#unwell.get(name);
    if (state === 'up') {
      this.#unwell.delete(name);
      // The first pass also ends alerts that an earlier run of the daemon left open.
      if (this.#isFirst || (unwell && unwell.state !== null))
        endBoxAlert(world.alerts, name, `${name}: ${text}.`, nowMs);
      return;
    }
    const since = unwell ?? { sinceMs: nowMs, state: null };
    this.#unwell.set(name, since);
    if (since.state === state || nowMs - since.sinceMs < ALERT_AFTER_MS) return;
    since.state = state;
    raiseBoxAlert(world.alerts, { part: name, text: sentenceOf(name, text), severity: severities[state] }, nowMs);
  }

  /** Logs the time span of the history rows that were dropped, as soon as the history can be written again. */
  #watchGap(): void {
    const { history, world, utcMs } = this.#deps;
    const { dropped, state } = history.status();
    const nowMs = utcMs();
    if (dropped > this.#dropped) {
      this.#gap ??= { fromMs: nowMs, toMs: nowMs, dropped: 0 };
      this.#gap.toMs = nowMs;
      this.#gap.dropped += dropped - this.#dropped;
      this.#dropped = dropped;
    }
    if (this.#gap === null || state !== 'ok') return;
    const { fromMs, toMs, dropped: rows } = this.#gap;
    this.#gap = null;
    const span = `${formatTime(fromMs)} to ${formatTime(toMs)}`;
    world.note(
      'history.gap',
      'warning',
      `the history has a gap from ${span}: ${rows} rows were dropped while it could not be written`,
    );
  }
}

const names: Partial<Record<BoxPart, string>> = { core: 'The tracker', state: 'The state database', load: 'The box' };

function sentenceOf(name: BoxPart, text: string): string {
  const after: Partial<Record<BoxPart, string>> = {
    history: 'Tracks and alerts continue; the history of this time may be missing.',
    clock: 'Times of tracks, alerts and the log may be wrong.',
    core: 'Look at the sky: tracks are lost until they are received again.',
    state: 'Changes by people may be refused; tracks and alerts continue.',
    load: 'Stop other programs on this box.',
  };
  return `${names[name] ?? `The ${name}`}: ${text.replace(/\.$/, '')}. ${after[name] ?? ''}`.trim();
}

/**
 * Returns a part with the state `up` for the parts `state` and `load`; null for others. Health contains these two only
 * while they have a fault, so a missing one is well.
 */
function absent(name: BoxPart): HealthPart | null {
  const text = wellAgain[name];
  return text === undefined ? null : { name, state: 'up', needed: false, text };
}

const statesOf = ({ healthy, parts }: Health): unknown => [healthy, parts.map(({ name, state }) => [name, state])];
