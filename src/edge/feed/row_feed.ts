import { haeOfMsl } from '../../geo/geoid.ts';
import type { Observation, ObservationDocument } from '../../model/observation.ts';
import { modalityTraits } from '../../model/sensor.ts';
import { parseTime } from '../../model/time.ts';
import { blankObservation } from './blank.ts';
import { ClockOffset } from './clock_offset.ts';
import { type ReportDeps, report } from './report.ts';
import { SenderMap } from './sender_map.ts';

/** Time for which a repeated `obs_id` counts as a duplicate, ms, and greatest number of remembered ids. */
const DUPLICATE_MS = 600_000;
const MAX_IDS = 200_000;

type RowOutcome = 'accepted' | 'duplicate' | { error: string };

/**
 * Accepts observations as rows, from HTTP or from an obs_json link. Both share the clock offsets and the duplicate
 * detection.
 */
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
    // A row does not prove its sender. Without this check any link could keep a receiver of another link alive by
    // naming it.
    if (linkId !== null && sensor.declaredBy === 'link' && sensor.linkId !== linkId) {
      return {
        error: `'sensor_id' names ${sensor.name}, a receiver of another link: its rows are accepted only over that link`,
      };
    }
    if (needsPlacement(row) && sensor.placement === null) {
      return {
        error: `a ${row.report} report needs a sensor with a placement, and ${sensor.name} has none`,
      };
    }
    if (modalityTraits[sensor.modality].fused && !row.identity?.length) {
      return {
        error: `'identity' is missing: ${sensor.name} reports tracks of another system, so a row must give the track's number`,
      };
    }
    if (row.obs_id != null && this.#isDuplicate(`${sensor.id} ${row.obs_id}`, atMs)) return 'duplicate';
    const observation = observationOfRow(row, sensor.id, linkId, atMs);
    if (observation.sourceMs !== null) {
      const clock = this.#clocks.of(sensor.id, () => new ClockOffset());
      observation.timeMs = clock.correct(observation.sourceMs, atMs);
      this.#deps.sensors.clockOffset(sensor.id, clock.offsetMs);
    }
    const rejectedBy = report(observation, this.#deps);
    if (rejectedBy === null) return 'accepted';
    const ageS = ((atMs - observation.timeMs) / 1000).toFixed(1);
    return {
      error: `'source_at' is ${rejectedBy === 'too_old' ? `${ageS} s old` : `${-Number(ageS)} s ahead`} after correction by the sensor's learnt clock offset: the limits are feeds.max_age_s and feeds.ahead_s`,
    };
  }

  /**
   * Returns whether an id was seen in the last `DUPLICATE_MS`. The map is in the order of arrival, so outdated
   * entries come first.
   */
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

/** Converts a row of `POST /api/ingest/obs` or of an obs_json link to an observation. The caller judges its time. */
function observationOfRow(
  row: ObservationDocument,
  sensorId: string,
  linkId: string | null,
  receivedMs: number,
): Observation {
  const { position, sigma, velocity, signal } = row;
  const observation = blankObservation(sensorId, linkId, receivedMs);
  observation.obsId = row.obs_id ?? null;
  observation.report = row.report;
  observation.sourceMs = row.source_at == null ? null : parseTime(row.source_at);
  observation.latDeg = position?.lat ?? null;
  observation.lonDeg = position?.lon ?? null;
  observation.altMslM = position?.alt_msl_m ?? null;
  observation.altHaeM =
    position?.alt_hae_m ??
    (position?.alt_msl_m == null ? null : haeOfMsl(position.alt_msl_m, position.lat, position.lon));
  observation.altAglM = position?.alt_agl_m ?? null;
  observation.heightTakeoffM = position?.height_takeoff_m ?? null;
  observation.rangeM = row.range_m ?? null;
  observation.azimuthDeg = row.azimuth_deg ?? null;
  observation.elevationDeg = row.elevation_deg ?? null;
  observation.sigmaHM = sigma?.h_m ?? null;
  observation.sigmaVM = sigma?.v_m ?? null;
  observation.sigmaRangeM = sigma?.range_m ?? null;
  observation.sigmaAzimuthDeg = sigma?.azimuth_deg ?? null;
  observation.sigmaElevationDeg = sigma?.elevation_deg ?? null;
  observation.sigmaSpeedMps = sigma?.speed_mps ?? null;
  observation.speedMps = velocity?.speed_mps ?? null;
  observation.courseDeg = velocity?.course_deg ?? null;
  observation.climbMps = velocity?.climb_mps ?? null;
  observation.identities = row.identity ?? [];
  observation.classification = row.classification ?? [];
  observation.operator = row.operator ?? null;
  observation.takeoff = row.takeoff ?? null;
  observation.rssiDbm = signal?.rssi_dbm ?? null;
  observation.centerHz = signal?.center_hz ?? null;
  observation.bandwidthHz = signal?.bandwidth_hz ?? null;
  observation.status = row.status ?? null;
  observation.confidence = row.confidence ?? null;
  return observation;
}

function needsPlacement({ report }: ObservationDocument): boolean {
  return report === 'bearing' || report === 'range_bearing';
}
