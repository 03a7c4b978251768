import type { Observation, ObservationUse } from '../../model/observation.ts';

/** Time within which one broadcast reaches all its receivers, by all its radios and repeats, ms. */
const BURST_MS = 1_000;
/** Greatest number of remembered broadcasts; the oldest is evicted. */
const MOST = 8_192;

type Burst = { firstMs: number; readonly statuses: Set<Observation['status']> };

/**
 * Broadcasts of the last second, from all receivers. A position that another receiver reported just before is the same
 * observation, and must count once. The status is part of the content: a report with the same place and another status
 * is a contradiction, not a repeat. A forger thus cannot hide an aircraft's emergency by echoing its reports.
 */
export class Bursts {
  /** Bursts by the place reported, in the order of their first report. */
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
 * Key of a broadcast: the content of the location and one identity. Different transmitters may send equal locations, as
 * test transmitters do.
 */
function keyOf(o: Observation): string {
  const name = o.identities.find(({ type }) => type !== 'mac') ?? o.identities[0];
  const place = `${o.latDeg} ${o.lonDeg} ${o.altHaeM} ${o.heightTakeoffM} ${o.altAglM}`;
  const sigma = `${o.sigmaHM} ${o.sigmaVM} ${o.sigmaSpeedMps}`;
  return `${name?.value} ${place} ${sigma} ${o.speedMps} ${o.courseDeg} ${o.climbMps} ${secondsOf(o)}`;
}

/** Seconds of the source's clock within the hour: each receiver guesses the hour for itself. */
function secondsOf({ sourceMs }: Observation): number | null {
  return sourceMs === null ? null : sourceMs % 3_600_000;
}
