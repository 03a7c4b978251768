import { conflict, sentenceOf } from '../../model/fault.ts';
import type { Cancel, FullDeps } from './deps.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { PeerRefusal } from './refusal.ts';

/** Exchange that opens one connection. Other data is sent only after the peer has accepted. */
export type Greeting = {
  /** Returns the first message to the peer. */
  hello(): Uint8Array;
  /** Time in which the peer must answer, ms. */
  limitMs: number;
  /** Name of the expected answer, for error sentences. */
  awaited: string;
  /**
   * Reads the next bytes of the peer's answer; null while the answer is incomplete. Throws an Error with a sentence
   * if the bytes are invalid.
   */
  verdict(bytes: Uint8Array): GreetingVerdict | null;
  /** Returns the last message. It is sent if this side closes an accepted connection that has no fault. */
  farewell(): Uint8Array;
};

/** Answer of a peer: `refusal` is null if the peer accepts, else its reasons. */
export type GreetingVerdict = { refusal: string | null };

/** Greatest number of bytes that a peer may send before its answer is complete. */
const MOST_BEFORE = 1_048_576;
/** Longest wait for a running write before the farewell, and longest time for the farewell itself, ms. */
const LAST_WRITE_MS = 1_000;

/** Adds a greeting to a transport. Its ports are open once the peer has accepted. */
export function greetedTransport(below: Transport, peer: string, greet: () => Greeting, deps: FullDeps): Transport {
  return { ...below, port: (events) => greetedPort(below, peer, greet(), events, deps) };
}

function greetedPort(below: Transport, peer: string, greeting: Greeting, events: PortEvents, deps: FullDeps): Port {
  /**
   * Bytes received before the port is open, including the answer; null afterwards. Bytes that follow the answer belong
   * to the session, so all bytes are kept and then delivered.
   */
  let held: { bytes: Uint8Array; from: string }[] | null = [];
  let heldBytes = 0;
  let isAccepted = false;
  let lastWrite: Promise<unknown> = Promise.resolve();
  let cancel: Cancel = () => {};
  const answer = new Answer();
  let isConnected = false;
  const port = below.port({ ...events, bytes: received, lost });

  function received(bytes: Uint8Array, from: string): void {
    if (held === null) {
      events.bytes(bytes, from);
      return;
    }
    held.push({ bytes: new Uint8Array(bytes), from });
    heldBytes += bytes.length;
    if (isAccepted) return;
    try {
      judge(bytes);
    } catch (thrown) {
      answer.reject(new Error(`${peer}: ${sentenceOf(thrown)}`));
    }
  }

  function judge(bytes: Uint8Array): void {
    const verdict = greeting.verdict(bytes);
    if (verdict === null && heldBytes > MOST_BEFORE)
      throw new Error(`it sent other data instead of the ${greeting.awaited}`);
    if (verdict === null) return;
    isAccepted = verdict.refusal === null;
    if (verdict.refusal === null) answer.accept();
    else answer.reject(new PeerRefusal(`${peer} refuses the connection: ${verdict.refusal}`));
  }

  function lost(sentence: string): void {
    events.lost(isConnected && !isAccepted ? `${sentence} before the ${greeting.awaited}` : sentence);
  }

  /** Delivers the held bytes. Runs after `open` has resolved, when the supervisor already regards the port as open. */
  function handOn(): void {
    for (const { bytes, from } of held ?? []) events.bytes(bytes, from);
    held = null;
  }

  return {
    async open() {
      const from = await port.open();
      isConnected = true;
      await port.write(greeting.hello());
      const late = new Error(`${peer} sent no ${greeting.awaited} in ${greeting.limitMs / 1_000} s`);
      cancel = deps.timers.after(greeting.limitMs, () => answer.reject(late));
      await answer.given.finally(cancel);
      setImmediate(handOn);
      return from;
    },
    async close(fault) {
      cancel();
      if (isAccepted && !fault) {
        await settledWithin(lastWrite, LAST_WRITE_MS, deps);
        const farewell = Promise.resolve()
          .then(() => port.write(greeting.farewell()))
          .catch(() => {});
        await settledWithin(farewell, LAST_WRITE_MS, deps);
      }
      await port.close(fault);
    },
    async write(bytes) {
      if (!isAccepted) throw conflict(`${peer} has not accepted the connection`);
      const write = port.write(bytes);
      lastWrite = write.catch(() => {});
      return write;
    },
  };
}

/** Answer of the peer as a promise; the answer may come before the promise is awaited. */
class Answer {
  readonly given: Promise<void>;
  #settle: { accept(): void; reject(error: Error): void } | null = null;

  constructor() {
    this.given = new Promise((accept, reject) => {
      this.#settle = { accept, reject };
    });
    // Prevents an unhandled rejection while nothing awaits the answer: the port below reports such a failure itself.
    this.given.catch(() => {});
  }

  accept(): void {
    this.#settle?.accept();
  }

  reject(error: Error): void {
    this.#settle?.reject(error);
  }
}

function settledWithin(work: Promise<unknown>, ms: number, { timers }: FullDeps): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, resolve);
    work.finally(() => {
      cancel();
      resolve();
    });
  });
}
