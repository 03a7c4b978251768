import type { ObservationDocument } from '../../model/observation.ts';
import { ClockOffset } from './clock_offset.ts';
import { type ReportDeps, tell } from './report.ts';
import { needsPlacement, observationOfRow } from './row.ts';
import { SenderMap } from './sender_map.ts';

/** An obs_id seen so long ago is new again; so many are remembered. */
const DUPLICATE_MS = 600_000;
const MAX_IDS = 200_000;

type RowOutcome = 'accepted' | 'duplicate' | { error: string };

/** Takes observations that came as rows, over HTTP or on an obs_json link: same checks, same clock, same memory. */
export class RowFeed {
  readonly #deps: ReportDeps;
  readonly #seen = new Map<string, number>();
  readonly #clocks: SenderMap<ClockOffset>;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
    this.#clocks = new SenderMap(deps.settings.maxSenders);
  }

  take(row: ObservationDocument, linkId: string | null, atMs: number): RowOutcome {
    const sensor = this.#deps.sensors.resolve(row.sensor_id);
    if (!sensor) {
      return {
        error: `'sensor_id' names no sensor: none has the id or name '${row.sensor_id}'; declare it with POST /api/sensors or in the configuration`,
      };
    }
    // A row proves nothing of its sender: the name of a receiver would keep it alive from any other link.
    if (linkId !== null && sensor.declaredBy === 'link' && sensor.linkId !== linkId) {
      return { error: `'sensor_id' names ${sensor.name}, a receiver of another link: its rows come over that link` };
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
      this.#deps.sensors.clockOffset(sensor.id, clock.offsetMs);
    }
    const rejectedBy = tell(observation, this.#deps);
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
