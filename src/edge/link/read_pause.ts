import type { Socket } from 'node:dgram';
import { intervalAt, untilNextInterval } from '../../model/step_time.ts';
import type { Cancel, FullDeps } from './deps.ts';

/** Datagrams in one interval from which a socket is paused. With fewer, a pause costs more wakes than it saves. */
const BUSY = 6;
/**
 * Datagrams and bytes in one interval from which a socket is not paused. The event loop reads at most 32 datagrams in one
 * turn, so two turns leave none of fewer. The kernel keeps some hundred small ones, or 400 kB.
 */
const FLOOD = 64;
const FLOOD_BYTES = 32 * 1024;

/** The handle below a socket. */
type Handle = { recvStart(): unknown; recvStop(): unknown };

/**
 * Reads a busy datagram socket in groups: once an interval of the core's steps, just before the step. Events come no
 * later, since the step would wait for the same time. At 2 000 datagrams/s in pairs, one wake for each pair costs a
 * tenth of the CPU time of the daemon.
 */
export class ReadPause {
  readonly #handle: Handle | null;
  readonly #deps: FullDeps;
  /** The current interval, its datagrams and bytes, and whether the one before was a flood. */
  #interval = 0;
  #count = 0;
  #bytes = 0;
  #followsFlood = false;
  #resume: Cancel | null = null;
  #isOver = false;

  constructor(socket: Socket, deps: FullDeps) {
    this.#handle = handleOf(socket);
    this.#deps = deps;
  }

  /** Counts a datagram. Once they are many, the socket is paused after this turn of the event loop and the next. */
  took(bytes: number, nowMs: number): void {
    const interval = intervalAt(nowMs);
    if (interval !== this.#interval) {
      this.#followsFlood = interval === this.#interval + 1 && this.#isFlood();
      this.#count = this.#bytes = 0;
      this.#interval = interval;
    }
    this.#count += 1;
    this.#bytes += bytes;
    if (this.#count === BUSY && !this.#followsFlood) setImmediate(() => setImmediate(() => this.#pause()));
  }

  #isFlood(): boolean {
    return this.#count >= FLOOD || this.#bytes >= FLOOD_BYTES;
  }

  /** Ends this, before the socket closes. */
  end(): void {
    this.#isOver = true;
    this.#resume?.();
  }

  #pause(): void {
    if (this.#handle === null || this.#isOver || this.#resume !== null || this.#isFlood()) return;
    this.#handle.recvStop();
    this.#resume = this.#deps.timers.after(untilNextInterval(this.#deps.nowMs()), () => {
      this.#resume = null;
      this.#handle?.recvStart();
    });
  }
}

/**
 * The handle that `dgram` keeps under a symbol; null if a version of Node.js keeps it elsewhere, and then nothing is paused.
 * There is no public way to pause a datagram socket.
 */
function handleOf(socket: Socket): Handle | null {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol');
  const state: unknown = symbol && Reflect.get(socket, symbol);
  const handle: unknown = state instanceof Object && Reflect.get(state, 'handle');
  return isHandle(handle) ? handle : null;
}

function isHandle(value: unknown): value is Handle {
  return (
    value instanceof Object && ['recvStart', 'recvStop'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
