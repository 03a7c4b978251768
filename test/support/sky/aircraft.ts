import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../../src/edge/wire/mavlink/write_odid.ts';
import type { OdidBasicId, OdidLocation, OdidOperatorId, OdidSystem } from '../../../src/edge/wire/odid/message.ts';
import { type Place, placeAt } from '../basics/place.ts';
import { type BroadcastMessage, encodeMessage25, encodePack, writeOdidPack } from '../links/odid25.ts';

const unplaced = { altBaroM: null, altGeoM: null, heightM: null, heightRef: 0 };

export type Flight = {
  mac: string;
  serial: string;
  /** Where it is at its second 0, and how it flies from there. */
  from: Place;
  courseDeg: number;
  speedMps: number;
  heights: { altBaroM: number | null; altGeoM: number | null; heightM: number | null; heightRef: number };
  pilot: Place & { kind: 'takeoff' | 'live_gnss' | 'fixed'; altGeoM: number | null; operatorId: string };
};

/** An aircraft of the tests' own that flies straight on, and what it broadcasts. */
export class Aircraft {
  readonly flight: Flight;

  constructor(flight: Pick<Flight, 'mac' | 'serial'> & Partial<Flight>) {
    const from = flight.from ?? { lat: 47.05, lon: 8.3 };
    const pilot = { ...placeAt(from, 200, 300), kind: 'takeoff', altGeoM: null, operatorId: 'CHE-op-4711' } as const;
    this.flight = { from, courseDeg: 60, speedMps: 12, heights: { ...unplaced, heightM: 40 }, pilot, ...flight };
  }

  placeAt(second: number): Place {
    const { from, courseDeg, speedMps } = this.flight;
    return placeAt(from, courseDeg, speedMps * second);
  }

  /** The location of its second `second`, stamped with the time at which it is made. */
  location(second: number, utcMs = Date.now()): OdidLocation {
    const { courseDeg, speedMps, heights } = this.flight;
    const { lat, lon } = this.placeAt(second);
    return {
      type: 'location',
      status: 2,
      latDeg: lat,
      lonDeg: lon,
      directionDeg: courseDeg,
      speedHMps: speedMps,
      speedVMps: 0,
      ...heights,
      hAcc: 10,
      vAcc: 4,
      baroAcc: 0,
      speedAcc: 3,
      tsAcc: 1,
      secondsAfterHour: Math.floor((utcMs % 3_600_000) / 100) / 10,
      implausible: false,
    };
  }

  basicId(): OdidBasicId {
    return { type: 'basic_id', idType: 1, uaType: 2, uasId: this.flight.serial };
  }

  system(): OdidSystem {
    const { pilot } = this.flight;
    return {
      type: 'system',
      operatorLocationType: ['takeoff', 'live_gnss', 'fixed'].indexOf(pilot.kind),
      classificationType: 0,
      operatorLatDeg: pilot.lat,
      operatorLonDeg: pilot.lon,
      areaCount: 1,
      areaRadiusM: 0,
      areaCeilingM: null,
      areaFloorM: null,
      categoryEu: 0,
      classEu: 0,
      operatorAltGeoM: pilot.altGeoM,
      timestampUnixS: null,
      implausible: false,
    };
  }

  operatorId(): OdidOperatorId {
    return { type: 'operator_id', operatorIdType: 0, operatorId: this.flight.pilot.operatorId };
  }

  /** Everything it says, with a given location. */
  messages(location: OdidLocation): BroadcastMessage[] {
    return [this.basicId(), location, this.system(), this.operatorId()];
  }
}

/** A Remote ID receiver that hands on what it hears as MAVLink. */
export class MavlinkReceiver {
  readonly #encoder: MavlinkEncoder;

  constructor(sysid = 3, compid = 236) {
    this.#encoder = new MavlinkEncoder({ sysid, compid });
  }

  pack(aircraft: Aircraft, messages: readonly BroadcastMessage[]): Buffer {
    return this.#encoder.encode(writeOdidPack({ mac: aircraft.flight.mac }, messages));
  }

  /** Each message in a frame of its own. */
  singles(aircraft: Aircraft, messages: readonly BroadcastMessage[]): Buffer[] {
    return messages.map((message) => this.#encoder.encode(writeOdid({ mac: aircraft.flight.mac }, message)));
  }
}

/** What a bare receiver hands on: messages of 25 bytes, or one pack. */
export const bare = { message: encodeMessage25, pack: encodePack };

/** A line as the ESP32 receivers of the mesh-detect family print it. */
export function esp32Line(aircraft: Aircraft, second: number, rssiDbm: number): string {
  const { mac, serial, heights, pilot } = aircraft.flight;
  const { lat, lon } = aircraft.placeAt(second);
  const position = `"drone_lat":${lat.toFixed(6)},"drone_long":${lon.toFixed(6)}`;
  const person = `"pilot_lat":${pilot.lat.toFixed(6)},"pilot_long":${pilot.lon.toFixed(6)}`;
  const altitude = Math.round(heights.altGeoM ?? -1000);
  return `{"mac":"${mac.toLowerCase()}","rssi":${rssiDbm},${position},"drone_altitude":${altitude},${person},"basic_id":"${serial}"}\r\n`;
}
