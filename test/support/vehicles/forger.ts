import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';
import { type Command, commandOf } from './command.ts';
import type { Address } from './link.ts';
import { encode, readDatagram, Signer } from './messages.ts';
import { degE7 } from './telemetry.ts';

type Place = { lat: number; lon: number };
type Options = { host?: string; sysid?: number; compid?: number; key?: Buffer };

/** An address of its own that says to be somebody else's vehicle. */
export class Forger {
  readonly #socket: Socket;
  readonly #to: Address;
  readonly #sysid: number;
  readonly #compid: number;
  /** Commands that were sent to it. */
  readonly commands: Command[] = [];
  readonly #signer: Signer | null;
  #seq = 0;

  private constructor(socket: Socket, to: Address, { sysid = 1, compid = 1, key }: Options) {
    this.#socket = socket;
    this.#to = to;
    this.#sysid = sysid;
    this.#compid = compid;
    this.#signer = key ? new Signer(key) : null;
    socket.on('message', (datagram) => {
      this.commands.push(...readDatagram(datagram).flatMap((heard) => commandOf(heard) ?? []));
    });
  }

  /** All of 127.0.0.0/8 is this machine: another host to who listens. */
  static async open(t: Test, to: Address, options: Options = {}): Promise<Forger> {
    const socket = createSocket('udp4').bind(0, options.host ?? '127.0.0.2');
    await once(socket, 'listening');
    t.teardown(() => socket.close());
    return new Forger(socket, to, options);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  beat(): Promise<void> {
    return this.#send('HEARTBEAT', {
      ...{ type: 2, autopilot: 3, base_mode: 209, custom_mode: 4, system_status: 4, mavlink_version: 3 },
    });
  }

  /** The heartbeat of a ground station. */
  station(): Promise<void> {
    return this.#send('HEARTBEAT', {
      ...{ type: 6, autopilot: 8, base_mode: 0, custom_mode: 0, system_status: 4, mavlink_version: 3 },
    });
  }

  /** SYSTEM_TIME: since when the autopilot runs, and nothing of its place. */
  started(timeBootMs: number): Promise<void> {
    return this.#send('SYSTEM_TIME', { time_unix_usec: 0n, time_boot_ms: timeBootMs });
  }

  /** A position in level flight towards the north. */
  position({ lat, lon }: Place, timeBootMs: number, altMslM = 604): Promise<void> {
    return this.#send('GLOBAL_POSITION_INT', {
      ...{ time_boot_ms: timeBootMs, lat: degE7(lat), lon: degE7(lon), alt: Math.round(altMslM * 1_000) },
      ...{ relative_alt: 20_000, vx: 1_000, vy: 0, vz: 0, hdg: 0 },
    });
  }

  /** AUTOPILOT_VERSION: its hardware id. */
  version(uid2: readonly number[]): Promise<void> {
    return this.#send('AUTOPILOT_VERSION', {
      capabilities: 0n,
      uid: 0n,
      flight_sw_version: 0x04_05_00_00,
      uid2: [...uid2],
    });
  }

  #send(name: string, fields: Parameters<typeof encode>[2]): Promise<void> {
    const frame = encode({ sysid: this.#sysid, compid: this.#compid, seq: this.#seq++ % 256 }, name, fields);
    const bytes = this.#signer === null ? frame : this.#signer.sign(frame);
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, this.#to.port, this.#to.host, (error) => (error ? reject(error) : resolve()));
    });
  }
}
