import type { Identity } from '../../../model/observation.ts';
import type { SbsMessage } from '../message.ts';
import type { OdidMessage } from '../odid/message.ts';

/** Fields that all messages of receivers on a broker have. */
type Reported = {
  /** Name of the receiver; null where it has none. */
  receiver: string | null;
  /** Time by the receiver's clock, ms since 1970; null where it states none. */
  sourceMs: number | null;
  /** True where the broker kept the message from before the subscription. */
  isRetained: boolean;
};

/** Remote ID, DJI DroneID included, as a receiver reports it. */
export type BrokerRemoteId = Reported & {
  kind: 'remote_id';
  /** Address of the transmitter in capitals; null where the receiver does not tell it. */
  mac: string | null;
  /** Name of the aircraft at the receiver, where it has no address; null where nobody is named. */
  name: string | null;
  transport: Identity['transport'];
  rssiDbm: number | null;
  centerHz: number | null;
  messages: OdidMessage[];
  /** Standard deviation of the position in place of an accuracy class, m. */
  sigmaHM: number | null;
  takeoff: { lat: number; lon: number } | null;
};

export type BrokerAircraft = Reported & { kind: 'aircraft'; sbs: SbsMessage };

/** A transmission without a place: a video downlink. */
export type BrokerSignal = Reported & {
  kind: 'signal';
  centerHz: number | null;
  bandwidthHz: number | null;
  rssiDbm: number | null;
};

/** A sign of life of a receiver, with its place where it tells one. */
export type BrokerHeartbeat = Reported & {
  kind: 'heartbeat';
  place: { lat: number; lon: number; altMslM: number | null; altHaeM: number | null } | null;
};

/** A receiver is offline. Without a name all receivers are whose topics have the same first levels. */
export type BrokerOffline = { kind: 'offline'; receiver: string | null };

/** Content of a publish, without its topic. */
export type BrokerContent = BrokerRemoteId | BrokerAircraft | BrokerSignal | BrokerHeartbeat | BrokerOffline;

/** `base`: the levels of the topic before those that the publisher's documents name, by which its topics belong together. */
export type BrokerMessage = BrokerContent & { base: string };
