/** Rows that writers change; `keys` and `users` belong to a person who signed in. */
export const kinds = ['zones', 'sensors', 'assets', 'assignments', 'users', 'keys'] as const;
export type Kind = (typeof kinds)[number];

/** A document of the daemon. Only fields that people set are compared. */
export type Row = { id: string; [field: string]: unknown };

/** Fields that hold what people wrote. The others follow from the sky or the time. */
const compared: Readonly<Record<Kind, readonly string[]>> = {
  zones: ['name', 'kind', 'geometry', 'ceiling_m', 'enabled', 'version'],
  sensors: ['name', 'modality', 'placement', 'version'],
  assets: ['name', 'spec', 'version'],
  assignments: ['asset_id', 'affiliation', 'operator', 'active', 'version'],
  users: ['username', 'role', 'version'],
  keys: ['name', 'role', 'is_revoked'],
};

/** Change of a row that was asked for and not answered: the fields of it, or its removal. */
type Asked = { fields: object } | 'removal' | null;

type Known = { kind: Kind; answered: Row | null; asked: Asked };

export type Note = { path: string; answered: string | null; asked: string | null; isSeen: boolean };

/** Everything that a daemon answered for, and what it was asked for when it died. */
export class Ledger {
  readonly #rows = new Map<string, Known>();
  /** Creations without an answer, by their kind and name. */
  readonly #creations = new Map<string, object>();
  /** Notes of alerts, and reasons of affiliations, by the id of alert or track; the second is one without an answer. */
  readonly notes = new Map<string, Note>();
  writes = 0;

  get size(): number {
    return this.#rows.size;
  }

  async creating(kind: Kind, name: string, fields: object, ask: () => Promise<Row>): Promise<Row> {
    this.#creations.set(`${kind} ${name}`, fields);
    const row = await ask();
    this.#creations.delete(`${kind} ${name}`);
    this.#rows.set(row.id, { kind, answered: row, asked: null });
    this.writes++;
    return row;
  }

  async changing(id: string, fields: object, ask: (version: unknown) => Promise<Row>): Promise<void> {
    const known = this.#known(id);
    known.asked = { fields };
    known.answered = await ask(known.answered?.version);
    known.asked = null;
    this.writes++;
  }

  async removing(id: string, ask: () => Promise<unknown>): Promise<void> {
    const known = this.#known(id);
    known.asked = 'removal';
    await ask();
    known.answered = null;
    known.asked = null;
    this.writes++;
  }

  async revoking(id: string, ask: () => Promise<unknown>): Promise<void> {
    const known = this.#known(id);
    known.asked = { fields: { is_revoked: true } };
    await ask();
    known.answered = { ...(known.answered as Row), is_revoked: true };
    known.asked = null;
    this.writes++;
  }

  /** `ask` gives undefined where there is nothing to note about any more. */
  async noting(id: string, path: string, note: string, ask: () => Promise<unknown>): Promise<void> {
    const known = this.notes.get(id) ?? { path, answered: null, asked: null, isSeen: false };
    this.notes.set(id, known);
    known.asked = note;
    known.isSeen = false;
    const data = await ask();
    known.asked = null;
    if (data === undefined) return;
    known.answered = note;
    this.writes++;
  }

  /** Differences between what is stored and what was answered, as sentences. */
  differences(stored: ReadonlyMap<string, { kind: Kind; row: Row }>): string[] {
    const wrong: string[] = [];
    for (const [id, known] of this.#rows) {
      const found = stored.get(id)?.row ?? null;
      if (!fits(known, found))
        wrong.push(`${known.kind}/${id} was ${JSON.stringify(known)} and is ${JSON.stringify(found)}`);
    }
    for (const [id, { kind, row }] of stored) {
      if (this.#rows.has(id)) continue;
      const asked = this.#creations.get(`${kind} ${nameOf(kind, row)}`);
      if (asked === undefined) wrong.push(`nobody asked for ${kind} ${JSON.stringify(row)}`);
      else if (!carries(row, asked))
        wrong.push(`half of a creation: ${JSON.stringify(asked)} is ${JSON.stringify(row)}`);
    }
    return wrong;
  }

  /** What was in doubt is from here on as it was found. */
  settle(stored: ReadonlyMap<string, { kind: Kind; row: Row }>): void {
    for (const [id, { kind, row }] of stored) this.#rows.set(id, { kind, answered: row, asked: null });
    for (const [id, known] of this.#rows) if (!stored.has(id)) Object.assign(known, { answered: null, asked: null });
    this.#creations.clear();
  }

  /** Versions of the rows that are there, for the audit rows that must be there with them. */
  versions(): Map<string, number> {
    const rows = [...this.#rows].filter(([, { kind, answered }]) => kind !== 'keys' && answered !== null);
    return new Map(rows.map(([id, { answered }]) => [id, Number(answered?.version)]));
  }

  #known(id: string): Known {
    const known = this.#rows.get(id);
    if (known === undefined) throw new Error(`${id} was never answered`);
    return known;
  }
}

function fits({ kind, answered, asked }: Known, found: Row | null): boolean {
  if (equal(kind, answered, found)) return true;
  if (asked === null) return false;
  if (asked === 'removal') return found === null;
  if (found === null || !carries(found, asked.fields)) return false;
  return kind === 'keys' || found.version === Number(answered?.version) + 1;
}

function equal(kind: Kind, a: Row | null, b: Row | null): boolean {
  if (a === null || b === null) return a === b;
  return compared[kind].every((field) => JSON.stringify(a[field]) === JSON.stringify(b[field]));
}

/** Whether a row has every field of a request. Geometries and specs are completed by the daemon. */
function carries(row: Row, fields: object): boolean {
  return Object.entries(fields).every(([field, value]) => contains(row[field], value));
}

function contains(is: unknown, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return is === asked;
  if (typeof is !== 'object' || is === null) return false;
  return Object.entries(asked).every(([field, value]) => contains((is as Record<string, unknown>)[field], value));
}

/** The name under which a row was asked for. */
export function nameOf(kind: Kind, row: Row): string {
  if (kind === 'assignments') return String(row.operator);
  return String(kind === 'users' ? row.username : row.name);
}
