import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Integrity } from '../../model/track_row.ts';
import { OperatorDistance } from './operator_distance.ts';
import { serialFault } from './serial_form.ts';
import { type ClockFault, SourceClock } from './source_clock.ts';
import { StaticClone } from './static_clone.ts';
import type { Told } from './told.ts';
import { ToldSpeed } from './told_speed.ts';

/** A reason, and whether honest aircraft give it too: that alone makes nobody suspect. */
export type HeldReason = Integrity['reasons'][number] & { isMild?: true };

const BIT = { speed: 1, clock: 2, operator: 4, clone: 8, serial: 16, duplicate: 32, jump: 64, undated: 128 } as const;
export const DUPLICATE = BIT.duplicate;
/** Those that go when they have not held for a while. */
const kept = [BIT.speed, BIT.clock, BIT.operator, BIT.clone];
const clockWords: Record<ClockFault, string> = {
  frozen: 'its clock stands still',
  reversed: 'its clock runs backwards',
  drifting: 'its clock runs at another pace than time',
};

/** Reports nearer each other than this tell nothing more. */
const APART_S = 0.7;
/** A reason that no longer holds is kept for so long: a lie that pauses is none the less one, and a verdict must not flicker. */
const KEPT_S = 10;
/** Jumps are found with the pace of the reports, which may be slow. */
const JUMP_KEPT_S = 15;
/** A source that says that it knows no time is judged after so many reports. */
const UNDATED_AFTER = 3;

/** Where each keeps its numbers; `until` is until when each of `kept` is. */
const PLACE = placed({
  heardS: 1,
  timeS: 1,
  until: kept.length,
  clone: StaticClone.numbers,
  speed: ToldSpeed.numbers,
  clock: SourceClock.numbers,
});

function placed<K extends string>(counts: Record<K, number>): Record<K | 'width', number> {
  const places: Record<string, number> = {};
  let width = 0;
  for (const [name, count] of Object.entries<number>(counts)) {
    places[name] = width;
    width += count;
  }
  return { ...places, width } as Record<K | 'width', number>;
}

/** Whether what one aircraft says of itself can be true, from its words alone. Feed it each report that is due, and its serial when that changes. */
export class ClaimWatch {
  /** What all of these keep, side by side: of a thousand aircraft that speak by turns it is never in the cache. */
  readonly #values = new Float64Array(PLACE.width).fill(Number.NEGATIVE_INFINITY);
  readonly #speed = new ToldSpeed(this.#values, PLACE.speed);
  readonly #clock = new SourceClock(this.#values, PLACE.clock);
  readonly #operator = new OperatorDistance();
  readonly #clone = new StaticClone(this.#values, PLACE.clone);
  #serialFault: string | null = null;
  #clockFault: ClockFault = 'drifting';
  /** Those of `kept` that held at the last report, and until when any is kept: mostly neither, which is asked for often. */
  #now = 0;
  #keptUntilS = Number.NEGATIVE_INFINITY;
  /** When its name was last found to be told of another aircraft too, or to be one of several; the claim book finds it. */
  #duplicateS = Number.NEGATIVE_INFINITY;

  #jumpS = Number.NEGATIVE_INFINITY;
  /** Reports in a row in which the source said that it knows no time. */
  #undated = 0;

  /** Whether a report would tell it more than the one before; what comes in a burst is looked at by when it was said. */
  isDue(heardS: number, timeS: number): boolean {
    const values = this.#values;
    return heardS - (values[PLACE.heardS] ?? 0) >= APART_S || timeS - (values[PLACE.timeS] ?? 0) >= APART_S;
  }

