import type { AlertView, OutletBox, TrackView } from '../../../model/outlet_view.ts';
import { ulidOf } from './answers.ts';
import { locationOf } from './location.ts';
import type { Alert } from './message.ts';

type Severity = AlertView['severity'];

const typeOf: Readonly<Record<Severity, NonNullable<Alert['alert_type']>>> = {
  ...{ info: 'INFORMATION', notice: 'INFORMATION', warning: 'WARNING', critical: 'CRITICAL' },
};
const priorityOf: Readonly<Record<Severity, NonNullable<Alert['priority']>>> = {
  ...{ info: 'LOW', notice: 'LOW', warning: 'MEDIUM', critical: 'HIGH' },
};
const statusOf: Readonly<Record<AlertView['state'], NonNullable<Alert['status']>>> = {
  ...{ active: 'ACTIVE', acknowledged: 'ACKNOWLEDGE', cleared: 'CLEAR' },
};

/** Converts an alert to a SAPIENT alert at the position of its first track. */
export function alertReport({ nodeId }: OutletBox, alert: AlertView): Alert {
  const { id, severity, state, text, tracks } = alert;
  const scores = tracks.flatMap(({ threat }) => threat?.score ?? []);
  return {
    ...{ alert_id: ulidOf(id), alert_type: typeOf[severity], status: statusOf[state], description: text },
    ...{ priority: priorityOf[severity], ...placeOf(tracks[0]) },
    ...(scores.length === 0 ? {} : { ranking: Math.max(...scores) / 100 }),
    associated_detection: tracks.map(({ track }) => ({ node_id: nodeId, object_id: ulidOf(track.id) })),
  };
}

function placeOf(view: TrackView | undefined): Pick<Alert, 'location'> {
  if (view === undefined || view.track.position === null) return {};
  const { position, uncertainty } = view.track;
  const error = { hM: uncertainty?.h_m, vM: uncertainty?.v_m };
  return { location: locationOf(position.lat, position.lon, position.alt_hae_m, error) };
}
