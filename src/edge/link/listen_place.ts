import { conflict } from '../../model/fault.ts';
import type { HostPort } from './address.ts';
import type { Claims, Release } from './claims.ts';
import { codeOf, explain, isInUse } from './explain.ts';

/**
 * Address and port on which a link listens. A port that the kernel chose (requested as 0) stays the link's own until
 * the link stops. Senders thus still find the port when the socket is opened again.
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

  /** Takes the port from start to stop; a port still to be chosen is taken when it is known. */
  claim(): Release {
    if (this.#asked !== 0) this.#take(this.#asked);
    return () => {
      this.#release?.();
      this.#release = null;
      this.#port = this.#asked;
    };
  }

  /** Notes the port that a socket was really given. */
  bound(port: number): void {
    if (this.#port === 0) this.#take(port);
    this.#port = port;
  }

  /** Sentence that says why the link cannot listen there. */
  explain(thrown: unknown): string {
    const wrongHost = codeOf(thrown) === 'EADDRNOTAVAIL';
    return explain(wrongHost ? this.host : `port ${this.#port}/${this.#kind}`, thrown);
  }

  /** Error of a failed opening: a `conflict` Fault where the port is in use. */
  failure(thrown: unknown): Error {
    const sentence = this.explain(thrown);
    return isInUse(thrown) ? conflict(sentence, { cause: thrown }) : new Error(sentence, { cause: thrown });
  }

  #take(port: number): void {
    this.#release = this.#claims.takePort(this.#kind, this.host, port, this.#owner);
  }
}
