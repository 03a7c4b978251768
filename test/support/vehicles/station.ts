import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { encode, encodeV1, type Fields, type Heard, readDatagram, Signer } from './messages.ts';
import type { Vehicle } from './vehicle.ts';

type Teardown = { teardown(act: () => unknown): void };
type Options = { sysid?: number; compid?: number; key?: Buffer };
type Parameters7 = [number?, number?, number?, number?, number?, number?, number?];

/** A small ground station of its own making, to try the emulated vehicles with. */
export class Station {
  readonly heard: (Heard & { port: number })[] = [];
  readonly noise: Buffer[] = [];
  readonly port: number;
  readonly sysid: number;
  readonly compid: number;
  readonly #socket: Socket;
  readonly #signer: Signer | null;
  #seq = 0;

  private constructor(socket: Socket, options: Options) {
    this.#socket = socket;
    this.port = socket.address().port;
    this.sysid = options.sysid ?? 245;
    this.compid = options.compid ?? 190;
    this.#signer = options.key ? new Signer(options.key, 3) : null;
    socket.on('message', (datagram, { port }) => {
      const frames = readDatagram(datagram);
      if (frames.length === 0) this.noise.push(datagram);
      this.heard.push(...frames.map((frame) => ({ ...frame, port })));
    });
  }

  static async open(t: Teardown, options: Options = {}): Promise<Station> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.teardown(() => socket.close());
    return new Station(socket, options);
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: this.port };
  }

  named(name: string): (Heard & { port: number })[] {
    return this.heard.filter((heard) => heard.name === name);
  }

  forget(): void {
    this.heard.length = 0;
  }

  /** Sends a message, and waits until the vehicle has it. */
  async tell(vehicle: Vehicle, name: string, fields: Fields, version: 1 | 2 = 2): Promise<void> {
    const from = { sysid: this.sysid, compid: this.compid, seq: this.#seq };
    this.#seq = (this.#seq + 1) % 256;
    const frame = version === 2 ? encode(from, name, fields) : encodeV1(from, name, fields);
    await this.raw(vehicle, this.#signer === null ? frame : this.#signer.sign(frame));
  }

  async raw(vehicle: Vehicle, datagram: Buffer): Promise<void> {
    const { counters } = vehicle.link;
    const before = counters.received + counters.lost;
    this.#socket.send(datagram, vehicle.link.port, '127.0.0.1');
    const isHere = () => vehicle.link.isShut || counters.received + counters.lost > before;
    for (let turn = 0; turn < 2_000 && !isHere(); turn++) await setTimeout(1);
  }

  /** The result of a COMMAND_LONG; null for silence. */
  long(vehicle: Vehicle, command: number, p: Parameters7 = [], target: Fields = {}): Promise<number | null> {
    const [param1 = 0, param2 = 0, param3 = 0, param4 = 0, param5 = 0, param6 = 0, param7 = 0] = p;
    const fields = { param1, param2, param3, param4, param5, param6, param7 };
    return this.#command(vehicle, 'COMMAND_LONG', command, { ...fields, ...target });
  }

  /** The same for a COMMAND_INT, its place in degrees. */
  int(vehicle: Vehicle, command: number, fields: Fields & { lat?: number; lon?: number }): Promise<number | null> {
    const { lat = 0, lon = 0, ...others } = fields;
    const place = { x: Math.round(lat * 1e7), y: Math.round(lon * 1e7) };
    return this.#command(vehicle, 'COMMAND_INT', command, { frame: 6, ...place, ...others });
  }

  /** Waits until a message is there that answers to `holds`. */
  async hear(name: string, holds: (fields: Fields) => boolean = () => true, withinMs = 2_000): Promise<Heard | null> {
    const until = Date.now() + withinMs;
    for (;;) {
      const found = this.heard.findLast((heard) => heard.name === name && holds(heard.fields));
      if (found !== undefined || Date.now() > until) return found ?? null;
      await setTimeout(1);
    }
  }

  /** Waits for what is on its way over the loopback. */
  async settle(): Promise<void> {
    for (let still = 0, before = -1; still < 3; ) {
      const now = this.heard.length + this.noise.length;
      still = now === before ? still + 1 : 0;
      before = now;
      await setTimeout(2);
    }
  }

  async #command(vehicle: Vehicle, name: string, command: number, fields: Fields): Promise<number | null> {
    const from = this.heard.length;
    const target = { target_system: vehicle.sysid, target_component: 1 };
    await this.tell(vehicle, name, { command, ...target, ...fields });
    // One passing of the loopback both ways is enough for an answer; silence is told by a second one.
    await this.settle();
    const ack = this.heard
      .slice(from)
      .find((heard) => heard.name === 'COMMAND_ACK' && heard.fields.command === command);
    return ack === undefined ? null : Number(ack.fields.result);
  }
}
