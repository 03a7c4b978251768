import { messageIds } from '../edge/wire/mavlink/known.ts';
import { type Payload, writeHeartbeat } from '../edge/wire/mavlink/write.ts';
import { writeCommandLong } from '../edge/wire/mavlink/write_vehicle.ts';
import { SILENT_AFTER_MS } from './available.ts';
import type { FleetAsset, FleetDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import type { FleetLinks } from './links.ts';
import { MAV_AUTOPILOT_INVALID, MAV_TYPE_GCS } from './mav.ts';
import type { Member } from './roster.ts';
import type { Vehicle } from './vehicle.ts';
import { CMD } from './verbs.ts';

const MAV_STATE_ACTIVE = 4;

export type HailDeps = Pick<FleetDeps, 'nowMs' | 'transmit' | 'registry'> & {
  links: FleetLinks;
  assetOf(vehicle: Vehicle): FleetAsset | null;
};

/** Sends messages to vehicles: requests for information, our heartbeat, and orders. */
export class Hail {
  readonly #deps: HailDeps;

  constructor(deps: HailDeps) {
    this.#deps = deps;
  }

  /**
   * Whether requests may be sent to a vehicle: discovery is on, and the vehicle is adopted or its link may list
   * vehicles that nobody has adopted.
   */
  mayAsk(vehicle: Vehicle): boolean {
    if (!this.#deps.registry()?.discoveryOn()) return false;
    return this.#deps.assetOf(vehicle) !== null || this.isListed(vehicle);
  }

  /** Whether at least one of the vehicle's links lists vehicles that nobody has adopted. */
  isListed(vehicle: Vehicle): boolean {
    return vehicle.endpoints.all().some(({ linkId }) => this.#deps.links.of(linkId)?.policy.discover === 'list');
  }

  /** Sends the next due request, if requests may be sent to the vehicle. */
  ask({ vehicle, contact }: Member, nowMs: number): void {
    if (nowMs - vehicle.receivedMs > SILENT_AFTER_MS || !this.mayAsk(vehicle)) return;
    const payload = contact.due(vehicle, nowMs);
    if (payload) this.transmit(vehicle, payload).catch(() => {});
  }

  /**
   * Requests boot clock and position from rival addresses that may now be the vehicle. No other message is sent to a
   * rival.
   */
  askRivals(vehicle: Vehicle, nowMs: number): void {
    for (const endpoint of vehicle.endpoints.toAsk(nowMs)) {
      if (!this.mayAsk(vehicle)) return;
      for (const payload of whereabouts(endpoint))
        this.#deps.transmit(endpoint.linkId, payload, endpoint.from).catch(() => {});
    }
  }

  /** Sends a message to a vehicle over its best link. */
  transmit(vehicle: Vehicle, payload: Payload): Promise<void> {
    const endpoint = this.#deps.links.best(vehicle, this.#deps.nowMs());
    if (!endpoint) return Promise.reject(new Error('no link receives the vehicle'));
    return this.#deps.transmit(endpoint.linkId, payload, endpoint.from);
  }

  /**
   * Sends our heartbeat, because components do not answer a station without one. The fleet's tick calls this, so that
   * the heartbeat stops if the service fails.
   */
  sayHeartbeat(vehicles: readonly Vehicle[], nowMs: number): void {
    const asked = vehicles.filter((vehicle) => this.mayAsk(vehicle));
    for (const { linkId, from } of addressesOf(asked, nowMs)) {
      this.#deps.transmit(linkId, ownHeartbeat(), from).catch(() => {});
    }
  }
}

function ownHeartbeat(): Payload {
  return writeHeartbeat({
    ...{ type: MAV_TYPE_GCS, autopilot: MAV_AUTOPILOT_INVALID, baseMode: 0, customMode: 0 },
    ...{ systemStatus: MAV_STATE_ACTIVE, mavlinkVersion: 3 },
  });
}

/** Addresses received in the last 15 s, without repetition, because one router or radio may serve several vehicles. */
function addressesOf(vehicles: readonly Vehicle[], nowMs: number): Pick<Endpoint, 'linkId' | 'from'>[] {
  const found = new Map<string, Endpoint>();
  for (const vehicle of vehicles)
    for (const endpoint of vehicle.endpoints.all())
      if (nowMs - endpoint.lastMs <= 3 * SILENT_AFTER_MS) found.set(`${endpoint.linkId} ${endpoint.from}`, endpoint);
  return [...found.values()];
}

/** Messages that ask the vehicle at an address for its boot clock and its position. */
function whereabouts(endpoint: Endpoint): Payload[] {
  const wanted = [messageIds.systemTime, messageIds.globalPositionInt];
  return wanted.map((msgid) => writeCommandLong(endpoint, CMD.requestMessage, [msgid], 0));
}