  hear(told: Told, { operator_far_m: farM }: DecisionPolicy['identity']): void {
    this.#values[PLACE.heardS] = told.heardS;
    this.#values[PLACE.timeS] = told.timeS;
    if (!Number.isNaN(told.latDeg)) {
      this.#undated = told.sourceS === Number.NEGATIVE_INFINITY ? this.#undated + 1 : 0;
      // Without a fix it knows no time, and what it sends in place of it says nothing.
      this.#clock.hear(told.sourceS, told.heardS);
      this.#speed.hear(told);
      this.#clone.hear(told);
      this.#operator.hear(told, farM);
    }
    this.#now = this.#found();
    if (this.#now !== 0) this.#keep(told.heardS + KEPT_S);
  }

  #keep(untilS: number): void {
    this.#keptUntilS = untilS;
    for (let i = 0; i < kept.length; i++)
      if ((this.#now & (kept[i] ?? 0)) !== 0) this.#values[PLACE.until + i] = untilS;
    this.#clockFault = this.#clock.fault ?? this.#clockFault;
  }

  name(serial: string): void {
    this.nameFault(serialFault(serial));
  }

  /** What is wrong with its serial, for who has looked already. */
  nameFault(fault: string | null): void {
    this.#serialFault = fault;
  }

  markDuplicate(heardS: number): void {
    this.#duplicateS = Math.max(this.#duplicateS, heardS);
  }

  /** It was said to be where it cannot have flown. */
  markJump(heardS: number): void {
    this.#jumpS = Math.max(this.#jumpS, heardS);
  }

  isDuplicate(nowS: number, { duplicate_hold_s: holdS }: DecisionPolicy['identity']): boolean {
    return nowS - this.#duplicateS <= holdS;
  }

  /** What holds now as one number, 0 for nothing: words are needed only where it changes. */
  holds(nowS: number, identity: DecisionPolicy['identity']): number {
    let held = this.#now;
    for (let i = 0; nowS <= this.#keptUntilS && i < kept.length; i++)
      if ((this.#values[PLACE.until + i] ?? 0) >= nowS) held |= kept[i] ?? 0;
    if (this.#serialFault !== null) held |= BIT.serial;
    if (nowS - this.#jumpS <= JUMP_KEPT_S) held |= BIT.jump;
    if (this.#undated >= UNDATED_AFTER) held |= BIT.undated;
    return this.isDuplicate(nowS, identity) ? held | BIT.duplicate : held;
  }

  #found(): number {
    return (
      (this.#speed.inconsistent ? BIT.speed : 0) |
      (this.#clock.fault ? BIT.clock : 0) |
      (this.#operator.far ? BIT.operator : 0) |
      (this.#clone.found ? BIT.clone : 0)
    );
  }

  /** The reasons that `held` names, in words. */
  reasons(held: number): HeldReason[] {
    const words: [bit: number, reason: () => HeldReason][] = [
      [BIT.speed, () => ({ id: 'speed_inconsistent', text: this.#speedText() })],
      [BIT.clock, () => ({ id: 'clock_inconsistent', text: clockWords[this.#clockFault] })],
      [BIT.operator, () => ({ id: 'operator_far', text: this.#operatorText() })],
      [BIT.clone, () => ({ id: 'static_clone', text: this.#cloneText() })],
      [BIT.jump, () => ({ id: 'jump', text: 'it says to be where it cannot have flown' })],
      [BIT.undated, () => ({ id: 'clock_inconsistent', text: 'it sends no time', isMild: true })],
      [BIT.serial, () => ({ id: 'serial_malformed', text: `its serial is none: ${this.#serialFault}`, isMild: true })],
      [
        BIT.duplicate,
        () => ({ id: 'duplicate_identity', text: 'what it is called by is told of another aircraft too' }),
      ],
    ];
    return words.filter(([bit]) => (held & bit) !== 0).map(([, reason]) => reason());
  }

  #speedText(): string {
    const { offM, withinS } = this.#speed;
    return `the speed it tells leads ${Math.round(offM)} m from the place it tells within ${withinS.toFixed(0)} s`;
  }

  #operatorText(): string {
    return `its pilot says to be ${(this.#operator.distanceM / 1000).toFixed(1)} km away`;
  }

  #cloneText(): string {
    return `it has stood in one place for ${Math.round(this.#clone.sinceS)} s while it says to fly`;
  }
}
