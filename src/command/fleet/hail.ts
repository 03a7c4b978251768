import { messageIds } from '../../edge/wire/mavlink/known.ts';
import { type Payload, writeHeartbeat } from '../../edge/wire/mavlink/write.ts';
import { writeCommandLong } from '../../edge/wire/mavlink/write_vehicle.ts';
import { HEARD_MS } from './available.ts';
import type { Endpoint } from './endpoint.ts';
import { CMD, MAV_AUTOPILOT_INVALID, MAV_TYPE_GCS } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

const MAV_STATE_ACTIVE = 4;

/** Ours, as a ground station. */
export function ownHeartbeat(): Payload {
  return writeHeartbeat({
    ...{ type: MAV_TYPE_GCS, autopilot: MAV_AUTOPILOT_INVALID, baseMode: 0, customMode: 0 },
    ...{ systemStatus: MAV_STATE_ACTIVE, mavlinkVersion: 3 },
  });
}

/** The addresses that vehicles were heard at, each once: several may be behind one, a router or a radio. */
export function addressesOf(vehicles: readonly Vehicle[], nowMs: number): Pick<Endpoint, 'linkId' | 'from'>[] {
  const found = new Map<string, Endpoint>();
  for (const vehicle of vehicles)
    for (const endpoint of vehicle.endpoints.all())
      if (nowMs - endpoint.lastMs <= 3 * HEARD_MS) found.set(`${endpoint.linkId} ${endpoint.from}`, endpoint);
  return [...found.values()];
}

/** What asks an address since when its autopilot runs and where it is. */
export function whereabouts(endpoint: Endpoint): Payload[] {
  const wanted = [messageIds.systemTime, messageIds.globalPositionInt];
  return wanted.map((msgid) => writeCommandLong(endpoint, CMD.requestMessage, [msgid], 0));
}
