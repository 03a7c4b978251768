import type { FrameSigner } from '../../edge/wire/mavlink/encode.ts';
import { SignatureGate, type SigningStream, type StreamName } from '../../edge/wire/mavlink/signing.ts';
import { SIGNING_UNITS_PER_S, SigningClock } from '../../edge/wire/mavlink/signing_clock.ts';
import type { LinkSigningRow } from '../../store/link_signing.ts';

/**
 * Time by which stored timestamps are ahead of the clock and of received timestamps, in units of 10 µs. If the process
 * is killed, the next process therefore uses or accepts no timestamp twice.
 */
const AHEAD = 20 * SIGNING_UNITS_PER_S;
/**
 * Least lead of a stored timestamp over the newest issued or accepted one when it is stored, in units of 10 µs. After a
 * kill, the next process begins at the stored timestamp. The lead is short, so that repeated kills move the timestamps little.
 */
const AHEAD_OF_LAST = 5 * SIGNING_UNITS_PER_S;

/** Signing state that a former run stored. */
export type KeptSigning = { row: LinkSigningRow | null; key: Buffer | null; trouble: string | null };

/**
 * Signing state of one link: its key, which can change while the link is open, and timestamps, which may only rise. The
 * state remains when the link is closed and opened again.
 */
export class LinkSigning {
  readonly linkId: string;
  readonly clock: SigningClock;
  readonly #own: Omit<StreamName, 'linkId'>;
  #number: number;
  #key: Buffer | null = null;
  #gate: SignatureGate | null = null;
  /** Stored timestamps of streams that former runs received, by the stream's name. */
  #left: ReadonlyMap<string, number> = new Map();
  /** Stored row; null while there is none. */
  #kept: LinkSigningRow | null;
  /** Reason why the stored key cannot be used; null if it can, or there is none. */
  trouble: string | null;

  constructor(
    linkId: string,
    { row, key, trouble }: KeptSigning,
    own: Omit<StreamName, 'linkId'>,
    utcNowMs: () => number,
  ) {
    this.linkId = linkId;
    this.#own = own;
    this.clock = new SigningClock(utcNowMs, row?.last ?? 0, row?.floor ?? 0);
    this.#kept = row;
    this.#number = row?.number ?? 0;
    this.trouble = trouble;
    if (key) this.#take(key, row?.streams ?? []);
  }

  /** Checks received frames; null without a key. */
  get gate(): SignatureGate | null {
    return this.#gate;
  }

  /** Signs sent frames; null without a key. */
  get signer(): FrameSigner | null {
    return this.#key && { key: this.#key, linkId: this.#number, clock: this.clock };
  }

  /** True if the stored timestamp covers all signatures so far. */
  get isCovered(): boolean {
    return this.#key === null || this.clock.last <= (this.#kept?.last ?? -1);
  }

  /** True if a stored timestamp will soon be reached, or a received stream is not stored yet. */
  get isDue(): boolean {
    if (this.#gate === null) return false;
    if (this.#kept === null) return true;
    const { last, streams } = this.#kept;
    if (this.clock.last > last - AHEAD_OF_LAST / 2) return true;
    const kept = new Map(streams.map((stream) => [nameOf(stream), stream.timestamp]));
    return this.#gate.streams.some((stream) => {
      return this.#isReceived(stream) && stream.timestamp > (kept.get(nameOf(stream)) ?? 0) - AHEAD / 2;
    });
  }

  /**
   * Returns the row to store. Its timestamps are ahead of the used ones, except in the last row of a run, which is
   * exact.
   */
  row(isLast: boolean): LinkSigningRow {
    const { last, floor } = this.clock;
    const wall = this.clock.wall();
    return {
      linkId: this.linkId,
      number: this.#number,
      last: isLast ? last : Math.max(last + AHEAD_OF_LAST, wall + AHEAD),
      floor: wall > 0 ? Math.max(floor, wall) : floor || last,
      streams: (this.#gate?.streams ?? []).map((stream) => ({
        ...stream,
        timestamp: stream.timestamp + (isLast || !this.#isReceived(stream) ? 0 : AHEAD),
      })),
    };
  }

  kept(row: LinkSigningRow): void {
    this.#kept = row;
  }

  /**
   * Returns the row to store after a change of key; `key` null removes the key. With an unchanged key the known streams
   * are kept.
   */
  rowWith(key: Buffer | null, number: number): LinkSigningRow {
    const row = { ...this.row(false), number };
    if (key !== null && this.#gate?.has(key)) return row;
    return key === null ? { ...row, floor: 0, streams: [] } : { ...row, streams: [] };
  }

  /**
   * Changes the key that signs and checks from now on; null for none. `row` is the row that was stored with the key.
   */
  rekey(key: Buffer | null, row: LinkSigningRow): void {
    this.#kept = row;
    this.#number = row.number;
    this.trouble = null;
    if (key === null) {
      this.#key = null;
      this.#gate = null;
      this.clock.forgetFloor();
    } else if (!this.#gate?.has(key)) {
      this.#take(key, []);
    }
  }

  /**
   * True if the stream was received in this run. Other streams have their stored timestamps, which contain the lead
   * already.
   */
  #isReceived(stream: SigningStream): boolean {
    return this.#left.get(nameOf(stream)) !== stream.timestamp;
  }

  #take(key: Buffer, streams: LinkSigningRow['streams']): void {
    this.#gate = new SignatureGate(key, this.clock, streams, { ...this.#own, linkId: this.#number });
    this.#key = key;
    this.#left = new Map(streams.map((stream) => [nameOf(stream), stream.timestamp]));
  }
}

const nameOf = ({ sysid, compid, linkId }: StreamName): string => `${sysid} ${compid} ${linkId}`;
