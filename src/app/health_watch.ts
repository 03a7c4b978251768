import { type BoxPart, endBoxAlert, raiseBoxAlert } from '../alerts/box_alert.ts';
import type { Health, HealthPart } from '../model/health.ts';
import { sameJson } from '../model/same_json.ts';
import { formatTime } from '../model/time.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';

/** Minimum interval between two events of health where only texts change, ms: the countdown of a deadline is not news. */
const WORDS_EVERY_MS = 5_000;
/**
 * Time that a part must be unwell before it is alerted, ms. A disk that is full for a minute makes one alert; a short
 * disturbance makes none.
 */
const ALERT_AFTER_MS = 3_000;

/**
 * Parts whose faults are alerted here. Faults of sensors and links are alerted by rules. `state` and `load` are parts
 * only while they are unwell.
 */
const alerted: readonly BoxPart[] = ['history', 'clock', 'core', 'state', 'load'];
const wellAgain: Partial<Record<BoxPart, string>> = { state: 'changes are saved again', load: 'it keeps up again' };
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

/** Publishes health with the picture, alerts faults of the box's parts, and logs gaps of the history. */
export class HealthWatch {
  readonly #deps: Deps;
  #published: Health;
  #publishedMs: number;
  /** Start of each alerted part's fault, and the state that was alerted; null where none was. */
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

  /** Health as last published. */
  get published(): Health {
    return this.#published;
  }

  everySecond(): void {
    const health = this.#deps.health();
    this.#publish(health);
    for (const name of alerted) {
      const part = health.parts.find((one) => one.name === name) ?? absent(name);
      // A start in recovery has raised the alert of a state that is down.
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
      // The first evaluation also ends alerts that an earlier run left open.
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

  /** Logs the span of the rows that could not be written, once the history is written again. */
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
    world.note('history.gap', 'warning', `the history has a gap from ${span}: ${rows} rows found no room`);
  }
}

const names: Partial<Record<BoxPart, string>> = { core: 'The tracker', state: 'The state database', load: 'The box' };

function sentenceOf(name: BoxPart, text: string): string {
  const after: Partial<Record<BoxPart, string>> = {
    history: 'Tracks and alerts continue; the history of this time may be missing.',
    clock: 'Times of tracks, alerts and the log may be wrong.',
    core: 'Look at the sky: tracks are lost until they are received again.',
    state: 'Changes by people may be refused; tracks and alerts continue.',
    load: 'End what else runs on this box.',
  };
  return `${names[name] ?? `The ${name}`}: ${text.replace(/\.$/, '')}. ${after[name] ?? ''}`.trim();
}

/** The part that is not shown because it is well; null where absence says nothing. */
function absent(name: BoxPart): HealthPart | null {
  const text = wellAgain[name];
  return text === undefined ? null : { name, state: 'up', needed: false, text };
}

const statesOf = ({ healthy, parts }: Health): unknown => [healthy, parts.map(({ name, state }) => [name, state])];
