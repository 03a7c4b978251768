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

/** Writer of one format. Each outlet has one of its own. */
export type OutletEncoder = {
  /** Session that the transport holds with a broker: messages are its publishes. Absent: their bytes leave as they are. */
  readonly broker?: MqttSession;
  /** Exchange that opens a connection; absent where messages may leave at once. */
  greet?(): Greeting;
  /** True where the peer checks times: messages leave in turns, each with one time, which is that of the system clock. */
  readonly isTimed?: boolean;
  /** True where the peer is sent every change of an alert. Absent: when it is raised, and when it becomes worse. */
  readonly followsAlerts?: boolean;
  /** Messages about a track, first the track itself; the others are of objects that belong to it. */
  track(view: TrackView, utcMs: number): OutletMessage[];
  /** Messages at the end of a track, which was sent with these uids. */
  end(view: TrackView, uids: readonly string[], utcMs: number): OutletMessage[];
  /** Messages that withdraw objects of a track that goes on. */
  withdraw(uids: readonly string[], utcMs: number): OutletMessage[];
  alert(alert: AlertView, utcMs: number): OutletMessage[];
  test(place: OutletPlace | null, utcMs: number): OutletMessage[];
  /** Joins messages that leave together. Absent: each leaves as it is. */
  joined?(messages: readonly OutletMessage[]): OutletMessage[];
  /** Last messages of an outlet that is removed: they empty what its peer keeps. Absent: the peer keeps nothing. */
  farewell?(): OutletMessage[];
  /** The box itself; null where the format or the options leave it out. */
  presence: { everyMs: number; messages(place: OutletPlace, utcMs: number): OutletMessage[] } | null;
  /** Upkeep of one connection; null where the transport has none. */
  session(nowMs: number, login: OutletLogin | null): OutletSession | null;
  /** Condition of the box for which the peer may refuse messages; null for none. */
  trouble?(): string | null;
};

/** Name and password of the box at a server; only for connections over TLS. */
export type OutletLogin = { username: string; password: string };

/** Upkeep of one connection: questions to the peer and answers to its questions. */
export type OutletSession = {
  received(bytes: Uint8Array, nowMs: number): void;
  due(nowMs: number, utcMs: number): OutletMessage[];
  /** Whether the silence of the peer is no fault. */
  readonly mayBeQuiet: boolean;
  /** Reason why the connection must be made anew; null while there is none. */
  readonly fault?: string | null;
  /** Statements of the peer since the last call. */
  statements?(): PeerStatement[];
};

/** `refusal`: it refuses something; `answer`: it answered an alert, for the log; `fault`: its message cannot be read. */
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
  /** Present UTC, ms: that of the system clock with its steps at once, or of satellites. */
  believedMs(): number;
};

const encoders: { [K in OutletKind]: (deps: EncoderDeps, spec: EncoderSpec) => OutletEncoder } = {
  asterix: (_deps, spec) => asterixEncoder(outletKindTable.asterix.options.parse(spec.options)),
  cot: ({ box }, spec) => cotEncoder(box, spec, outletKindTable.cot.options.parse(spec.options)),
  mqtt: ({ box }, spec) => mqttEncoder(box, outletKindTable.mqtt.options.parse(spec.options)),
  gdl90: (_deps, spec) => gdl90Encoder(outletKindTable.gdl90.options.parse(spec.options)),
  sapient: (deps, spec) => sapientEncoder(deps, outletKindTable.sapient.options.parse(spec.options)),
};

/** The encoder of an outlet. Throws where its options are not those of its kind. */
export function encoderOf(deps: EncoderDeps, spec: EncoderSpec & { kind: OutletKind }): OutletEncoder {
  return encoders[spec.kind](deps, spec);
}
