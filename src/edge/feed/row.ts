import { haeOfMsl } from '../../geo/geoid.ts';
import type { Observation, ObservationDocument } from '../../model/observation.ts';
import { parseTime } from '../../model/time.ts';
import { blankObservation } from './blank.ts';

/** A row of `POST /api/ingest/obs` or of an obs_json link as an observation. Its time is yet to be judged. */
export function observationOfRow(
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

/** True for a report that means nothing without the place of its sensor. */
export function needsPlacement({ report }: ObservationDocument): boolean {
  return report === 'bearing' || report === 'range_bearing';
}
