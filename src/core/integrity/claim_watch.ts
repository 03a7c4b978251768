import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Integrity } from '../../model/track_row.ts';
import { OperatorDistance } from './operator_distance.ts';
import type { Report } from './report.ts';
import { ReportedSpeed } from './reported_speed.ts';
import { type ClockFault, SourceClock } from './source_clock.ts';
import { StaticClone } from './static_clone.ts';

/**
 * A reason against a claim. `isMild` marks a reason that also applies to some honest aircraft. A claim with mild
 * reasons alone is not suspect.
 */
export type HeldReason = Integrity['reasons'][number] & { isMild?: true };

const BIT = {
  speed: 1,
  clock: 2,
  operator: 4,
  clone: 8,
  serial: 16,
  duplicate: 32,
  jump: 64,
  undated: 128,
  zigzag: 256,
  serials: 512,
} as const;
/** Bits of the reason `duplicate_identity`. */
export const DUPLICATE = BIT.duplicate | BIT.serials;
/** Finding behind `duplicate_identity`: another aircraft has the identity, or the aircraft changes its serial. */
export type DuplicateFinding = 'other_aircraft' | 'serial_changes';
/** Reasons that hold for another `KEPT_S` after their check no longer finds them. */
const kept = [BIT.speed, BIT.clock, BIT.operator, BIT.clone];
const clockWords: Record<ClockFault, string> = {
  frozen: 'its clock stands still',
  reversed: 'its clock runs backwards',
  drifting: 'its clock runs too fast or too slow',
};

function duplicateText(held: number): string {
  if ((held & BIT.serials) === 0) return 'another aircraft reports its identity';
  return (held & BIT.duplicate) === 0
    ? 'its own serial changes'
    : 'another aircraft reports its identity, and its own serial changes';
}

const ZIGZAG = 'its reported positions jump back and forth, against its reported velocity';

/** Least interval between checked reports, s. Checking more often adds no information. */
const APART_S = 0.7;
/**
 * Time for which a reason in `kept`, or a zigzag, still holds after it was last found, s. A pause does not excuse a
 * false claim, and the verdict must not flicker.
 */
const KEPT_S = 10;
/**
 * Time for which the reason `jump` holds after a jump, s. It is longer than `KEPT_S`, because a slow transmitter sends
 * few reports that can show a jump.
 */
const JUMP_KEPT_S = 15;
/** After this number of consecutive reports without a time, the source counts as one that sends none. */
const UNDATED_AFTER = 3;

/**
 * Offset of each check's numbers in `#values`, computed by `placed` from their count. `until` has, for each reason in
 * `kept`, the time until which it holds, s.
 */
