import type { Greeting } from '../edge/link/greeting.ts';
import type { MqttSession } from '../edge/link/mqtt/session.ts';
import { type OutletKind, type OutletTransport, outletKindTable } from '../model/outlet.ts';
import type { AlertView, OutletBox, OutletMessage, OutletPlace, TrackView } from '../model/outlet_view.ts';
import { asterixEncoder } from './asterix.ts';
import { cotEncoder } from './cot.ts';
import { gdl90Encoder } from './gdl90.ts';
import { mqttEncoder } from './mqtt.ts';
import { sapientEncoder } from './sapient.ts';
import type { OutletPicture } from './views.ts';

/** Encoder of one format. Each outlet has its own encoder. */
export type OutletEncoder = {
  /**
   * Session that the transport holds with an MQTT broker; each message is then an MQTT PUBLISH. Absent for other
   * formats, whose bytes are sent unchanged.
   */
  readonly broker?: MqttSession;
  /** Returns the exchange that opens a connection. Absent if messages may be sent at once. */
  greet?(): Greeting;
  /**
   * True if the peer checks times. Messages are then sent in ticks, and all messages of a tick have one time, from
   * `believedMs`.
   */
  readonly isTimed?: boolean;
  /**
   * True if the peer gets every change of an alert. Otherwise an alert is sent when it is raised, and when it becomes
   * more severe.
   */
  readonly followsAlerts?: boolean;
  /**
   * Returns the messages about a track. The first is the track itself; the others are objects that belong to it, such
   * as its pilot.
   */
  track(view: TrackView, utcMs: number): OutletMessage[];
  /** Returns the messages that end a track. `uids` are the uids with which the track was sent. */
  end(view: TrackView, uids: readonly string[], utcMs: number): OutletMessage[];
  /** Returns the messages that withdraw single objects of a track that continues. */
  withdraw(uids: readonly string[], utcMs: number): OutletMessage[];
  alert(alert: AlertView, utcMs: number): OutletMessage[];
  /** Returns the test item; empty if the format needs the position of the box and it is unknown. */
  test(place: OutletPlace | null, utcMs: number): OutletMessage[];
  /** Joins messages that are sent together. If absent, each message is sent separately. */
  joined?(messages: readonly OutletMessage[]): OutletMessage[];
  /**
   * Returns the last messages of an outlet that is removed; they delete what its peer keeps. Absent if the peer keeps
   * nothing.
   */
  farewell?(): OutletMessage[];
  /** Messages about the box itself; null if the format has none or the options exclude them. */
  presence: { everyMs: number; messages(place: OutletPlace, utcMs: number): OutletMessage[] } | null;
  /**
   * Creates the session that maintains one connection, for example by heartbeats and answers. Returns null if the
   * format needs none.
   */
  session(nowMs: number, login: OutletLogin | null): OutletSession | null;
  /** Returns a condition of the box because of which the peer may refuse messages; null without one. */
  trouble?(): string | null;
};

/** Name and password of the box at a server; used only over TLS. */
export type OutletLogin = { username: string; password: string };

/** Maintains one connection of a peer: sends queries and heartbeats, and answers the peer's queries. */
export type OutletSession = {
  received(bytes: Uint8Array, nowMs: number): void;
  due(nowMs: number, utcMs: number): OutletMessage[];
  /** True if the peer may be silent for any time. */
  readonly mayBeQuiet: boolean;
  /** Reason why the connection must be opened anew; null without one. */
  readonly fault?: string | null;
  /** Returns the statements of the peer since the last call. */
  statements?(): PeerStatement[];
};

/**
 * Statement of a peer. `refusal`: the peer refuses something. `answer`: the peer answered an alert; this is logged.
 * `fault`: a message of the peer cannot be decoded.
 */
export type PeerStatement = { kind: 'refusal' | 'answer' | 'fault'; text: string };

export type EncoderSpec = {
  transport: OutletTransport;
  address: string;
  options: Readonly<Record<string, unknown>>;
};

/** Dependencies of encoders. */
export type EncoderDeps = {
  box: OutletBox;
  picture: OutletPicture;
  /**
   * Returns the best current UTC, ms: from satellites, or else from the system clock, whose steps take effect at once.
   */
  believedMs(): number;
};

const encoders: { [K in OutletKind]: (deps: EncoderDeps, spec: EncoderSpec) => OutletEncoder } = {
  asterix: (_deps, spec) => asterixEncoder(outletKindTable.asterix.options.parse(spec.options)),
  cot: ({ box }, spec) => cotEncoder(box, spec, outletKindTable.cot.options.parse(spec.options)),
  mqtt: ({ box }, spec) => mqttEncoder(box, outletKindTable.mqtt.options.parse(spec.options)),
  gdl90: (_deps, spec) => gdl90Encoder(outletKindTable.gdl90.options.parse(spec.options)),
  sapient: (deps, spec) => sapientEncoder(deps, outletKindTable.sapient.options.parse(spec.options)),
};

/** Creates the encoder of an outlet. Throws if the options do not fit the outlet's kind. */
export function encoderOf(deps: EncoderDeps, spec: EncoderSpec & { kind: OutletKind }): OutletEncoder {
  return encoders[spec.kind](deps, spec);
}
