import type { Release } from './claims.ts';

/**
 * One opening of a transport. The supervisor creates a new Port for every attempt, so that no buffered write, late
 * event or partial frame survives a reopening.
 */
export type Port = {
  /**
   * Resolves with the address in use when bytes may be sent and received. Rejects with an Error whose message tells a
   * person the cause. An `invalid_input` Fault says that retrying cannot help.
   */
  open(): Promise<string>;
  /**
   * Closes the port. The supervisor calls this once, possibly while `open` is in progress. Resolves when all sockets
   * and devices are closed. `fault` is true if the port failed: bytes that the device has not sent yet are then
   * discarded.
   */
  close(fault: boolean): Promise<void>;
  /** Resolves with the number of bytes sent. */
  write(bytes: Uint8Array, to?: string): Promise<number>;
  /** Closes the connection of one sender; absent if senders have no connections of their own. */
  cut?(from: string): void;
};

/** Events of a Port while it is open. */
export type PortEvents = {
  bytes(bytes: Uint8Array, from: string): void;
  /** A peer connected to this listening port. */
  came(from: string): void;
  gone(from: string): void;
  /** Reports that the transport failed; `sentence` states the cause. Only the first call counts. */
  lost(sentence: string): void;
  /** Reports that the source ended without a fault, such as a file at its end. */
  ended(sentence: string): void;
  count(what: 'notAllowed' | 'overLimit' | 'kernelDrops', more: number): void;
  /** Reports the number of connections of a listening port. */
  peers(count: number): void;
  /** Returns true while silence is no fault, so that the port closes no connection for it. */
  mayBeQuiet(): boolean;
};

/**
 * Reaction to silence. `reopen` closes the port and opens it again after the back-off. `rebind` opens it again at
 * once, since a closed socket loses datagrams. `note` only sets the status, because a reopening cannot help. `ignore`
 * does nothing.
 */
type OnSilence = 'reopen' | 'rebind' | 'note' | 'ignore';

/**
 * State in which messages can arrive, even if none do. `open`: the port is open (a device, an outgoing connection).
 * `peers`: a peer is connected. `never`: no such state is known, because only received bytes show that a sender exists.
 */
type Carrier = 'open' | 'peers' | 'never';

/** Creates the ports of one link, and describes their behaviour to the supervisor. */
export type Transport = {
  port(events: PortEvents): Port;
  /**
   * Locks the port or device of the link until the returned function is called. Throws a `conflict` Fault if
   * another link has it.
   */
  claim(): Release;
  onSilence: OnSilence;
  carrier: Carrier;
  warning: string | null;
};
