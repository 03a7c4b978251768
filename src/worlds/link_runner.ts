import type { HeardBook } from '../edge/feed/heard.ts';
import { LinkFeed } from '../edge/feed/link_feed.ts';
import type { RowFeed } from '../edge/feed/row_feed.ts';
import type { SensorBook } from '../edge/feed/sensor_book.ts';
import type { FeedSettings } from '../edge/feed/settings.ts';
import type { FeedSink } from '../edge/feed/tell.ts';
import type { Claims } from '../edge/link/claims.ts';
import { createLink } from '../edge/link/create.ts';
import type { Chunk, Link, LinkStatus } from '../edge/link/link.ts';
import type { Codec } from '../edge/wire/codec.ts';
import type { WireMessage } from '../edge/wire/message.ts';
import { idOfName } from '../host/name_id.ts';
import { type Link as LinkDocument, type LinkSpec, provesSender, type Rejects } from '../model/link.ts';
import { formatTime } from '../model/time.ts';
import { codecOf } from './codecs.ts';

export type LinkRim = {
  nowMs(): number;
  utcMs(worldMs: number): number;
  claims: Claims;
  settings: FeedSettings;
  sensors: SensorBook;
  heard: HeardBook;
  rows: RowFeed;
  sink: FeedSink;
  /** The link's state, error or retry changed. */
  changed(runner: LinkRunner): void;
};

/** One link with its decoder and its feed: bytes in, observations out. */
export class LinkRunner {
  readonly id: string;
  readonly spec: LinkSpec;
  readonly #rim: LinkRim;
  readonly #link: Link;
  readonly #codec: Codec<WireMessage>;
  readonly #feed: LinkFeed;
  readonly #createdAt: string;

  /** Throws a Fault where the address cannot be understood. */
  constructor(spec: LinkSpec, rim: LinkRim) {
    this.id = idOfName('link', spec.name);
    this.spec = spec;
    this.#rim = rim;
    this.#codec = codecOf(spec);
    const link = { id: this.id, name: spec.name, maxMsgsPerS: spec.max_msgs_per_s, provesSender: provesSender(spec) };
    this.#feed = new LinkFeed({ ...rim, link }, rim.nowMs());
    this.#createdAt = formatTime(rim.utcMs(rim.nowMs()));
    this.#link = createLink(
      spec,
      {
        chunk: (chunk) => this.#take(chunk),
        gone: (from) => this.#codec.forget(from),
        status: (status) => this.#statusChanged(status),
      },
      rim,
    );
  }

  start(): void {
    this.#link.start();
  }

  stop(): Promise<void> {
    return this.#link.stop();
  }

  status(): LinkStatus {
    return this.#link.status();
  }

  get repeats(): number {
    return this.#feed.repeats;
  }

  get ownClaims(): number {
    return this.#feed.ownClaims;
  }

  #take({ bytes, from, atMs }: Chunk): void {
    this.#codec.decode(bytes, from, atMs, (message) => this.#feed.take(message, from, atMs));
  }

  #statusChanged(status: LinkStatus): void {
    const well = status.state === 'open' || status.state === 'opening' || status.state === 'disabled';
    const sentence = well ? null : `its link ${this.spec.name} is down: ${status.lastError ?? status.state}`;
    this.#rim.sensors.linkFault(this.id, sentence);
    this.#rim.changed(this);
  }

  rejects(): Rejects {
    const { rejects } = this.#codec;
    return {
      ...rejects,
      implausible: rejects.implausible + this.#feed.implausible,
      rate: rejects.rate + this.#feed.rateRejects,
      not_allowed: rejects.not_allowed + this.#link.status().notAllowed,
    };
  }

  document(): LinkDocument {
    const { spec } = this;
    const status = this.#link.status();
    const time = (worldMs: number | null): string | null =>
      worldMs === null ? null : formatTime(this.#rim.utcMs(worldMs));
    const offsetMs = this.#feed.clockOffsetMs;
    return {
      id: this.id,
      name: spec.name,
      issued_for: null,
      transport: spec.transport,
      address: spec.address,
      bound_to: status.boundTo,
      baud: spec.transport === 'serial' ? spec.baud : null,
      protocol: spec.protocol,
      discover: spec.discover,
      command: spec.command,
      sources_allow: spec.sources_allow,
      max_msgs_per_s: spec.max_msgs_per_s,
      signing: spec.signing,
      state: status.state,
      since: time(status.sinceMs) ?? this.#createdAt,
      last_rx_at: time(status.lastRxMs),
      last_tx_at: time(status.lastTxMs),
      rx_msgs: this.#codec.messages,
      rx_bytes: status.rxBytes,
      tx_msgs: 0,
      rejects: this.rejects(),
      seq_gaps: this.#codec.sequenceGaps,
      clock_offset_ms: offsetMs === null ? null : Math.round(offsetMs),
      retries: status.retries,
      next_retry_at: time(status.nextRetryMs),
      last_error: status.lastError ?? status.warning,
      version: 1,
      created_at: this.#createdAt,
      updated_at: this.#createdAt,
    };
  }
}
