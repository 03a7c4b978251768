import { type Body, distance, groundSpeed, type Point } from './flight.ts';
import type { Fields } from './messages.ts';

/** A message that reached the vehicle, on the wall clock and on the vehicle's own. */
export type Received = {
  atMs: number;
  tS: number;
  msgid: number;
  name: string;
  fields: Fields;
  sysid: number;
  compid: number;
};

export type Flown = { tS: number; lat: number; lon: number; altRelM: number; speedMps: number };

const MOST_RECEIVED = 20_000;
const MOST_FLOWN = 50_000;

/** What a vehicle was told and where it flew, for tests that judge from its side. */
export class FlightRecorder {
  readonly received: Received[] = [];
  readonly flown: Flown[] = [];

  note(message: Received): void {
    this.received.push(message);
    if (this.received.length > MOST_RECEIVED) this.received.shift();
  }

  log(tS: number, body: Body): void {
    const { lat, lon, altM } = body;
    this.flown.push({ tS, lat, lon, altRelM: altM, speedMps: groundSpeed(body) });
    if (this.flown.length > MOST_FLOWN) this.flown.shift();
  }

  /** The commands among what was received, as LONG or INT. */
  commands(id?: number): Received[] {
    return this.received.filter(
      ({ name, fields }) => name.startsWith('COMMAND_') && (id === undefined || fields.command === id),
    );
  }

  /** The least distance over ground the flight came to any of the points. */
  closestTo(path: Point[]): number {
    return Math.min(...this.flown.map((at) => Math.min(...path.map((point) => distance(at, point)))));
  }

  highestM(): number {
    return this.flown.reduce((most, { altRelM }) => Math.max(most, altRelM), 0);
  }
}
