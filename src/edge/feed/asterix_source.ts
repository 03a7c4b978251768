import type { Placement } from '../../model/sensor.ts';
import type { ServiceReport } from '../wire/asterix/message.ts';
import { ClockOffset } from './clock_offset.ts';
import type { SelfReport } from './sensor_row.ts';
import type { SensorStatuses } from './sensor_statuses.ts';

/** Records that are judged together, and the share of implausible ones above which the source is at fault. */
const JUDGED = 50;
const JUDGED_FROM = 10;
const IMPLAUSIBLE_SHARE = 0.2;
const MISREAD = 'over 20 % of its records are implausible: does options.editions name the edition that it sends?';
/** Greatest number of radars behind one tracker whose faults are kept. */
const MOST_PARTS = 64;
/** Greatest number of a source's track numbers that are remembered: all that 12 bits can be. */
const MOST_NUMBERS = 4_096;
/** Turns of a radar, s, and the share by which the period must differ to be published again. */
const TURN_S = [0.2, 60] as const;
const TURN_CHANGE = 0.1;
/** Number of a track whose number was given again, after the number itself. */
const AGAIN = '+';

type Numbered = { lastMs: number; uses: number; isEnded: boolean };

/** State of one ASTERIX source: its clock, its turns, its condition, the numbers that it gave. */
export class AsterixSource {
  readonly clock = new ClockOffset();
  /** Number of the present turn; null before the first passage of north. */
  turn: number | null = null;
  place: Placement | null = null;
  placedMs = Number.NEGATIVE_INFINITY;
  #northMs: number | null = null;
  #periodS: number | null = null;
  readonly #recent: boolean[] = [];
  #next = 0;
  readonly #troubles = new Map<string, NonNullable<ServiceReport['trouble']>>();
  readonly #numbers = new Map<number, Numbered>();
  #published: SelfReport['trouble'] = null;

  /** Notes whether a record can be true, and returns it. */
  judge(isPlausible: boolean): boolean {
    this.#recent[this.#next] = isPlausible;
    this.#next = (this.#next + 1) % JUDGED;
    return isPlausible;
  }

  get #isMisread(): boolean {
    const implausible = this.#recent.filter((isPlausible) => !isPlausible).length;
    return this.#recent.length >= JUDGED_FROM && implausible > IMPLAUSIBLE_SHARE * this.#recent.length;
  }

  /** Takes the condition that the source reports of itself or of a radar behind it. */
  receiveCondition({ trouble, about }: ServiceReport): void {
    if (trouble === undefined) return;
    const part = about ?? '';
    this.#troubles.delete(part);
    if (trouble === null || this.#troubles.size >= MOST_PARTS) return;
    this.#troubles.set(part, trouble);
  }

  /** Begins a turn. Returns the period where it is new or has changed; null otherwise. */
  beginTurn(turnS: number | null, atMs: number): number | null {
    const sinceS = this.#northMs === null ? null : (atMs - this.#northMs) / 1000;
    this.#northMs = atMs;
    this.turn = (this.turn ?? 0) + 1;
    const periodS = turnS ?? sinceS;
    const [least, most] = TURN_S;
    if (periodS === null || periodS < least || periodS > most) return null;
    const known = this.#periodS;
    if (known !== null && Math.abs(periodS - known) <= TURN_CHANGE * known) return null;
    this.#periodS = Math.round(periodS * 100) / 100;
    return this.#periodS;
  }

  /**
   * Name of a track of the source. A number that ended, or that was silent for `holdsMs`, names another track when it comes
   * again.
   */
  number(track: number, isLast: boolean, atMs: number, holdsMs: number): string {
    const known = this.#numbers.get(track);
    const isAgain = known !== undefined && (known.isEnded || atMs - known.lastMs > holdsMs);
    const uses = (known?.uses ?? 0) + (isAgain ? 1 : 0);
    this.#numbers.delete(track);
    this.#numbers.set(track, { lastMs: atMs, uses, isEnded: isLast });
    const [oldest] = this.#numbers.keys();
    if (this.#numbers.size > MOST_NUMBERS && oldest !== undefined) this.#numbers.delete(oldest);
    return uses === 0 ? String(track) : `${track}${AGAIN}${uses}`;
  }

  /** Publishes the condition of the source where it has changed. */
  publish(sensors: SensorStatuses, sensorId: string): void {
    const [own = null] = this.#troubles.values();
    const trouble: SelfReport['trouble'] = this.#isMisread ? { state: 'fault', reason: MISREAD } : own;
    if (trouble?.state === this.#published?.state && trouble?.reason === this.#published?.reason) return;
    this.#published = trouble;
    sensors.reported(sensorId, { trouble });
  }
}
