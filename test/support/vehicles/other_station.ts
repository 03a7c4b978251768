import { CMD } from './command.ts';
import type { Target } from './flight.ts';
import { encode, type Fields } from './messages.ts';
import type { Vehicle } from './vehicle.ts';

const SYSID = 255;
const COMPID = 190;

/**
 * Another ground station, on a second link to a vehicle: what it sends reaches the vehicle at once, and its answers go to
 * the first link, where they name the station that asked.
 */
export class OtherStation {
  readonly #vehicle: Vehicle;
  #seq = 0;

  constructor(vehicle: Vehicle) {
    this.#vehicle = vehicle;
  }

  /** DO_REPOSITION without the flag that changes the mode: no heartbeat field changes. */
  reposition({ lat, lon, altM }: Target, flags = 0): void {
    const place = { x: Math.round(lat * 1e7), y: Math.round(lon * 1e7), z: altM + this.#vehicle.groundAmslM };
    this.#send('COMMAND_INT', { command: CMD.reposition, frame: 0, param1: -1, param2: flags, ...place });
  }

  mode(customMode: number): void {
    this.#send('COMMAND_LONG', { command: CMD.setMode, param1: 1, param2: customMode });
  }

  command(command: number, params: Fields = {}): void {
    this.#send('COMMAND_LONG', { command, ...params });
  }

  #send(name: string, fields: Fields): void {
    const { link, sysid } = this.#vehicle;
    this.#seq = (this.#seq + 1) % 256;
    const target = { target_system: sysid, target_component: 1 };
    link.onDatagram(encode({ sysid: SYSID, compid: COMPID, seq: this.#seq }, name, { ...target, ...fields }), {
      host: '127.0.0.1',
      port: 1,
    });
  }
}
