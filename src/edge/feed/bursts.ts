import type { FlightStatus, Observation, ObservationUse } from '../../model/observation.ts';

/** Time within which one broadcast arrives from all its receivers, radios and repeats, ms. */
const BURST_MS = 1_000;
/** Greatest number of remembered broadcasts; the oldest is evicted. */
const MOST = 8_192;

type Status = FlightStatus | null;
/** `others`: further statuses with the same content; null in nearly all cases, since thousands are kept under load. */
type Burst = { readonly firstMs: number; readonly status: Status; others: Set<Status> | null };

/**
 * Broadcasts of the last second, from all receivers. A position equal to one that was just reported, by this or another
 * receiver, is the same observation and must count only once. The status is part of the content: the same position with
 * another status is a contradiction, not a repeat. A forger thus cannot hide the emergency of an aircraft by repeating
 * its reports.
 */
export class Bursts {
  /** Broadcasts by their key (`keyOf`), in the order of the first report. */
  readonly #bursts = new Map<string, Burst>();

  /** Classifies an observation and remembers it. An observation without a position always counts as a measurement. */
  useOf(o: Observation): ObservationUse {
    if (o.latDeg === null) return 'measure';
    const key = keyOf(o);
    const burst = this.#bursts.get(key);
    if (burst && o.receivedMs - burst.firstMs <= BURST_MS) {
      if (burst.status === o.status || burst.others?.has(o.status)) return 'repeat';
      burst.others ??= new Set();
      burst.others.add(o.status);
      return 'contradiction';
    }
    this.#forget(o.receivedMs);
    this.#bursts.delete(key);
    this.#bursts.set(key, { firstMs: o.receivedMs, status: o.status, others: null });
    return 'measure';
  }

  #forget(nowMs: number): void {
    for (const [key, { firstMs }] of this.#bursts) {
      if (nowMs - firstMs <= BURST_MS && this.#bursts.size < MOST) return;
      this.#bursts.delete(key);
    }
  }
}

/** Greatest length of a name in the content of a broadcast, bytes. Names are a few tens of characters long. */
const NAME_BYTES = 384;
/** Content of one broadcast, its numbers and then the name of its transmitter, and the same memory as bytes. */
const numbers = new Float64Array(12 + NAME_BYTES / 8);
const bytes = Buffer.from(numbers.buffer);
const NAME_AT = 12 * 8;

/** Sets a number of the content. Minus zero is zero: its bytes differ. */
function put(index: number, value: number | null): void {
  numbers[index] = value === null ? Number.NaN : value + 0;
}

/**
 * Key of a broadcast: the location's content and one identity. The identity is needed because different transmitters,
 * such as test transmitters, may send equal locations. The content is a character for each byte of its numbers. Decimal
 * texts take several times as long, and thousands of broadcasts arrive per second. For the same reason the name is written
 * into the same memory: two joined strings are copied once more, and each copy is kept for a second.
 */
function keyOf(o: Observation): string {
  put(0, o.latDeg);
  put(1, o.lonDeg);
  put(2, o.altHaeM);
  put(3, o.heightTakeoffM);
  put(4, o.altAglM);
  put(5, o.sigmaHM);
  put(6, o.sigmaVM);
  put(7, o.sigmaSpeedMps);
  put(8, o.speedMps);
  put(9, o.courseDeg);
  put(10, o.climbMps);
  put(11, secondsOf(o));
  const name = (o.identities.find(({ type }) => type !== 'mac') ?? o.identities[0])?.value ?? '';
  const key = bytes.toString('latin1', 0, NAME_AT + bytes.write(name, NAME_AT));
  return name.length * 3 <= NAME_BYTES ? key : key + name;
}

/**
 * Returns the time within the hour by the source's clock, ms; null without a source time. The hour is left out because
 * each receiver has to guess it.
 */
function secondsOf({ sourceMs }: Observation): number | null {
  return sourceMs === null ? null : sourceMs % 3_600_000;
}
