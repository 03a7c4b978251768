import { conflict } from '../../model/fault.ts';
import type { HostPort } from './address.ts';
import type { Claims, Release } from './claims.ts';
import { codeOf, explain, isInUse } from './explain.ts';

/**
 * Address and port on which a link listens. A requested port of 0 lets the kernel choose one. The link keeps the
 * chosen port until it stops, so that senders still reach it after a reopening.
 */
export class ListenPlace {
  readonly host: string;
  readonly #kind: 'udp' | 'tcp';
  readonly #asked: number;
  readonly #owner: string;
  readonly #claims: Claims;
  #port: number;
  #release: Release | null = null;

  constructor(kind: 'udp' | 'tcp', address: HostPort, owner: string, claims: Claims) {
    this.host = address.host;
    this.#kind = kind;
    this.#asked = address.port;
    this.#port = address.port;
    this.#owner = owner;
    this.#claims = claims;
  }

  get port(): number {
    return this.#port;
  }

  /**
   * Locks the port until the returned function is called. A port that the kernel chooses is locked once it is known.
   */
  claim(): Release {
    if (this.#asked !== 0) this.#take(this.#asked);
    return () => {
      this.#release?.();
      this.#release = null;
      this.#port = this.#asked;
    };
  }

  /** Notes the port that the kernel assigned to the socket. */
  bound(port: number): void {
    if (this.#port === 0) this.#take(port);
    this.#port = port;
  }

  /** Returns a sentence with the reason why the link cannot listen on this address and port. */
  explain(thrown: unknown): string {
    const wrongHost = codeOf(thrown) === 'EADDRNOTAVAIL';
    return explain(wrongHost ? this.host : `port ${this.#port}/${this.#kind}`, thrown);
  }

  /**
   * Converts the error of a failed opening: to a `conflict` Fault if the port is in use, else to an Error with a
   * sentence.
   */
  failure(thrown: unknown): Error {
    const sentence = this.explain(thrown);
    return isInUse(thrown) ? conflict(sentence, { cause: thrown }) : new Error(sentence, { cause: thrown });
  }

  #take(port: number): void {
    this.#release = this.#claims.takePort(this.#kind, this.host, port, this.#owner);
  }
}
