import type { Identity } from '../../../model/observation.ts';
import type { SbsMessage } from '../message.ts';
import type { OdidMessage } from '../odid/message.ts';

/** Fields common to all messages of receivers at a broker. */
type Reported = {
  /** Name of the receiver; null if the message has none. */
  receiver: string | null;
  /** Time by the receiver's clock, UTC ms; null if the message states none. */
  sourceMs: number | null;
  /** True if the broker retained the message from before the subscription. */
  isRetained: boolean;
};

/** Remote ID, including DJI DroneID, as a receiver reports it. */
export type BrokerRemoteId = Reported & {
  kind: 'remote_id';
  /** Transmitter's MAC address in capitals; null if the receiver does not report one. */
  mac: string | null;
  /**
   * Name that the receiver gives the aircraft; null if it gives none. The name identifies an aircraft without a MAC
   * address.
   */
  name: string | null;
  transport: Identity['transport'];
  rssiDbm: number | null;
  centerHz: number | null;
  messages: OdidMessage[];
  /**
   * Standard deviation of the position, m; used if `messages` state no accuracy class. Null if the receiver states
   * none.
   */
  sigmaHM: number | null;
  takeoff: { lat: number; lon: number } | null;
};

export type BrokerAircraft = Reported & { kind: 'aircraft'; sbs: SbsMessage };

/** Transmission without a position: a video downlink. */
export type BrokerSignal = Reported & {
  kind: 'signal';
  centerHz: number | null;
  bandwidthHz: number | null;
  rssiDbm: number | null;
};

/** Sign of life of a receiver, with its position; null if it reports none. */
export type BrokerHeartbeat = Reported & {
  kind: 'heartbeat';
  place: { lat: number; lon: number; altMslM: number | null; altHaeM: number | null } | null;
};

/** Report that a receiver is offline. Without a name it applies to all receivers whose topics have the same prefix. */
export type BrokerOffline = { kind: 'offline'; receiver: string | null };

/** Content of an MQTT publish, without its topic. */
export type BrokerContent = BrokerRemoteId | BrokerAircraft | BrokerSignal | BrokerHeartbeat | BrokerOffline;

/**
 * Content of an MQTT publish. `base` is the topic prefix: the levels before those that the publisher's documentation
 * defines. The documented topics of one publisher have the same `base`.
 */
export type BrokerMessage = BrokerContent & { base: string };
