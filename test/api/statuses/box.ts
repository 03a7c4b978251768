import type { MadeKey, Membership } from '../../../src/model/access.ts';
import type { Asset } from '../../../src/model/asset.ts';
import type { Assignment } from '../../../src/model/assignment.ts';
import type { CatalogEntry } from '../../../src/model/catalog.ts';
import type { Headers, Member } from '../../support/daemon/signed_in.ts';
import { sending } from '../../support/http/person.ts';
import { type Answer, ask } from '../../support/http/server.ts';

/** How a status is reached, and what is answered with it. */
export type Reached = {
  /** The error's code, of all but 200. */
  code?: string;
  /** What stands in the error's sentence. */
  says?: RegExp;
  /** What stands in the data. */
  gives?: unknown;
  reach(): Promise<Answer>;
};
/** By route, and by status with its condition. */
export type StatusTable = Record<string, Record<string, Reached>>;

export const nobody = '11111111-2222-4333-8444-555555555555';
export const missing = { code: 'not_found' };
export const invalid = { code: 'invalid_input' };
export const conflict = { code: 'conflict' };
export const at = (id: string): string => `/api/assets/${id}`;

/** A real daemon with people and keys of two workspaces, and ways to make what a request needs. */
export class StatusBox {
  readonly url: string;
  readonly anna: Member;
  readonly ben: Member;
  readonly south: Membership;
  readonly key: MadeKey;
  readonly revoked: MadeKey;
  #serials = 0;

  constructor(of: Pick<StatusBox, 'url' | 'anna' | 'ben' | 'south' | 'key' | 'revoked'>) {
    this.url = of.url;
    this.anna = of.anna;
    this.ben = of.ben;
    this.south = of.south;
    this.key = of.key;
    this.revoked = of.revoked;
  }

  readonly to = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
    ask(this.url + path, sending(method, headers, body));

  readonly get = (path: string, gives?: unknown): Reached => ({ gives, reach: () => this.to('GET', path) });

  readonly absent = (method: string, path: string, body?: unknown): Reached => ({
    ...missing,
    says: new RegExp(nobody),
    reach: () => this.to(method, path, body),
  });

  readonly newSerial = (): string => `1581F5FKD2294A${String(++this.#serials).padStart(6, '0')}`;

  readonly asset = (spec: object = {}, name = 'Heron'): Promise<Asset> => this.#made('/api/assets', { name, spec });

  readonly confirmed = (affiliation: string, serial = this.newSerial()): Promise<Assignment> =>
    this.#made('/api/assignments/confirm', { serial, affiliation });

  readonly entry = (name: string): Promise<CatalogEntry> =>
    this.#made('/api/catalog/entries', { name, kind: 'platform', spec: { domain: 'air' } });

  /** A request about an asset that was made for it. */
  readonly ofNew = async (method: string, path: (id: string) => string, body?: unknown): Promise<Answer> =>
    this.to(method, path((await this.asset()).id), body);

  async #made<T>(path: string, body: unknown): Promise<T> {
    const answer = await this.to('POST', path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data as T;
  }
}
