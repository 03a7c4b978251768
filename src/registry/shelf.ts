import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { type DocumentRow, type DocumentTable, documentRows } from '../store/documents.ts';
import { changedFields } from './changed.ts';
import type { RegistryRim } from './rim.ts';
import { refuseStale } from './version.ts';

export type Kept<Spec> = Spec & { id: string; version: number; created_at: string; updated_at: string };

export type ShelfSettings<Spec> = {
  table: DocumentTable;
  /** What one is called in a sentence and in the kinds of log rows. */
  noun: string;
  /** So many at most. */
  most: number;
  /** Refuses what no schema can: throws a Fault. */
  check(spec: Spec, others: readonly Kept<Spec>[]): void;
};

/** Named documents of a workspace that operators make, change and take away: a list of the picture each. */
export class Shelf<Spec extends { name: string }> {
  readonly #rim: RegistryRim;
  readonly #settings: ShelfSettings<Spec>;
  readonly #rows: ReturnType<typeof documentRows>;

  constructor(rim: RegistryRim, settings: ShelfSettings<Spec>) {
    this.#rim = rim;
    this.#settings = settings;
    this.#rows = documentRows(rim.state, settings.table, settings.noun);
  }

  list(): Kept<Spec>[] {
    return this.#rows.list(this.#rim.workspaceId).map((row) => keptOf<Spec>(row));
  }

  /** Throws `not_found`. */
  get(id: string): Kept<Spec> {
    const row = this.#rows.get(this.#rim.workspaceId, id);
    if (!row) throw new Fault('not_found', `there is no ${this.#settings.noun} with the id ${id} in this workspace`);
    return keptOf<Spec>(row);
  }

  create(spec: Spec, by: Actor): Kept<Spec> {
    const { noun, most } = this.#settings;
    const kept = this.#rim.ledger.change(`The ${noun} ${spec.name}`, () => {
      const others = this.list();
      if (others.length >= most) throw new Fault('conflict', `there are ${most} ${noun}s already, which is the most`);
      this.#settings.check(spec, others);
      const at = this.#rim.ledger.nowText();
      const result: Kept<Spec> = { ...spec, id: randomUUID(), version: 1, created_at: at, updated_at: at };
      this.#rows.insert(rowOf(result, this.#rim.workspaceId));
      return { result, deed: this.#deed('created', by, result, null, spec) };
    });
    this.#rim.tell.row(this.#settings.table, kept);
    return kept;
  }

  /** `patch` holds what changes; what is undefined in it stays. Throws `conflict` where `version` is not the row's. */
  update(id: string, patch: Partial<Spec>, version: number | undefined, by: Actor): Kept<Spec> {
    const { noun } = this.#settings;
    const kept = this.#rim.ledger.change(`The ${noun} ${id}`, () => {
      const was = this.get(id);
      refuseStale(`the ${noun} ${was.name}`, was.version, version);
      const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const result: Kept<Spec> = { ...was, ...said, version: was.version + 1, updated_at: this.#rim.ledger.nowText() };
      this.#settings.check(
        result,
        this.list().filter((other) => other.id !== id),
      );
      this.#rows.update(rowOf(result, this.#rim.workspaceId));
      const { before, after } = changedFields(specOf(was), specOf(result));
      return { result, deed: this.#deed('changed', by, result, before, after) };
    });
    this.#rim.tell.row(this.#settings.table, kept);
    return kept;
  }

  remove(id: string, by: Actor): void {
    this.#rim.ledger.change(`The ${this.#settings.noun} ${id}`, () => {
      const was = this.get(id);
      this.#rows.delete(this.#rim.workspaceId, id);
      return { result: undefined, deed: this.#deed('deleted', by, was, specOf(was), null) };
    });
    this.#rim.tell.removed(this.#settings.table, id);
  }

  #deed(what: string, by: Actor, { id, name }: Kept<Spec>, before: unknown, after: unknown) {
    const { noun } = this.#settings;
    const text = `${actorLabel(by)} ${what} the ${noun} ${name}`;
    const subject = { type: noun, id, label: name };
    return { kind: `${noun}.${what}`, text, by, workspaceId: this.#rim.workspaceId, subject, before, after };
  }
}

function specOf<Spec>({ id: _id, version: _version, created_at: _made, updated_at: _changed, ...spec }: Kept<Spec>) {
  return spec;
}

function rowOf<Spec extends { name: string }>(kept: Kept<Spec>, workspaceId: string): DocumentRow {
  const { id, version, created_at: createdAt, updated_at: updatedAt, name } = kept;
  return { id, workspaceId, name, document: specOf(kept), version, createdAt, updatedAt };
}

function keptOf<Spec>({ id, document, version, createdAt, updatedAt }: DocumentRow): Kept<Spec> {
  return { ...(document as Spec), id, version, created_at: createdAt, updated_at: updatedAt };
}
