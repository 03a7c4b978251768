import { conflict, sentenceOf } from '../../model/fault.ts';
import type { Cancel, FullDeps } from './deps.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { PeerRefusal } from './refusal.ts';

/** Exchange at the opening of one connection. Nothing else is sent before the peer has accepted it. */
export type Greeting = {
  /** First message to the peer. */
  hello(): Uint8Array;
  /** Time that the peer has for its answer, ms. */
  limitMs: number;
  /** Words for the answer that is awaited, for sentences. */
  awaited: string;
  /** Verdict of the peer; null while its answer is not whole. Throws a sentence where the bytes cannot be followed. */
  verdict(bytes: Uint8Array): GreetingVerdict | null;
  /** Last message of a connection that this side ends. */
  farewell(): Uint8Array;
};

/** Answer of a peer: null for acceptance, else the reasons of its refusal. */
export type GreetingVerdict = { refusal: string | null };

/** Bytes that a peer may send before it has answered. */
const MOST_BEFORE = 1_048_576;
/** Time that a write in progress has to end before the farewell, and time that the farewell has to leave, ms. */
const LAST_WRITE_MS = 1_000;

/** A transport whose connections open with a greeting. It is open once the peer has accepted. */
export function greetedTransport(below: Transport, peer: string, greet: () => Greeting, deps: FullDeps): Transport {
  return { ...below, port: (events) => greetedPort(below, peer, greet(), events, deps) };
}

function greetedPort(below: Transport, peer: string, greeting: Greeting, events: PortEvents, deps: FullDeps): Port {
  /** Bytes that came before the port is open: what follows the answer belongs to the session. Null once it is open. */
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
    if (verdict === null && heldBytes > MOST_BEFORE) throw new Error(`it sent no ${greeting.awaited} but other data`);
    if (verdict === null) return;
    isAccepted = verdict.refusal === null;
    if (verdict.refusal === null) answer.accept();
    else answer.reject(new PeerRefusal(`${peer} refuses: ${verdict.refusal}`));
  }

  function lost(sentence: string): void {
    events.lost(isConnected && !isAccepted ? `${sentence} before the ${greeting.awaited}` : sentence);
  }

  /** Hands on what was held. The owner of the port knows by then that it is open. */
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

/** The answer of the peer, which may come before it is awaited. */
class Answer {
  readonly given: Promise<void>;
  #settle: { accept(): void; reject(error: Error): void } | null = null;

  constructor() {
    this.given = new Promise((accept, reject) => {
      this.#settle = { accept, reject };
    });
    // A failure that nobody awaits yet has its sentence from the port below.
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
