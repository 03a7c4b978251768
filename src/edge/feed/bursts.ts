import type { Observation } from '../../model/observation.ts';

/** One broadcast reaches all who receive it, by all its radios and repeats, within so long. */
const BURST_MS = 1_000;
/** Broadcasts remembered; the oldest makes room. */
const MOST = 8_192;

/**
 * Broadcasts of the last second, from whichever receiver. A report of a place that another receiver has just brought in
 * is the same observation, and must count once.
 */
export class Bursts {
  /** When the first of each was received, in that order. */
  readonly #firstMs = new Map<string, number>();

  /** Whether the observation repeats one of the same burst, which is noted. One without a place repeats none. */
  isRepeat(o: Observation): boolean {
    if (o.latDeg === null) return false;
    const key = keyOf(o);
    const firstMs = this.#firstMs.get(key);
    if (firstMs !== undefined && o.receivedMs - firstMs <= BURST_MS) return true;
    this.#forget(o.receivedMs);
    this.#firstMs.delete(key);
    this.#firstMs.set(key, o.receivedMs);
    return false;
  }

  #forget(nowMs: number): void {
    for (const [key, ms] of this.#firstMs) {
      if (nowMs - ms <= BURST_MS && this.#firstMs.size < MOST) return;
      this.#firstMs.delete(key);
    }
  }
}

/** The content of a location, and the name told with it: different transmitters may send one content, as those of a test do. */
function keyOf(o: Observation): string {
  const name = o.identities.find(({ type }) => type !== 'mac') ?? o.identities[0];
  const place = `${o.latDeg} ${o.lonDeg} ${o.altHaeM} ${o.heightTakeoffM} ${o.altAglM}`;
  return `${name?.value} ${place} ${o.speedMps} ${o.courseDeg} ${o.climbMps} ${secondsOf(o)}`;
}

/** What the source's clock showed; which hour was meant is each receiver's own guess. */
function secondsOf({ sourceMs }: Observation): number | null {
  return sourceMs === null ? null : sourceMs % 3_600_000;
}
