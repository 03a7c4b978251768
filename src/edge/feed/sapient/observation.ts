import type { Identity, Observation } from '../../../model/observation.ts';
import type { Placement } from '../../../model/sensor.ts';
import { serialFault } from '../../../model/serial.ts';
import { normaliseDeg } from '../../../model/units.ts';
import type { DetectionReport } from '../../wire/sapient/message.ts';
import { visible } from '../../wire/sapient/visible.ts';
import { blankObservation } from '../blank.ts';
import { readBearing } from './bearing.ts';
import { classesOf } from './classification.ts';
import { readPlace } from './location.ts';
import type { NodeMode } from './registration.ts';
import { sigmaOf, single, within } from './units.ts';

/** Node that sent a report, and the times of the report. */
export type Reporter = {
  nodeId: string;
  sensorId: string;
  linkId: string;
  mode: NodeMode;
  placement: Placement | null;
  /** Time of sending by the node's clock, and the same time by ours, world ms. */
  sentMs: number;
  timeMs: number;
  receivedMs: number;
};

/**
 * Report that makes no observation. `why` is a reason that people can correct; null if the report itself is impossible
 * or too old.
 */
export type RefusedReport = { why: string | null };

const MOST_ID = 120;
const [MOST_SPEED_MPS, MOST_CLIMB_MPS] = [2_000, 1_000];
const RADIAN = Math.PI / 180;
const icao24Form = /^[0-9a-f]{6}$/i;
const impossible: RefusedReport = { why: null };

export function observationOf(report: DetectionReport, reporter: Reporter): Observation | RefusedReport {
  const { sensorId, linkId, receivedMs, sentMs, timeMs } = reporter;
  const observation = blankObservation(sensorId, linkId, receivedMs);
  observation.obsId = report.report_id;
  observation.sourceMs = sentMs;
  observation.timeMs = timeMs;
  const refused = locate(observation, report, reporter) ?? move(observation, report, reporter.mode);
  if (refused !== null) return refused;
  observation.identities = identitiesOf(report, reporter);
  observation.classification = classesOf(report);
  const confidence = within(report.detection_confidence, 0, 1);
  observation.confidence = confidence === null ? null : single(confidence);
  addSignal(observation, report);
  return observation;
}

function locate(observation: Observation, report: DetectionReport, reporter: Reporter): RefusedReport | null {
  const { placement, mode } = reporter;
  if (report.location !== undefined) {
    const near = placement === null ? null : { latDeg: placement.lat, lonDeg: placement.lon };
    const place = readPlace(report.location, { zone: mode.zone, near });
    if (place === null) return impossible;
    Object.assign(observation, { report: 'position', ...place });
    return null;
  }
  if (report.range_bearing === undefined) return impossible;
  const bearing = readBearing(report.range_bearing, placement);
  if (typeof bearing === 'string') return { why: bearing };
  if (bearing === null) return impossible;
  const { azimuthDeg, rangeM } = bearing;
  const kind = azimuthDeg === null ? 'presence' : rangeM === null ? 'bearing' : 'range_bearing';
  Object.assign(observation, { report: kind, ...bearing });
  return null;
}

function move(observation: Observation, { enu_velocity }: DetectionReport, mode: NodeMode): RefusedReport | null {
  if (enu_velocity === undefined) return null;
  const { east_rate, north_rate, up_rate, east_rate_error = 0, north_rate_error = 0 } = enu_velocity;
  const { groundMps, upMps } = mode;
  const speedMps = within(Math.hypot(east_rate, north_rate) * groundMps, 0, MOST_SPEED_MPS);
  const climbMps = up_rate === undefined ? null : within(up_rate * upMps, -MOST_CLIMB_MPS, MOST_CLIMB_MPS);
  if (speedMps === null || (climbMps === null && up_rate !== undefined)) return impossible;
  observation.speedMps = speedMps;
  observation.courseDeg = speedMps === 0 ? null : normaliseDeg(Math.atan2(east_rate, north_rate) / RADIAN);
  observation.climbMps = climbMps;
  observation.sigmaSpeedMps = sigmaOf(Math.max(east_rate_error, north_rate_error) * groundMps, 1_000);
  return null;
}

function identitiesOf({ object_id, id }: DetectionReport, { nodeId, mode }: Reporter): Identity[] {
  const identities: Identity[] = [];
  if (mode.tracks)
    identities.push({ type: 'external', value: `${nodeId.slice(0, 8)}/${object_id}`, transport: 'network' });
  const value = visible(id, MOST_ID);
  if (value === '') return identities;
  // Identities that the node states are claims, not proofs.
  if (serialFault(value) === null) identities.push({ type: 'serial', value, transport: 'network' });
  else if (icao24Form.test(value))
    identities.push({ type: 'icao24', value: value.toUpperCase(), transport: 'network' });
  else identities.push({ type: 'callsign', value, transport: 'network' });
  return identities;
}

function addSignal(observation: Observation, { signal = [] }: DetectionReport): void {
  const [first] = signal;
  if (first === undefined) return;
  const { amplitude, centre_frequency, start_frequency, stop_frequency } = first;
  const rssiDbm = within(amplitude, -200, 50);
  observation.rssiDbm = rssiDbm === null ? null : single(rssiDbm);
  observation.centerHz = positive(centre_frequency);
  if (start_frequency !== undefined && stop_frequency !== undefined)
    observation.bandwidthHz = positive(single(stop_frequency) - single(start_frequency));
}

function positive(hz: number): number | null {
  return hz > 0 && hz <= 1e12 ? single(hz) : null;
}
