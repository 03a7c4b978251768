import type { Placement } from '../../model/sensor.ts';
import type { ServiceReport } from '../wire/asterix/message.ts';
import { ClockOffset } from './clock_offset.ts';
import type { SelfReport } from './sensor_row.ts';
import type { SensorStatuses } from './sensor_statuses.ts';

/**
 * A source counts as misread if more than `IMPLAUSIBLE_SHARE` of its last `JUDGED` records are implausible. It is
 * judged once it has sent `JUDGED_FROM` records.
 */
const JUDGED = 50;
const JUDGED_FROM = 10;
const IMPLAUSIBLE_SHARE = 0.2;
const MISREAD =
  'over 20 % of the records are implausible: does options.editions name the edition that the source sends?';
/** Greatest number of faults kept for one source: its own, and those of the radars behind a tracker. */
const MOST_PARTS = 64;
/**
 * Greatest number of track numbers kept for one source: all 12-bit numbers of a radar. A tracker has 16-bit numbers;
 * the number with the oldest report is evicted.
 */
const MOST_NUMBERS = 4_096;
/**
 * Least and greatest period of a radar's rotation, s. A period is published again when it changes by more than the
 * share `TURN_CHANGE`.
 */
const TURN_S = [0.2, 60] as const;
const TURN_CHANGE = 0.1;
/** Separates a reused track number from the count of its reuses: `17+1`. */
const AGAIN = '+';

type Numbered = { lastMs: number; uses: number; isEnded: boolean };

/** State of one ASTERIX source: clock, antenna rotation, condition and track numbers. */
export class AsterixSource {
  readonly clock = new ClockOffset();
  /** Number of the current rotation; null before the first north marker. */
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

  /** Notes whether a record is plausible, and returns the same value. */
  judge(isPlausible: boolean): boolean {
    this.#recent[this.#next] = isPlausible;
    this.#next = (this.#next + 1) % JUDGED;
    return isPlausible;
  }

  get #isMisread(): boolean {
    const implausible = this.#recent.filter((isPlausible) => !isPlausible).length;
    return this.#recent.length >= JUDGED_FROM && implausible > IMPLAUSIBLE_SHARE * this.#recent.length;
  }

  /**
   * Notes the condition that a service message reports. `about` names a radar behind the source; without `about` it is
   * the condition of the source itself.
   */
  receiveCondition({ trouble, about }: ServiceReport): void {
    if (trouble === undefined) return;
    const part = about ?? '';
    this.#troubles.delete(part);
    if (trouble === null || this.#troubles.size >= MOST_PARTS) return;
    this.#troubles.set(part, trouble);
  }

  /**
   * Begins a rotation. Returns the period, s, if it lies within `TURN_S` and is new or has changed by more than
   * `TURN_CHANGE`; else null.
   */
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
   * Returns the name of a track of the source. A number that ended, or was silent for over `holdsMs`, gets a new
   * name at its next report, because it is then another track.
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

  /** Reports the condition of the source to its sensor if the condition has changed. */
  publish(sensors: SensorStatuses, sensorId: string): void {
    const [own = null] = this.#troubles.values();
    const trouble: SelfReport['trouble'] = this.#isMisread ? { state: 'fault', reason: MISREAD } : own;
    if (trouble?.state === this.#published?.state && trouble?.reason === this.#published?.reason) return;
    this.#published = trouble;
    sensors.reported(sensorId, { trouble });
  }
}
