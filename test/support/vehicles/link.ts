import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { randomFrom } from '../basics/random.ts';
import { Schedule } from './schedule.ts';

export type Address = { host: string; port: number };

/** What becomes of datagrams, in both directions. */
export type Faults = {
  /** Of 1. */
  loss?: number;
  /** Of 1: sent or taken a second time. */
  duplicate?: number;
  delayMs?: number;
  seed?: number;
};

/**
 * The vehicle's end of a UDP link. It begins by sending to the ground station's address, then answers to where the last
 * datagram came from. Delays run on the vehicle's own time: `advance` lets go what is due.
 */
export class UdpEnd {
  readonly faults: Faults;
  readonly counters = { sent: 0, received: 0, lost: 0, duplicated: 0 };
  /** What is set here hears every datagram. */
  onDatagram: (datagram: Buffer, from: Address) => void = () => {};
  /** No datagram passes while it is true: the link is down, the vehicle does not know. */
  down = false;
  #socket: Socket | null = null;
  #partner: Address;
  readonly #later = new Schedule();
  #port = 0;
  #isShut = false;
  readonly #random: () => number;

  constructor(groundStation: Address, faults: Faults = {}) {
    this.#partner = groundStation;
    this.faults = faults;
    this.#random = randomFrom(faults.seed ?? 1);
  }

  /** Opens a port. What is sent before it is there waits for it. */
  open(): Promise<void> {
    const old = this.#socket;
    const socket = createSocket('udp4');
    this.#socket = socket;
    this.#isShut = false;
    socket.on('message', (datagram, from) => this.#take(datagram, { host: from.address, port: from.port }));
    // A ground station that is not there yet answers with ICMP errors; the vehicle goes on.
    socket.on('error', () => {});
    socket.bind(0, '127.0.0.1', () => {
      this.#port = socket.address().port;
      // The old port is held until now, so that the two differ.
      old?.close();
    });
    return once(socket, 'listening').then(() => {});
  }

  get port(): number {
    return this.#port;
  }

  get isShut(): boolean {
    return this.#isShut;
  }

  /** Hears and sends nothing until it is opened again, which is on another port. */
  shut(): void {
    this.#socket?.removeAllListeners('message');
    this.#later.clear();
    this.#isShut = true;
  }

  send(datagram: Buffer): void {
    if (this.#isShut) return;
    const to = { ...this.#partner };
    this.#through(() => {
      this.counters.sent += 1;
      this.#socket?.send(datagram, to.port, to.host, () => {});
    });
  }

  advance(seconds: number): void {
    this.#later.advance(seconds);
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
    this.#later.clear();
  }

  #take(datagram: Buffer, from: Address): void {
    this.#through(() => {
      this.counters.received += 1;
      this.#partner = from;
      this.onDatagram(datagram, from);
    });
  }

  #through(go: () => void): void {
    if (this.down || this.#random() < (this.faults.loss ?? 0)) {
      this.counters.lost += 1;
      return;
    }
    const twice = this.#random() < (this.faults.duplicate ?? 0);
    if (twice) this.counters.duplicated += 1;
    for (let copy = 0; copy < (twice ? 2 : 1); copy++) {
      this.#later.after((this.faults.delayMs ?? 0) / 1_000, go);
    }
  }
}
