import { groundSpeed } from './flight.ts';
import type { Fields, Heard } from './messages.ts';
import { type Condition, degE7 } from './telemetry.ts';

const TOLD = ['BASIC_ID', 'SYSTEM', 'SELF_ID', 'OPERATOR_ID'] as const;
const TOLD_EVERY_S = 3.5;
const SINCE_2019_S = 1_546_300_800;

/** The vehicle's own Remote ID: where it is it knows, who it is a ground station may tell it. */
export class RemoteId {
  readonly #told = new Map<string, Fields>();
  readonly #send: (name: string, fields: Fields) => void;
  #sinceS = 0;
  #nextTold = 0;

  constructor(serial: string, send: (name: string, fields: Fields) => void) {
    this.#send = send;
    for (const kind of TOLD) this.#told.set(kind, {});
    if (serial === '') return;
    this.#told.set('BASIC_ID', { id_type: 1, ua_type: 2, uas_id: [...Buffer.from(serial, 'ascii')] });
  }

  take(heard: Heard): void {
    const kind = heard.name.slice('OPEN_DRONE_ID_'.length);
    if (this.#told.has(kind)) this.#told.set(kind, heard.fields);
  }

  step(dtS: number, now: Condition, isFlying: boolean): void {
    const before = this.#sinceS;
    this.#sinceS += dtS;
    if (Math.floor(before) !== Math.floor(this.#sinceS)) {
      this.#send('OPEN_DRONE_ID_LOCATION', location(now, isFlying));
      this.#send('OPEN_DRONE_ID_SYSTEM_UPDATE', systemUpdate(this.#told.get('SYSTEM') ?? {}));
    }
    if (Math.floor(before / 5) !== Math.floor(this.#sinceS / 5)) {
      for (const what of ['transmitter', 'operator location']) {
        this.#send('STATUSTEXT', { severity: 4, text: `ODID: lost ${what}` });
      }
    }
    if (this.#sinceS < this.#nextTold) return;
    this.#nextTold = this.#sinceS + TOLD_EVERY_S;
    for (const kind of TOLD) this.#send(`OPEN_DRONE_ID_${kind}`, this.#told.get(kind) ?? {});
  }
}

function location(now: Condition, isFlying: boolean): Fields {
  const { body, hasFix } = now;
  const course = Math.round((Math.atan2(body.east, body.north) * 18_000) / Math.PI + 36_000) % 36_000;
  return {
    status: isFlying ? 2 : 1,
    direction: groundSpeed(body) > 0.5 ? course : 36_100,
    speed_horizontal: Math.round(groundSpeed(body) * 100),
    speed_vertical: Math.round(body.up * 100),
    latitude: hasFix ? degE7(body.lat) : 0,
    longitude: hasFix ? degE7(body.lon) : 0,
    altitude_barometric: -1_000,
    altitude_geodetic: hasFix ? now.groundAmslM + body.altM : -1_000,
    height: body.altM,
    horizontal_accuracy: 11,
    vertical_accuracy: 5,
    timestamp: (Date.now() / 1_000) % 3_600,
    timestamp_accuracy: 5,
  };
}

function systemUpdate(system: Fields): Fields {
  const { operator_latitude = 0, operator_longitude = 0, operator_altitude_geo = 0 } = system;
  const timestamp = Math.floor(Date.now() / 1_000) - SINCE_2019_S;
  return { operator_latitude, operator_longitude, operator_altitude_geo, timestamp };
}
