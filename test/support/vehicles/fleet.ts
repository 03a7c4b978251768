import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { x25crc } from 'node-mavlink';
import { moved, type Point } from './flight.ts';
import type { Address } from './link.ts';
import { encode } from './messages.ts';

const HEADER = 10;
const HEARTBEAT_CRC_EXTRA = 50;
const POSITION_CRC_EXTRA = 104;
const RADIUS_M = 200;
const LAP_S = 60;
const MOST_AT_ONCE = 40;

export type FleetOptions = {
  groundStation: Address;
  /** At most 250, with system ids from 1. */
  vehicles: number;
  /** GLOBAL_POSITION_INT of each vehicle a second. */
  hz: number;
  at?: Point;
};

/**
 * Many vehicles behind one UDP port that only send: heartbeats at 1 Hz and positions on circles. Frames are made once
 * and written over, so that a measurement is of the listener and not of this.
 */
export class Fleet {
  readonly sent = { heartbeats: 0, positions: 0 };
  readonly #options: Required<FleetOptions>;
  readonly #socket = createSocket('udp4');
  readonly #seqs: Uint8Array;
  readonly #heartbeats: Buffer[];
  readonly #positions: Buffer[];
  #timer: NodeJS.Timeout | null = null;
  #turn = 0;

  constructor(options: FleetOptions) {
    this.#options = { at: { lat: 51.5, lon: 7.4 }, ...options };
    const ids = Array.from({ length: options.vehicles }, (_, at) => at + 1);
    this.#seqs = new Uint8Array(options.vehicles);
    const beat = { type: 2, autopilot: 3, base_mode: 209, custom_mode: 4, system_status: 4, mavlink_version: 3 };
    this.#heartbeats = ids.map((sysid) => encode({ sysid, compid: 1, seq: 0 }, 'HEARTBEAT', beat));
    // Every byte set, so that none of it is cut off as trailing zeros.
    const full = {
      time_boot_ms: -1 >>> 0,
      lat: -1,
      lon: -1,
      alt: -1,
      relative_alt: -1,
      vx: -1,
      vy: -1,
      vz: -1,
      hdg: 35_999,
    };
    this.#positions = ids.map((sysid) => encode({ sysid, compid: 1, seq: 0 }, 'GLOBAL_POSITION_INT', full));
  }

  async start(): Promise<void> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    this.#socket.on('error', () => {});
    const begun = performance.now();
    const { vehicles, hz } = this.#options;
    // The vehicles take turns within each period, as they would on a link. Late turns are made up for in small bursts:
    // a big one would not find room at the listener.
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - begun) / 1_000) * hz * vehicles);
      const last = Math.min(due, this.#turn + MOST_AT_ONCE);
      for (; this.#turn < last; this.#turn++) this.#send(this.#turn);
    }, 5);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#socket.close();
  }

  #send(turn: number): void {
    const { vehicles, hz } = this.#options;
    const vehicle = turn % vehicles;
    const tS = Math.floor(turn / vehicles) / hz;
    if (Math.floor(turn / vehicles) % hz === 0) {
      this.sent.heartbeats += 1;
      this.#finish(this.#heartbeats[vehicle], vehicle, HEARTBEAT_CRC_EXTRA);
    }
    const frame = this.#positions[vehicle];
    if (frame === undefined) return;
    this.#place(frame, vehicle, tS);
    this.sent.positions += 1;
    this.#finish(frame, vehicle, POSITION_CRC_EXTRA);
  }

  #place(frame: Buffer, vehicle: number, tS: number): void {
    const angle = (tS / LAP_S) * 2 * Math.PI + vehicle;
    const centre = moved(this.#options.at, Math.floor(vehicle / 10) * 1_000, (vehicle % 10) * 1_000);
    const { lat, lon } = moved(centre, Math.cos(angle) * RADIUS_M, Math.sin(angle) * RADIUS_M);
    const speed = (2 * Math.PI * RADIUS_M * 100) / LAP_S;
    frame.writeUInt32LE(Math.round(tS * 1_000), HEADER);
    frame.writeInt32LE(Math.round(lat * 1e7), HEADER + 4);
    frame.writeInt32LE(Math.round(lon * 1e7), HEADER + 8);
    frame.writeInt32LE(150_000, HEADER + 12);
    frame.writeInt32LE(50_000, HEADER + 16);
    frame.writeInt16LE(Math.round(-Math.sin(angle) * speed), HEADER + 20);
    frame.writeInt16LE(Math.round(Math.cos(angle) * speed), HEADER + 22);
    frame.writeInt16LE(0, HEADER + 24);
  }

  #finish(frame: Buffer | undefined, vehicle: number, crcExtra: number): void {
    if (frame === undefined) return;
    const seq = this.#seqs[vehicle] ?? 0;
    this.#seqs[vehicle] = seq + 1;
    frame[4] = seq;
    frame.writeUInt16LE(x25crc(frame, 1, 2, crcExtra), frame.length - 2);
    const { host, port } = this.#options.groundStation;
    // The socket sends later, when the frame may already be written over.
    this.#socket.send(Buffer.from(frame), port, host, () => {});
  }
}
