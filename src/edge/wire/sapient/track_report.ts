import type { TrackView } from '../../../model/outlet_view.ts';
import type { Track } from '../../../model/track.ts';
import { ulidOf } from './answers.ts';
import { sapientTime } from './encode.ts';
import { locationOf } from './location.ts';
import type { DetectionReport } from './message.ts';
import { newUlid } from './node_frame.ts';
import { trackClasses } from './track_classes.ts';

/** Time from the track's state to the prediction that is sent, s. */
const LEAD_S = 5;
/** Greatest `quality` of a track. */
const MOST_QUALITY = 15;
/** Types of Remote ID identities, most meaningful first. */
const remoteIds = ['serial', 'caa', 'utm', 'session'] as const;
/**
 * Form of an `external` identity from a SAPIENT node: the first 8 characters of the node id, and the ULID of the
 * object.
 */
const objectForm = /^([0-9a-f]{8})\/([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** Greatest number of source objects of a track that are sent. */
const MOST_DERIVED = 16;

type Report = DetectionReport;

/**
 * Converts a track to a detection report, with the state `lost` if `isOver`. Null for a track without a position,
 * because SAPIENT requires one.
 */
export function trackReport(view: TrackView, isOver: boolean, utcMs: number): Report | null {
  const { track } = view;
  const { position, uncertainty } = track;
  if (position === null) return null;
  const serial = track.identities.find(({ type }) => type === 'serial')?.value;
  const error = { hM: uncertainty?.h_m, vM: uncertainty?.v_m };
  return {
    ...{ report_id: newUlid(), object_id: ulidOf(track.id), state: isOver ? 'lost' : track.state },
    location: locationOf(position.lat, position.lon, position.alt_hae_m, error),
    detection_confidence: track.quality / MOST_QUALITY,
    ...(isOver ? {} : { ...velocityOf(track), ...predictionOf(track) }),
    object_info: objectInfo(view, utcMs),
    classification: trackClasses(track),
    derived_detection: derivedOf(view),
    ...(serial === undefined ? {} : { id: serial }),
  };
}

function velocityOf({ velocity }: Track): Pick<Report, 'enu_velocity'> {
  const { speed_mps: speed = null, course_deg: course = null, climb_mps: climb = null } = velocity ?? {};
  if (speed === null || course === null) return {};
  const angle = (course * Math.PI) / 180;
  const up = climb === null ? {} : { up_rate: climb };
  return { enu_velocity: { east_rate: speed * Math.sin(angle), north_rate: speed * Math.cos(angle), ...up } };
}

/** Returns the predicted position. Its time counts from the state on which the prediction is based. */
function predictionOf({ predicted, updated_at }: Track): Pick<Report, 'prediction_location'> {
  const ahead = predicted.find(({ in_s }) => in_s === LEAD_S);
  if (ahead === undefined) return {};
  return {
    prediction_location: {
      location: locationOf(ahead.lat, ahead.lon, ahead.alt_hae_m, { hM: ahead.radius_m }),
      predicted_timestamp: sapientTime(Date.parse(updated_at) + LEAD_S * 1_000),
    },
  };
}

function objectInfo({ track, threat }: TrackView, utcMs: number): NonNullable<Report['object_info']> {
  const {
    affiliation,
    affiliation_basis: basis,
    integrity,
    number,
    operator,
    updated_at: placedAt,
    last_seen_at: seenAt,
  } = track;
  const remoteId = remoteIds.flatMap((type) => track.identities.find((one) => one.type === type)?.value ?? [])[0];
  const pilot = operator === null || operator.type === 'takeoff' ? null : operator;
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    ...{ affiliation, 'affiliation basis': basis },
    ...{ 'threat level': threat?.level, 'threat score': threat?.score },
    ...{ integrity: integrity.verdict, number, 'remote id': remoteId },
    ...{ 'pilot latitude': pilot?.lat, 'pilot longitude': pilot?.lon },
    // Age of the reported position: the time since the last update of the track.
    'age s': secondsSince(placedAt, utcMs),
    // Time since a sensor saw the aircraft. The receiver dates the report by it, so boxes in a ring keep no track alive.
    'seen s': secondsSince(seenAt, utcMs),
  };
  return Object.entries(values).flatMap(([type, value]) => (value == null ? [] : [{ type, value: `${value}` }]));
}

const secondsSince = (at: string, utcMs: number): string => Math.max(0, (utcMs - Date.parse(at)) / 1_000).toFixed(2);

/**
 * Returns the objects of SAPIENT nodes from which the track is derived. The track's `external` identities and its
 * lineage name them.
 */
function derivedOf({ track, sensors }: TrackView): NonNullable<Report['derived_detection']> {
  const nodes = new Map(sensors.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [[nodeId.slice(0, 8), nodeId]])));
  const own = track.identities.flatMap(({ type, value }) => {
    const [, node = '', object_id = ''] = (type === 'external' && objectForm.exec(value)) || [];
    const node_id = nodes.get(node);
    return node_id === undefined ? [] : [{ node_id, object_id }];
  });
  // A track of another fusion node is listed together with the sources of that track. In a ring of nodes, a node
  // thus recognises a report that is derived from its own track.
  const ofNodes = track.lineage.flatMap(({ node_id, object_id, derived_from }) => [
    ...(object_id === null ? [] : [{ node_id, object_id }]),
    ...derived_from,
  ]);
  const distinct = new Map([...own, ...ofNodes].map((one) => [`${one.node_id} ${one.object_id}`, one]));
  return [...distinct.values()].slice(0, MOST_DERIVED);
}
