import type { Link, LinkEvents, LinkStatus } from '../../edge/link/link.ts';
import { Fault } from '../../model/fault.ts';
import type { LinkSpec } from '../../model/link.ts';

/** What a wire needs of who drives its world. */
export type WireRim = {
  nowMs(): number;
  /** What the world writes to it; no byte goes anywhere else. */
  written(name: string, to: string | undefined, bytes: Uint8Array, atMs: number): void;
};

/**
 * A link of a driven world: it exists in memory only, opens at once and is down when it is told so. It has no way out of this
 * process, so what is simulated or played again can reach nothing that flies.
 */
export class Wire implements Link {
  readonly spec: LinkSpec;
  readonly #events: LinkEvents;
  readonly #rim: WireRim;
  readonly #status: LinkStatus;

  constructor(spec: LinkSpec, events: LinkEvents, rim: WireRim) {
    this.spec = spec;
    this.#events = events;
    this.#rim = rim;
    this.#status = {
      state: 'disabled',
      sinceMs: rim.nowMs(),
      lastRxMs: null,
      lastTxMs: null,
      ...{ rxBytes: 0, txBytes: 0, notAllowed: 0, overLimit: 0, kernelDrops: 0, silences: 0, retries: 0 },
      ...{ isSilent: false, hasCarrier: false },
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
    if (this.#status.state !== 'open') throw new Fault('conflict', `the link ${this.spec.name} is not open`);
    this.#status.lastTxMs = this.#rim.nowMs();
    this.#status.txBytes += bytes.length;
    this.#rim.written(this.spec.name, to, bytes, this.#rim.nowMs());
  }

  /** Bytes arrive. They are lost while it is down. */
  arrive(bytes: Uint8Array, from: string, atMs: number): void {
    if (this.#status.state !== 'open') return;
    this.#status.lastRxMs = atMs;
    this.#status.rxBytes += bytes.length;
    this.#events.chunk({ bytes, from, atMs });
  }

  /** One who spoke on it is gone. */
  gone(from: string): void {
    this.#events.gone(from);
  }

  /** Down with a sentence that says why, or up again with null. */
  setDown(why: string | null): void {
    const isDown = this.#status.state === 'backoff';
    if (this.#status.state === 'disabled' || isDown === (why !== null)) return;
    this.#turn(why === null ? 'open' : 'backoff', why);
  }

  #turn(state: LinkStatus['state'], why: string | null): void {
    if (this.#status.state === state) return;
    Object.assign(this.#status, { state, sinceMs: this.#rim.nowMs(), lastError: why });
    this.#status.hasCarrier = state === 'open' && this.spec.transport !== 'udp';
    this.#status.boundTo = state === 'open' ? 'memory' : null;
    this.#events.status(this.status());
  }
}

/** The wires of a driven world, by the names of their links. */
export class Wires {
  readonly #rim: WireRim;
  readonly #byName = new Map<string, Wire>();

  constructor(rim: WireRim) {
    this.#rim = rim;
  }

  readonly open = (spec: LinkSpec, events: LinkEvents): Link => {
    const wire = new Wire(spec, events, this.#rim);
    this.#byName.set(spec.name, wire);
    return wire;
  };

  arrive(name: string, bytes: Uint8Array, from: string, atMs: number): void {
    this.#byName.get(name)?.arrive(bytes, from, atMs);
  }

  gone(name: string, from: string): void {
    this.#byName.get(name)?.gone(from);
  }

  /** One is down with a sentence that says why, or up again with null. */
  turn(name: string, why: string | null): void {
    this.#byName.get(name)?.setDown(why);
  }

  /** These are down now, and the others are not. */
  setDown(names: ReadonlySet<string>, why: string): void {
    for (const [name, wire] of this.#byName) wire.setDown(names.has(name) ? why : null);
  }
}
