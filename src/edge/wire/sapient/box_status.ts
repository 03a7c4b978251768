import type { Health } from '../../../model/health.ts';
import type { OutletPlace } from '../../../model/outlet_view.ts';
import { MODE_NAME } from './box_registration.ts';
import { locationOf } from './location.ts';
import type { StatusReport } from './message.ts';
import { newUlid } from './node_frame.ts';

/** State of the box for the higher node, to which it reports; `GOODBYE` means that the box leaves. */
export type BoxSystem = NonNullable<StatusReport['system']>;

/** State of the box, its parts that are not up, and its position; null if the position is unknown. */
export type BoxStatus = { system: BoxSystem; unwell: Health['parts']; place: OutletPlace | null };

/** Longest text about a part, characters. */
const MOST_TEXT = 400;
/** Part of the box's health that its status leaves out: this part is the connection to the higher node itself. */
const OUTLETS = 'outlets';

/**
 * Derives the status of a box from its health. A needed part that is down makes an error; other faults make a
 * warning.
 */
export function boxStatus({ parts }: Health, place: OutletPlace | null): BoxStatus {
  const unwell = parts.filter(({ name, state }) => state !== 'up' && name !== OUTLETS);
  const isDown = unwell.some(({ state, needed }) => needed && state === 'down');
  return { system: isDown ? 'ERROR' : unwell.length > 0 ? 'WARNING' : 'OK', unwell, place };
}

/** Creates a full status report. */
export function statusReport({ system, unwell, place }: BoxStatus): StatusReport {
  return {
    ...{ report_id: newUlid(), system, info: 'NEW', mode: MODE_NAME },
    ...(place === null ? {} : { node_location: locationOf(place.lat, place.lon, place.altHaeM) }),
    status: unwell.map(({ name, state, text }) => ({
      status_level: state === 'down' ? 'ERROR_STATUS' : 'WARNING_STATUS',
      status_type: name === 'sensors' || name === 'links' ? 'NOT_DETECTING' : 'INTERNAL_FAULT',
      status_value: `${name}: ${text}`.slice(0, MOST_TEXT),
    })),
  };
}

/** Creates a status report which says that nothing changed since the last full report; `system` is repeated. */
export function unchangedReport(system: BoxSystem): StatusReport {
  return { report_id: newUlid(), system, info: 'UNCHANGED', mode: MODE_NAME };
}
