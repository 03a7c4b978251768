import type { Release } from './claims.ts';

/**
 * One opening of a transport. The supervisor makes a new Port for every attempt. A buffered write, a late event or half
 * a frame thus never survives from one opening to the next.
 */
export type Port = {
  /**
   * Resolves with the address in use when bytes may flow. Rejects with an Error whose message a person can act on; a
   * Fault `invalid_input` says that trying again cannot help.
   */
  open(): Promise<string>;
  /**
   * Called once, also in the middle of opening. Resolves when nothing is open any more. `fault`: the port failed, so
   * bytes that the device has not sent yet are discarded.
   */
  close(fault: boolean): Promise<void>;
  /** Resolves with how many bytes left. */
  write(bytes: Uint8Array, to?: string): Promise<number>;
  /** Closes the connection of one sender; absent where the port has one sender only. */
  cut?(from: string): void;
};

/** Events of a Port while it is open. */
export type PortEvents = {
  bytes(bytes: Uint8Array, from: string): void;
  /** A peer connected, where the peers dial. */
  came(from: string): void;
  gone(from: string): void;
  /** Reports that the transport broke, with a sentence of the cause. Only the first call counts. */
  lost(sentence: string): void;
  /** Reports that the source came to its end without a fault. */
  ended(sentence: string): void;
  count(what: 'notAllowed' | 'overLimit' | 'kernelDrops', more: number): void;
  /** Number of present connections, where the peers dial. */
  peers(count: number): void;
  /** True while silence is no fault, so that nothing is to be closed for it. */
  mayBeQuiet(): boolean;
};

/**
 * Reaction to silence. `reopen` closes and opens again after the back-off. `rebind` opens again at once, since a closed
 * socket loses datagrams. `note` only sets the status, where opening again cannot help. `ignore` does nothing.
 */
type OnSilence = 'reopen' | 'rebind' | 'note' | 'ignore';

/**
 * Condition under which a sender could be received, whether or not bytes arrive. `open`: while the port is open (a
 * device, a dialled connection). `peers`: while a peer is connected. `never`: only bytes can show it.
 */
type Carrier = 'open' | 'peers' | 'never';

/** A transport as the supervisor drives it. */
export type Transport = {
  port(events: PortEvents): Port;
  /** Takes what the link needs for itself from start to stop; throws a `conflict` Fault where another link has it. */
  claim(): Release;
  onSilence: OnSilence;
  carrier: Carrier;
  warning: string | null;
};
