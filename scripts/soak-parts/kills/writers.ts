import type { Alert } from '../../../src/model/alert.ts';
import type { Track } from '../../../src/model/track.ts';
import type { Answer } from '../../../test/support/http/server.ts';
import type { Kind, Ledger, Row } from './ledger.ts';

/** Asks the daemon as an owner who signed in. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

const circle = { type: 'Point', coordinates: [8.5, 47.4], radius_m: 100 };
const PASSWORD = 'a long enough password';

/** An answer that is neither good nor the end of the daemon: the run must not count it as a kill. */
export class Refused extends Error {}

/** Writers of one round, each on rows of its own. They work until the daemon is gone, and end with its connection. */
export class Writers {
  readonly #ask: Ask;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  #names = 0;
  readonly #round: string;

  constructor(ask: Ask, ledger: Ledger, random: () => number, round: string) {
    this.#ask = ask;
    this.#ledger = ledger;
    this.#random = random;
    this.#round = round;
  }

  start(): Promise<PromiseSettledResult<never>[]> {
    const parts = [
      this.#zones(),
      this.#sensors(),
      this.#assets(),
      this.#access(),
      this.#alerts(),
      this.#affiliations(),
    ];
    return Promise.allSettled(parts);
  }

  async #zones(): Promise<never> {
    for (;;) {
      const id = await this.#create('zones', { name: this.#name(), kind: 'alert', geometry: circle });
      for (let n = Math.floor(this.#random() * 3); n > 0; n--) await this.#change('zones', id, { ceiling_m: 100 + n });
      // A workspace has at most 800 zones, and a fast machine creates many within the rounds of one data folder.
      if (this.#random() < 0.85) await this.#remove('zones', id);
    }
  }

  async #sensors(): Promise<never> {
    for (;;) {
      // Silent after a second, which raises the alerts that are acknowledged.
      const id = await this.#create('sensors', { name: this.#name(), modality: 'acoustic', heartbeat_s: 1 });
      if (this.#random() < 0.5) await this.#change('sensors', id, { placement: { lat: 1, lon: 2 } });
      if (this.#random() < 0.4) await this.#remove('sensors', id);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #assets(): Promise<never> {
    for (;;) {
      const name = this.#name();
      const asset = await this.#create('assets', { name, spec: { remote_id_serial: name } });
      const operator = this.#name();
      const assignment = await this.#create('assignments', { asset_id: asset, affiliation: 'neutral', operator });
      if (this.#random() < 0.6) await this.#change('assignments', assignment, { affiliation: 'hostile' });
      if (this.#random() < 0.3) await this.#change('assets', asset, { spec: { notes: this.#name() } });
    }
  }

  async #access(): Promise<never> {
    for (;;) {
      const key = await this.#create('keys', { name: this.#name(), role: 'viewer' });
      if (this.#random() < 0.5) await this.#revoke(key);
      // A password costs a tenth of a second.
      if (this.#random() < 0.7) continue;
      const user = await this.#create('users', { username: this.#name(), role: 'viewer', password: PASSWORD });
      if (this.#random() < 0.5) await this.#change('users', user, { role: 'operator' });
      if (this.#random() < 0.3) await this.#remove('users', user);
    }
  }

  async #alerts(): Promise<never> {
    for (;;) {
      const alerts = await this.#data<Alert[]>('GET', 'alerts?state=active&limit=50');
      for (const { id } of alerts) {
        const note = this.#name();
        await this.#ledger.noting(id, `alerts/${id}`, note, () =>
          this.#data('POST', `alerts/${id}/acknowledge`, { note }),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async #affiliations(): Promise<never> {
    for (;;) {
      for (const { id } of await this.#data<Track[]>('GET', 'tracks?limit=20')) {
        const reason = this.#name();
        const body = { affiliation: 'neutral', reason };
        // A track that came back may be closed by now.
        const set = () => this.#data('POST', `tracks/${id}/affiliation`, body, [404]);
        await this.#ledger.noting(id, `tracks/${id}`, reason, set);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #create(kind: Kind, body: { name?: string; username?: string; operator?: string; [field: string]: unknown }) {
    const name = body.name ?? body.username ?? body.operator ?? '';
    const { password: _, heartbeat_s: __, ...fields } = body;
    const ask = async (): Promise<Row> => shown(kind, await this.#data<Row>('POST', kind, body));
    return (await this.#ledger.creating(kind, name, fields, ask)).id;
  }

  #change(kind: Kind, id: string, fields: object): Promise<void> {
    return this.#ledger.changing(id, fields, (version) =>
      this.#data<Row>('POST', `${kind}/${id}`, { ...fields, version }),
    );
  }

  #remove(kind: Kind, id: string): Promise<void> {
    return this.#ledger.removing(id, () => this.#data('DELETE', `${kind}/${id}`));
  }

  /** A revoked key stays in the list. */
  #revoke(id: string): Promise<void> {
    return this.#ledger.revoking(id, () => this.#data('DELETE', `keys/${id}`));
  }

  #name(): string {
    return `${this.#round} ${this.#names++}`;
  }

  /** The data of an answer; undefined for a status of `allowed`. */
  async #data<T>(method: string, path: string, body?: unknown, allowed: readonly number[] = []): Promise<T> {
    const { status, body: answer } = await this.#ask(method, path, body);
    if (status !== 200 && !allowed.includes(status)) throw new Refused(`${method} ${path}: ${status} ${answer.error}`);
    return answer.data as T;
  }
}

/** A key as it is compared: whether it is revoked, and not when. */
export function shown(kind: Kind, row: Row): Row {
  return kind === 'keys' ? { ...row, is_revoked: (row.revoked_at ?? null) !== null } : row;
}
