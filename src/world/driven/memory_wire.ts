import type { Link, LinkEvents, LinkStatus } from '../../edge/link/link.ts';
import { conflict } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';

/** Functions that the driver of a world gives to its wires. */
type WireDeps = {
  nowMs(): number;
  /** Called with bytes that the world writes to the link. The bytes are sent nowhere else. */
  written(name: string, to: string | undefined, bytes: Uint8Array, atMs: number): void;
};

/**
 * A link of a driven world: it exists in memory only, opens at once, and goes down on request. It has no transport out
 * of this process, so simulation and replay cannot reach a real vehicle.
 */
export class Wire implements Link {
  readonly spec: LinkSpec;
  readonly #events: LinkEvents;
  readonly #deps: WireDeps;
  readonly #status: LinkStatus;

  constructor(spec: LinkSpec, events: LinkEvents, deps: WireDeps) {
    this.spec = spec;
    this.#events = events;
    this.#deps = deps;
    this.#status = {
      state: 'disabled',
      sinceMs: deps.nowMs(),
      lastRxMs: null,
      lastTxMs: null,
      ...{ rxBytes: 0, txBytes: 0, notAllowed: 0, overLimit: 0, kernelDrops: 0, silences: 0, retries: 0 },
      ...{ isSilent: false, isRefused: false, hasCarrier: false },
      ...{ nextRetryMs: null, lastError: null, warning: null, boundTo: null },
    };
  }

  start(): void {
    this.#turn('open', null);
  }

  async stop(): Promise<void> {
    this.#turn('disabled', null);
  }

  status(): LinkStatus {
    return { ...this.#status };
  }

  async write(bytes: Uint8Array, to?: string): Promise<void> {
    if (this.#status.state !== 'open') throw conflict(`the link ${this.spec.name} is not open`);
    this.#status.lastTxMs = this.#deps.nowMs();
    this.#status.txBytes += bytes.length;
    this.#deps.written(this.spec.name, to, bytes, this.#deps.nowMs());
  }

  /** Passes received bytes to the link. Bytes that arrive while the link is not open are discarded. */
  arrive(bytes: Uint8Array, from: string, atMs: number): void {
    if (this.#status.state !== 'open') return;
    this.#status.lastRxMs = atMs;
    this.#status.rxBytes += bytes.length;
    this.#events.chunk({ bytes, from, atMs });
  }

  /** Reports that the sender `from` is gone, as after the end of a connection. */
  gone(from: string): void {
    this.#events.gone(from);
  }

  /** Takes the link down with the reason `why`; null opens it again. A disabled link stays disabled. */
  setDown(why: string | null): void {
    const isDown = this.#status.state === 'backoff';
    if (this.#status.state === 'disabled' || isDown === (why !== null)) return;
    this.#turn(why === null ? 'open' : 'backoff', why);
  }

  #turn(state: LinkStatus['state'], why: string | null): void {
    if (this.#status.state === state) return;
    Object.assign(this.#status, { state, sinceMs: this.#deps.nowMs(), lastError: why });
    this.#status.hasCarrier = state === 'open' && this.spec.transport !== 'udp';
    this.#status.boundTo = state === 'open' ? 'memory' : null;
    this.#events.status(this.status());
  }
}

/** The wires of a driven world, by the names of their links. */
export class Wires {
  readonly #deps: WireDeps;
  readonly #byName = new Map<string, Wire>();

  constructor(deps: WireDeps) {
    this.#deps = deps;
  }

  readonly open = (spec: LinkSpec, events: LinkEvents): Link => {
    const wire = new Wire(spec, events, this.#deps);
    this.#byName.set(spec.name, wire);
    return wire;
  };

  get(name: string): Wire | undefined {
    return this.#byName.get(name);
  }

  /** Takes the named wires down with the reason `why`, and opens all others again. */
  setDown(names: ReadonlySet<string>, why: string): void {
    for (const [name, wire] of this.#byName) wire.setDown(names.has(name) ? why : null);
  }
}
