import { conflict, Fault, sentenceOf, unavailable } from '../../model/fault.ts';
import type { LinkState } from '../../model/link.ts';
import type { Release } from './claims.ts';
import { type IdleWatch, watchIdle } from './deadline.ts';
import type { Cancel, FullDeps } from './deps.ts';
import type { Link, LinkEvents, LinkPlace, LinkStatus } from './link.ts';
import type { Port, PortEvents, Transport } from './port.ts';
import { PeerRefusal } from './refusal.ts';

/**
 * Shortest and longest wait before the next attempt, ms, without jitter. The jitter is a share of the wait, in both
 * directions.
 */
export const backoffMinMs = 500;
export const backoffMaxMs = 30_000;
export const backoffJitter = 0.2;
/** Wait after a peer refused the connection, ms. It is long because a person must change something at the peer. */
const refusedMs = 60_000;

type Backoff = {
  /** Returns the wait before the next attempt, ms. The wait after that is twice as long, up to `backoffMaxMs`. */
  next(): number;
  /**
   * Shortens the wait by the time for which the port was open. A port that worked for hours is retried at once; a
   * port that breaks as soon as it opens is not. Received bytes reset the wait to its minimum; an opening alone
   * proves nothing.
   */
  closed(openForMs: number, received: boolean): void;
};

export function createBackoff(random: () => number): Backoff {
  let waitMs = backoffMinMs;
  return {
    next() {
      const jitter = 1 + backoffJitter * (2 * random() - 1);
      const delayMs = waitMs * jitter;
      waitMs = Math.min(waitMs * 2, backoffMaxMs);
      return delayMs;
    },
    closed(openForMs, received) {
      waitMs = received ? backoffMinMs : Math.max(backoffMinMs, waitMs - openForMs);
    },
  };
}

/** Time after which a port that does not close is abandoned, so that the link can be opened again, ms. */
const closeLimitMs = 5_000;

/**
 * One opening of the transport, from the attempt to its end. `over` is true after the end: later events of its port
 * are ignored.
 */
type Session = { over: boolean; openedMs: number | null; received: boolean; idle: IdleWatch | null; peers: number };

/**
 * Keeps one transport open. It is the only place that schedules a retry, so an error and a close of the same failure
 * cause one retry.
 *
 * The state is `disabled` before start, after stop, and after the end of a file. It is `failed` only if a port
 * reports that retrying cannot help, such as a path that is no serial device. It stays `failed` until the link is
 * stopped and started.
 */
export class Supervisor implements Link {
  readonly spec: LinkPlace;
  readonly #transport: Transport;
  readonly #events: LinkEvents;
  readonly #deps: FullDeps;
  readonly #status: LinkStatus;
  #backoff: Backoff;
  #release: Release | null = null;
  #port: Port | null = null;
  #session: Session | null = null;
  #retry: Cancel | null = null;
  #closing: Promise<void> | null = null;

  constructor(spec: LinkPlace, transport: Transport, events: LinkEvents, deps: FullDeps) {
    this.spec = spec;
    this.#transport = transport;
    this.#events = events;
    this.#deps = deps;
    this.#backoff = createBackoff(deps.random);
    this.#status = newStatus(deps.nowMs(), transport.warning);
  }

