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
   * Called once, also in the middle of opening. Resolves when nothing is open any more. `fault` says that it did not
   * work as it should, so what the device still holds back is thrown away.
   */
  close(fault: boolean): Promise<void>;
  /** Resolves with how many bytes left. */
  write(bytes: Uint8Array, to?: string): Promise<number>;
};

/** Events of a Port while it is open. */
export type PortEvents = {
  bytes(bytes: Uint8Array, from: string): void;
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
 * Reaction to silence: `reopen` closes and opens again after the back-off; `rebind` opens again at once, since a socket
 * that is closed loses datagrams; `note` only says so, where opening again cannot help; `ignore` says nothing.
 */
type OnSilence = 'reopen' | 'rebind' | 'note' | 'ignore';

/**
 * Condition under which a sender could be received, whether or not bytes come: `open` while it is open (a device, a dialled
 * connection), `peers` while a peer is connected, `never` where only bytes can tell.
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