const PLACE = placed({
  receivedS: 1,
  timeS: 1,
  until: kept.length,
  clone: StaticClone.numbers,
  speed: ReportedSpeed.numbers,
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

/**
 * Checks whether the reports of one aircraft contradict each other; sensors are not needed. The caller passes each
 * report for which `isDue` is true. Whenever the serial changes, the caller passes the format error of the serial, or
 * null.
 */
export class ClaimWatch {
  /**
   * Numbers of the checks that need several. They are in one array to reduce cache misses: with a thousand aircraft
   * reporting in turn, no numbers stay in the cache.
   */
  readonly #values = new Float64Array(PLACE.width).fill(Number.NEGATIVE_INFINITY);
  readonly #speed = new ReportedSpeed(this.#values, PLACE.speed);
  readonly #clock = new SourceClock(this.#values, PLACE.clock);
  readonly #operator = new OperatorDistance();
  readonly #clone = new StaticClone(this.#values, PLACE.clone);
  #serialFault: string | null = null;
  #clockFault: ClockFault = 'drifting';
  /**
   * Bits of the reasons found at the last report, and the latest time until which a reason in `kept` holds, s. In most
   * claims no bit is set, so most calls of `holds` need not read the times in `#values`.
   */
  #now = 0;
  #keptUntilS = Number.NEGATIVE_INFINITY;
  /** Time at which the identity map last found that another aircraft uses this identity, s. */
  #otherAircraftS = Number.NEGATIVE_INFINITY;
  /** Time at which the identity map last found that the aircraft changes its serial, s. */
  #serialChangeS = Number.NEGATIVE_INFINITY;
  #jumpS = Number.NEGATIVE_INFINITY;
  #zigzagS = Number.NEGATIVE_INFINITY;
  /** Number of consecutive reports in which the source states that it has no time. */
  #undated = 0;

  /**
   * Whether a report is at least `APART_S` later than the last checked one, by its time of reception or by the time of
   * its position. The latter matters for reports that arrive in a burst.
   */
  isDue(receivedS: number, timeS: number): boolean {
    const values = this.#values;
    return receivedS - (values[PLACE.receivedS] ?? 0) >= APART_S || timeS - (values[PLACE.timeS] ?? 0) >= APART_S;
  }

  receive(report: Report, { operator_far_m: farM }: DecisionPolicy['identity']): void {
    this.#values[PLACE.receivedS] = report.receivedS;
    this.#values[PLACE.timeS] = report.timeS;
    if (!Number.isNaN(report.latDeg)) {
      this.#undated = report.sourceS === Number.NEGATIVE_INFINITY ? this.#undated + 1 : 0;
      // The time of a report without a position is ignored: without a position fix the source has no valid time.
      this.#clock.receive(report.sourceS, report.receivedS);
      this.#speed.receive(report);
      this.#clone.receive(report);
      this.#operator.receive(report, farM);
    }
    this.#now = this.#found();
    if (this.#now !== 0) this.#keep(report.receivedS + KEPT_S);
  }

  #keep(untilS: number): void {
    this.#keptUntilS = untilS;
    for (let i = 0; i < kept.length; i++)
      if ((this.#now & (kept[i] ?? 0)) !== 0) this.#values[PLACE.until + i] = untilS;
    this.#clockFault = this.#clock.fault ?? this.#clockFault;
  }

  /** Sets the fault in the form of the claim's serial; null if the serial is well-formed. */
  nameFault(fault: string | null): void {
    this.#serialFault = fault;
  }

  markDuplicate(receivedS: number, finding: DuplicateFinding): void {
    if (finding === 'serial_changes') this.#serialChangeS = Math.max(this.#serialChangeS, receivedS);
    else this.#otherAircraftS = Math.max(this.#otherAircraftS, receivedS);
  }

  /** Records a reported position that the aircraft cannot have reached. */
  markJump(receivedS: number): void {
    this.#jumpS = Math.max(this.#jumpS, receivedS);
  }

  /** Records that the positions alternate against the reported velocities. */
  markZigzag(receivedS: number): void {
    this.#zigzagS = Math.max(this.#zigzagS, receivedS);
  }

  isDuplicate(nowS: number, { duplicate_hold_s: holdS }: DecisionPolicy['identity']): boolean {
    return nowS - this.#otherAircraftS <= holdS || nowS - this.#serialChangeS <= holdS;
  }

  /** Returns the reasons that hold now, as bits; 0 for none. The caller builds texts only when the bits change. */
  holds(nowS: number, identity: DecisionPolicy['identity']): number {
    let held = this.#now;
    for (let i = 0; nowS <= this.#keptUntilS && i < kept.length; i++)
      if ((this.#values[PLACE.until + i] ?? 0) >= nowS) held |= kept[i] ?? 0;
    if (this.#serialFault !== null) held |= BIT.serial;
    if (nowS - this.#jumpS <= JUMP_KEPT_S) held |= BIT.jump;
    if (nowS - this.#zigzagS <= KEPT_S) held |= BIT.zigzag;
    if (this.#undated >= UNDATED_AFTER) held |= BIT.undated;
    if (nowS - this.#otherAircraftS <= identity.duplicate_hold_s) held |= BIT.duplicate;
    if (nowS - this.#serialChangeS <= identity.duplicate_hold_s) held |= BIT.serials;
    return held;
  }

  #found(): number {
    return (
      (this.#speed.inconsistent ? BIT.speed : 0) |
      (this.#clock.fault ? BIT.clock : 0) |
      (this.#operator.far ? BIT.operator : 0) |
      (this.#clone.found ? BIT.clone : 0)
    );
  }

  /** Returns the reasons for the bits in `held`, with their texts. */
  reasons(held: number): HeldReason[] {
    // `speed` and `zigzag` share one reason id, which is listed once.
    const isReportedBySpeed = (held & BIT.speed) !== 0;
    const words: [bit: number, reason: () => HeldReason][] = [
      [BIT.speed, () => ({ id: 'speed_inconsistent', text: this.#speedText() })],
      [isReportedBySpeed ? 0 : BIT.zigzag, () => ({ id: 'speed_inconsistent', text: ZIGZAG })],
      [BIT.clock, () => ({ id: 'clock_inconsistent', text: clockWords[this.#clockFault] })],
      [BIT.operator, () => ({ id: 'operator_far', text: this.#operatorText() })],
      [BIT.clone, () => ({ id: 'static_clone', text: this.#cloneText() })],
      [BIT.jump, () => ({ id: 'jump', text: 'it reports a position that it cannot have flown to' })],
      [BIT.undated, () => ({ id: 'clock_inconsistent', text: 'its reports contain no time', isMild: true })],
      [
        BIT.serial,
        () => ({ id: 'serial_malformed', text: `its serial is malformed: ${this.#serialFault}`, isMild: true }),
      ],
      [DUPLICATE, () => ({ id: 'duplicate_identity', text: duplicateText(held) })],
    ];
    return words.filter(([bit]) => (held & bit) !== 0).map(([, reason]) => reason());
  }

  #speedText(): string {
    const { offM, withinS } = this.#speed;
    return `its reported position is ${Math.round(offM)} m from where its reported speed leads within ${withinS.toFixed(0)} s`;
  }

  #operatorText(): string {
    return `the position that it reports for its pilot is ${(this.#operator.distanceM / 1000).toFixed(1)} km away`;
  }

  #cloneText(): string {
    return `its position has not changed for ${Math.round(this.#clone.sinceS)} s although it reports that it moves`;
  }
}