  start(): void {
    if (!this.spec.enabled || this.#release) return;
    if (this.#closing) throw conflict(`link '${this.spec.name}' is still closing: try again in a few seconds`);
    this.#release = this.#transport.claim();
    this.#backoff = createBackoff(this.#deps.random);
    this.#status.lastError = null;
    this.#status.isRefused = false;
    this.#open();
  }

  async stop(): Promise<void> {
    if (this.#release) {
      this.#retry?.();
      this.#retry = null;
      if (this.#session) this.#finish(this.#session, false);
      this.#releaseOnceClosed();
      this.#settle('disabled', null);
    }
    await this.#closing;
  }

  status(): LinkStatus {
    return { ...this.#status };
  }

  fail(sentence: string): void {
    if (this.#session && this.#status.state === 'open') this.#failed(this.#session, new Error(sentence));
  }

  cut(from: string, sentence: string): void {
    if (this.#port?.cut) this.#port.cut(from);
    else this.fail(sentence);
  }

  async write(bytes: Uint8Array, to?: string): Promise<void> {
    const { name } = this.spec;
    if (!this.#port || this.#status.state !== 'open') throw conflict(`link '${name}' is not open`);
    try {
      const sent = await this.#port.write(bytes, to);
      this.#status.txBytes += sent;
      this.#status.lastTxMs = this.#deps.nowMs();
    } catch (thrown) {
      if (thrown instanceof Fault) throw new Fault(thrown.code, `link '${name}': ${thrown.message}`);
      throw unavailable(`link '${name}' could not send: ${sentenceOf(thrown)}`);
    }
  }

  #open(): void {
    this.#retry = null;
    const session: Session = { over: false, openedMs: null, received: false, idle: null, peers: 0 };
    const port = this.#transport.port(this.#listener(session));
    this.#session = session;
    this.#port = port;
    this.#settle('opening', this.#status.lastError);
    // A subscriber of the status may have stopped the link.
    if (session.over) return;
    port.open().then(
      (boundTo) => this.#opened(session, boundTo),
      (thrown) => this.#failed(session, thrown),
    );
  }

  #listener(session: Session): PortEvents {
    return {
      bytes: (bytes, from) => this.#received(session, bytes, from),
      came: (from) => {
        if (!session.over) this.#events.came?.(from);
      },
      gone: (from) => this.#events.gone(from),
      lost: (sentence) => this.#failed(session, new Error(sentence)),
      ended: (sentence) => this.#ended(session, sentence),
      count: (what, more) => {
        this.#status[what] += more;
      },
      peers: (count) => {
        if (session.over) return;
        session.peers = count;
        const hasCarrier = this.#hasCarrier(session);
        if (hasCarrier === this.#status.hasCarrier) return;
        this.#status.hasCarrier = hasCarrier;
        this.#events.status(this.status());
      },
      mayBeQuiet: () => this.#events.mayBeQuiet?.() ?? false,
    };
  }

  #opened(session: Session, boundTo: string): void {
    if (session.over) return;
    session.openedMs = this.#deps.nowMs();
    this.#status.boundTo = boundTo;
    this.#status.isRefused = false;
    this.#watchSilence(session);
    this.#settle('open', session.received ? null : this.#status.lastError);
  }

  #received(session: Session, bytes: Uint8Array, from: string): void {
    if (session.over) return;
    const atMs = this.#deps.nowMs();
    session.received = true;
    session.idle?.touch();
    this.#status.lastRxMs = atMs;
    this.#status.rxBytes += bytes.length;
    this.#status.isSilent = false;
    if (this.#status.lastError !== null && this.#status.state === 'open') this.#settle('open', null);
    this.#events.chunk({ bytes, from, atMs });
  }

  #watchSilence(session: Session): void {
    if (this.#transport.onSilence === 'ignore') return;
    session.idle = watchIdle(this.#deps, this.spec.silence_s * 1_000, () => this.#silent(session));
  }

  #silent(session: Session): void {
    if (this.#events.mayBeQuiet?.()) {
      this.#watchSilence(session);
      return;
    }
    this.#status.isSilent = true;
    const sentence = `no bytes received for ${this.spec.silence_s} s`;
    this.#status.silences += 1;
    if (this.#transport.onSilence === 'note') {
      this.#watchSilence(session);
      this.#settle('open', sentence);
    } else if (this.#transport.onSilence === 'rebind') {
      this.#finish(session, true);
      this.#retryIn(0, 'opening', sentence);
    } else {
      this.#failed(session, new Error(sentence), true);
    }
  }

  #failed(session: Session, thrown: unknown, isSilent = false): void {
    if (session.over) return;
    this.#status.isSilent = isSilent;
    this.#finish(session, true);
    const isRefused = thrown instanceof PeerRefusal;
    this.#status.isRefused = isRefused;
    if (thrown instanceof Fault && thrown.code === 'invalid_input') {
      this.#settle('failed', thrown.message);
      return;
    }
    this.#retryIn(isRefused ? refusedMs : this.#backoff.next(), 'backoff', sentenceOf(thrown));
  }

  #ended(session: Session, sentence: string): void {
    if (session.over) return;
    this.#finish(session, false);
    this.#releaseOnceClosed();
    this.#settle('disabled', sentence);
  }

  /** Ends a session. Its port closes in the background; the next opening waits for the close. */
  #finish(session: Session, fault: boolean): void {
    const port = this.#port;
    const openForMs = session.openedMs === null ? 0 : this.#deps.nowMs() - session.openedMs;
    this.#backoff.closed(openForMs, session.received);
    session.over = true;
    session.idle?.cancel();
    this.#session = null;
    this.#port = null;
    this.#status.boundTo = null;
    if (port) this.#closing = this.#tracked(this.#closeWithin(port, fault));
  }

  #closeWithin(port: Port, fault: boolean): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.timers.after(closeLimitMs, resolve);
      const done = () => {
        cancel();
        resolve();
      };
      port.close(fault).then(done, done);
    });
  }

  /**
   * Returns a promise that clears `#closing` when the closing is done. Until then `start` refuses, and `stop` waits.
   */
  #tracked(closing: Promise<void>): Promise<void> {
    const tracked = closing.then(() => {
      if (this.#closing === tracked) this.#closing = null;
    });
    return tracked;
  }

  /**
   * Releases the port lock once the port has closed. Before that, the kernel would refuse the next owner of the port.
   */
  #releaseOnceClosed(): void {
    const release = this.#release;
    this.#release = null;
    if (this.#closing && release) this.#closing = this.#tracked(this.#closing.then(release));
    else release?.();
  }

  #retryIn(delayMs: number, state: LinkState, sentence: string): void {
    let cancelled = false;
    const cancelTimer = this.#deps.timers.after(delayMs, async () => {
      await this.#closing;
      if (!cancelled) this.#open();
    });
    this.#retry = () => {
      cancelled = true;
      cancelTimer();
    };
    this.#status.retries += 1;
    this.#settle(state, sentence, state === 'backoff' ? this.#deps.nowMs() + delayMs : null);
  }

  #hasCarrier({ peers }: Session): boolean {
    const { carrier } = this.#transport;
    return carrier === 'open' || (carrier === 'peers' && peers > 0);
  }

  #settle(state: LinkState, lastError: string | null, nextRetryMs: number | null = null): void {
    if (this.#status.state !== state) this.#status.sinceMs = this.#deps.nowMs();
    const hasCarrier = state === 'open' && this.#session !== null && this.#hasCarrier(this.#session);
    Object.assign(this.#status, { state, lastError, nextRetryMs, hasCarrier });
    this.#events.status(this.status());
  }
}

function newStatus(sinceMs: number, warning: string | null): LinkStatus {
  return {
    state: 'disabled',
    sinceMs,
    lastRxMs: null,
    lastTxMs: null,
    rxBytes: 0,
    txBytes: 0,
    notAllowed: 0,
    overLimit: 0,
    kernelDrops: 0,
    silences: 0,
    isSilent: false,
    isRefused: false,
    hasCarrier: false,
    retries: 0,
    nextRetryMs: null,
    lastError: null,
    warning,
    boundTo: null,
  };
}
