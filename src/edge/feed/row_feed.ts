import type { ObservationDocument } from '../../model/observation.ts';
import { ClockOffset } from './clock_offset.ts';
import { needsPlacement, observationOfRow } from './row.ts';
import { SenderMap } from './sender_map.ts';
import { type TellRim, tell } from './tell.ts';

/** An obs_id seen so long ago is new again; so many are remembered. */
const DUPLICATE_MS = 600_000;
const MAX_IDS = 200_000;

export type RowOutcome = 'accepted' | 'duplicate' | { error: string };

/** Takes observations that came as rows, over HTTP or on an obs_json link: same checks, same clock, same memory. */
export class RowFeed {
  readonly #rim: TellRim;
  readonly #seen = new Map<string, number>();
  readonly #clocks: SenderMap<ClockOffset>;

  constructor(rim: TellRim) {
    this.#rim = rim;
    this.#clocks = new SenderMap(rim.settings.maxSenders);
  }

  take(row: ObservationDocument, linkId: string | null, atMs: number): RowOutcome {
    const sensor = this.#rim.sensors.resolve(row.sensor_id);
    if (!sensor) {
      return {
        error: `'sensor_id' names no sensor: none has the id or name '${row.sensor_id}'; declare it with POST /api/sensors or in the configuration`,
      };
    }
    if (needsPlacement(row) && sensor.placement === null) {
      return {
        error: `'sensor_id' must name a sensor with a placement, and ${sensor.name} has none: a ${row.report} report needs it`,
      };
    }
    if (row.obs_id != null && this.#isDuplicate(`${sensor.id} ${row.obs_id}`, atMs)) return 'duplicate';
    const observation = observationOfRow(row, sensor.id, linkId, atMs);
    if (observation.sourceMs !== null) {
      const clock = this.#clocks.of(sensor.id, () => new ClockOffset());
      observation.timeMs = clock.correct(observation.sourceMs, atMs);
      this.#rim.sensors.clockOffset(sensor.id, clock.offsetMs);
    }
    const rejectedBy = tell(observation, this.#rim);
    if (rejectedBy === null) return 'accepted';
    const ageS = ((atMs - observation.timeMs) / 1000).toFixed(1);
    return {
      error: `'source_at' is ${rejectedBy === 'too_old' ? `${ageS} s old` : `${-Number(ageS)} s ahead`} after the sensor's learnt clock offset`,
    };
  }

  /** The map keeps its order of arrival, so what is too old stands first. */
  #isDuplicate(key: string, atMs: number): boolean {
    for (const [oldKey, oldMs] of this.#seen) {
      if (atMs - oldMs <= DUPLICATE_MS && this.#seen.size < MAX_IDS) break;
      this.#seen.delete(oldKey);
    }
    if (this.#seen.has(key)) return true;
    this.#seen.set(key, atMs);
    return false;
  }
}
