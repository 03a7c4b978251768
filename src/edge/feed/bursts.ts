import type { Observation, ObservationUse } from '../../model/observation.ts';

/** Time within which one broadcast arrives from all its receivers, radios and repeats, ms. */
const BURST_MS = 1_000;
/** Greatest number of remembered broadcasts; the oldest is evicted. */
const MOST = 8_192;

type Burst = { firstMs: number; readonly statuses: Set<Observation['status']> };

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
      if (burst.statuses.has(o.status)) return 'repeat';
      burst.statuses.add(o.status);
      return 'contradiction';
    }
    this.#forget(o.receivedMs);
    this.#bursts.delete(key);
    this.#bursts.set(key, { firstMs: o.receivedMs, statuses: new Set([o.status]) });
    return 'measure';
  }

  #forget(nowMs: number): void {
    for (const [key, { firstMs }] of this.#bursts) {
      if (nowMs - firstMs <= BURST_MS && this.#bursts.size < MOST) return;
      this.#bursts.delete(key);
    }
  }
}

/**
 * Key of a broadcast: the location's content and one identity. The identity is needed because different transmitters,
 * such as test transmitters, may send equal locations.
 */
function keyOf(o: Observation): string {
  const name = o.identities.find(({ type }) => type !== 'mac') ?? o.identities[0];
  const place = `${o.latDeg} ${o.lonDeg} ${o.altHaeM} ${o.heightTakeoffM} ${o.altAglM}`;
  const sigma = `${o.sigmaHM} ${o.sigmaVM} ${o.sigmaSpeedMps}`;
  return `${name?.value} ${place} ${sigma} ${o.speedMps} ${o.courseDeg} ${o.climbMps} ${secondsOf(o)}`;
}

/**
 * Returns the time within the hour by the source's clock, ms; null without a source time. The hour is left out because
 * each receiver has to guess it.
 */
function secondsOf({ sourceMs }: Observation): number | null {
  return sourceMs === null ? null : sourceMs % 3_600_000;
}
