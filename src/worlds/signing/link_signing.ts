import type { FrameSigner } from '../../edge/wire/mavlink/encode.ts';
import { SignatureGate, type SigningStream, type StreamName } from '../../edge/wire/mavlink/signing.ts';
import { SIGNING_UNITS_PER_S, SigningClock } from '../../edge/wire/mavlink/signing_clock.ts';
import type { LinkSigningRow } from '../../store/link_signing.ts';

/** What is kept runs so far ahead of what was signed and heard: a process that is killed forgets none of it. */
const AHEAD = 20 * SIGNING_UNITS_PER_S;
/** Of timestamps that do not follow our own clock. A killed process begins so much later each time, so it is less. */
const AHEAD_OF_LAST = 5 * SIGNING_UNITS_PER_S;

/** What a link was left with by a former run. */
export type KeptSigning = { row: LinkSigningRow | null; key: Buffer | null; trouble: string | null };

/**
 * What one link signs with and checks by: its key, which comes and goes while the link is open, and the times that must
 * only ever rise. It outlives the link's being closed and opened anew.
 */
export class LinkSigning {
  readonly linkId: string;
  readonly clock: SigningClock;
  readonly #own: Omit<StreamName, 'linkId'>;
  #number: number;
  #key: Buffer | null = null;
  #gate: SignatureGate | null = null;
  /** As former runs left them. */
  #left: ReadonlyMap<string, number> = new Map();
  /** What is on the disk; null while there is nothing. */
  #kept: LinkSigningRow | null;
  /** Why there is a key that cannot be used. */
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

  /** What checks what comes in; null where there is no key. */
  get gate(): SignatureGate | null {
    return this.#gate;
  }

  /** What signs what goes out; null where there is no key. */
  get signer(): FrameSigner | null {
    return this.#key && { key: this.#key, linkId: this.#number, clock: this.clock };
  }

  /** Whether what is on the disk covers what was signed so far. */
  get isCovered(): boolean {
    return this.#key === null || this.clock.last <= (this.#kept?.last ?? -1);
  }

  /** Whether what is on the disk will soon be passed, or has no notice of a signer. */
  get isDue(): boolean {
    if (this.#gate === null) return false;
    if (this.#kept === null) return true;
    const { last, streams } = this.#kept;
    if (this.clock.last > last - AHEAD_OF_LAST / 2) return true;
    const kept = new Map(streams.map((stream) => [nameOf(stream), stream.timestamp]));
    return this.#gate.streams.some((stream) => {
      return this.#isHeard(stream) && stream.timestamp > (kept.get(nameOf(stream)) ?? 0) - AHEAD / 2;
    });
  }

  /** As it is to be kept: ahead of what was, while more is to come. */
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
        timestamp: stream.timestamp + (isLast || !this.#isHeard(stream) ? 0 : AHEAD),
      })),
    };
  }

  kept(row: LinkSigningRow): void {
    this.#kept = row;
  }

  /** As it is to be kept with another key, or none. Signers of the key that it has are not forgotten. */
  rowWith(key: Buffer | null, number: number): LinkSigningRow {
    const row = { ...this.row(false), number };
    if (key !== null && this.#gate?.has(key)) return row;
    return key === null ? { ...row, floor: 0, streams: [] } : { ...row, streams: [] };
  }

  /** From now on this key signs and checks, or none; `row` is what was kept of it. */
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

  /** In this run: what was left by a former one is ahead of it already. */
  #isHeard(stream: SigningStream): boolean {
    return this.#left.get(nameOf(stream)) !== stream.timestamp;
  }

  #take(key: Buffer, streams: LinkSigningRow['streams']): void {
    this.#gate = new SignatureGate(key, this.clock, streams, { ...this.#own, linkId: this.#number });
    this.#key = key;
    this.#left = new Map(streams.map((stream) => [nameOf(stream), stream.timestamp]));
  }
}

const nameOf = ({ sysid, compid, linkId }: StreamName): string => `${sysid} ${compid} ${linkId}`;
