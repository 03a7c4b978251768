import { createHash } from 'node:crypto';
import { accuracyOf } from '../edge/wire/gdl90/accuracy.ts';
import { categories, heartbeat, type Traffic, traffic } from '../edge/wire/gdl90/messages.ts';
import { pressureAltitudeM } from '../geo/pressure.ts';
import type { Gdl90Options } from '../model/outlet_options.ts';
import type { OutletMessage, TrackView } from '../model/outlet_view.ts';
import { beats } from './beats.ts';
import type { OutletEncoder } from './kinds.ts';

/** Start of the address range that is used. ICAO assigns no state addresses that begin with F0. */
const OWN_ADDRESSES = 0xf0_0000;
/** Callsign of the test item, which is sent at the position of the box. */
const TEST_CALLSIGN = 'DUNLIN';

/**
 * Encoder of GDL 90 traffic, for displays in cockpits and on tablets. It never sends an ownship report. With such a
 * report, a display would show the aircraft of its own pilot at the position of the box. The format has no alerts. A
 * track has no end message: displays drop it when its reports stop.
 */
export function gdl90Encoder(options: Gdl90Options): OutletEncoder {
  const addresses = new Addresses();
  return {
    track: (view) => trafficOf(view, addresses, options),
    end({ track }) {
      addresses.free(track.id);
      return [];
    },
    withdraw: () => [],
    alert: () => [],
    test(place, utcMs) {
      const beat = { uid: 'heartbeat', bytes: heartbeat(utcMs) };
      if (place === null) return [];
      const { lat, lon } = place;
      return [beat, { uid: TEST_CALLSIGN, bytes: traffic({ ...still, address: OWN_ADDRESSES, lat, lon }) }];
    },
    presence: null,
    session: () => beats((utcMs) => ({ uid: 'heartbeat', bytes: heartbeat(utcMs) })),
  };
}

/** Fields of the test item, except its position. */
const still: Omit<Traffic, 'address' | 'lat' | 'lon'> = {
  ...{ altPressureM: null, speedMps: 0, courseDeg: null, climbMps: 0, isExtrapolated: false },
  ...{ nic: 0, nacp: 0, category: categories.unstated, callsign: TEST_CALLSIGN },
};

function trafficOf({ track }: TrackView, addresses: Addresses, { qnh_hpa: qnhHpa }: Gdl90Options): OutletMessage[] {
  const { id, number, position, velocity, uncertainty, state, classification } = track;
  if (position === null) return [];
  const { lat, lon, alt_msl_m: mslM } = position;
  const isCrewed = classification[0]?.type === 'crewed_aircraft';
  const bytes = traffic({
    ...{ address: addresses.of(id), lat, lon, callsign: number },
    altPressureM: qnhHpa === null || mslM === null ? null : pressureAltitudeM(mslM, qnhHpa),
    speedMps: velocity?.speed_mps ?? null,
    courseDeg: velocity?.course_deg ?? null,
    climbMps: velocity?.climb_mps ?? null,
    isExtrapolated: state === 'coasting',
    ...accuracyOf(uncertainty?.h_m ?? null),
    category: isCrewed ? categories.unstated : categories.unmanned,
  });
  return [{ uid: id, bytes }];
}

/**
 * Addresses of the sent tracks: the first 16-bit word of a hash of the track id that no other track uses, or the first
 * word if all are in use. Without this check, half of all pictures of 300 tracks would contain two tracks with the same
 * address. A display would show them as one aircraft.
 */
class Addresses {
  readonly #byTrack = new Map<string, number>();
  readonly #taken = new Set<number>();

  of(trackId: string): number {
    const known = this.#byTrack.get(trackId);
    if (known !== undefined) return known;
    const hash = createHash('sha256').update(trackId).digest();
    const tried = Array.from({ length: hash.length / 2 }, (_, index) => OWN_ADDRESSES + hash.readUInt16BE(2 * index));
    const address = tried.find((one) => !this.#taken.has(one)) ?? tried[0] ?? OWN_ADDRESSES;
    this.#byTrack.set(trackId, address);
    this.#taken.add(address);
    return address;
  }

  free(trackId: string): void {
    this.#taken.delete(this.#byTrack.get(trackId) ?? 0);
    this.#byTrack.delete(trackId);
  }
}
