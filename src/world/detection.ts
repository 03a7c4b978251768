import { randomUUID } from 'node:crypto';
import type { Detection, Rejection } from '../model/detection.ts';
import type { Observation } from '../model/observation.ts';
import { formatTime } from '../model/time.ts';

/** The stored and served form of an observation and of what became of it. */
export function detectionOf(
  o: Observation,
  trackId: string | null,
  rejectedBy: Rejection | null,
  utcMs: (worldMs: number) => number,
): Detection {
  const placed = o.latDeg !== null && o.lonDeg !== null;
  const moving = o.speedMps !== null || o.courseDeg !== null || o.climbMps !== null;
  return {
    id: randomUUID(),
    obs_id: o.obsId,
    sensor_id: o.sensorId,
    link_id: o.linkId,
    track_id: trackId,
    rejected_by: rejectedBy,
    received_at: formatTime(utcMs(o.receivedMs)),
    source_at: o.sourceMs === null ? null : formatTime(o.sourceMs),
    report: o.report,
    position: placed
      ? {
          lat: o.latDeg ?? 0,
          lon: o.lonDeg ?? 0,
          alt_hae_m: o.altHaeM,
          alt_msl_m: o.altMslM,
          alt_agl_m: o.altAglM,
          height_takeoff_m: o.heightTakeoffM,
        }
      : null,
    range_m: o.rangeM,
    azimuth_deg: o.azimuthDeg,
    elevation_deg: o.elevationDeg,
    sigma: sigmaOf(o),
    velocity: moving ? { speed_mps: o.speedMps, course_deg: o.courseDeg, climb_mps: o.climbMps } : null,
    identity: o.identities,
    classification: o.classification,
    operator: o.operator,
    takeoff: o.takeoff,
    signal:
      o.rssiDbm === null && o.centerHz === null
        ? null
        : { rssi_dbm: o.rssiDbm, center_hz: o.centerHz, bandwidth_hz: o.bandwidthHz },
    status: o.status,
    confidence: o.confidence,
  };
}

function sigmaOf(o: Observation): Detection['sigma'] {
  const sigma = {
    h_m: o.sigmaHM,
    v_m: o.sigmaVM,
    range_m: o.sigmaRangeM,
    azimuth_deg: o.sigmaAzimuthDeg,
    elevation_deg: o.sigmaElevationDeg,
    speed_mps: o.sigmaSpeedMps,
  };
  return Object.values(sigma).every((value) => value === null) ? null : sigma;
}
