import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { type DocumentRow, type DocumentTable, documentRows } from '../store/documents.ts';
import { changedFields } from './changed.ts';
import { committed } from './committed.ts';
import type { RegistryList, RegistryRim } from './rim.ts';
import { refuseStale } from './version.ts';

export type Kept<Spec> = Spec & { id: string; version: number; created_at: string; updated_at: string };

export type ShelfSettings<Spec> = {
  table: DocumentTable;
  /** The list of the picture that shows them. */
  list: RegistryList | null;
  /** What one is called in a sentence and in the kinds of log rows. */
  noun: string;
  /** So many at most. */
  most: number;
  /** Refuses what no schema can: throws a Fault. */
  check(spec: Spec, others: readonly Kept<Spec>[]): void;
  /** Told of each change once it is on the disk; `version` is null of one that is gone. */
  changed?(id: string, version: number | null, by: Actor): void;
};

/** Named documents of a workspace that operators make, change and take away: a list of the picture each. */
export class Shelf<Spec extends { name: string }> {
  readonly #rim: RegistryRim;
  readonly #settings: ShelfSettings<Spec>;
  readonly #rows: ReturnType<typeof documentRows>;
  /** The rows as the disk holds them: documents are long, and each write is judged beside all of them. */
  readonly #kept = new Map<string, Kept<Spec>>();
  #sorted: readonly Kept<Spec>[] | null = null;

  constructor(rim: RegistryRim, settings: ShelfSettings<Spec>) {
    this.#rim = rim;
    this.#settings = settings;
    this.#rows = documentRows(rim.state, settings.table, settings.noun);
    for (const row of this.#rows.list(rim.workspaceId)) this.#kept.set(row.id, keptOf<Spec>(row));
  }

  /** By name. */
  list(): readonly Kept<Spec>[] {
    this.#sorted ??= [...this.#kept.values()].sort(byName);
    return this.#sorted;
  }

  /** Throws `not_found`. */
  get(id: string): Kept<Spec> {
    const kept = this.#kept.get(id);
    if (!kept) throw new Fault('not_found', `there is no ${this.#settings.noun} with the id ${id} in this workspace`);
    return kept;
  }

  create(spec: Spec, by: Actor): Kept<Spec> {
    const { noun, most } = this.#settings;
    return committed(this.#rim.ledger, `The ${noun} ${spec.name}`, (after) => {
      const others = this.list();
      if (others.length >= most) throw new Fault('conflict', `there are ${most} ${noun}s already, which is the most`);
      this.#settings.check(spec, others);
      const at = this.#rim.ledger.nowText();
      const result: Kept<Spec> = { ...spec, id: randomUUID(), version: 1, created_at: at, updated_at: at };
      this.#rows.insert(rowOf(result, this.#rim.workspaceId));
      after(() => this.#put(result, by));
      return { result, deed: this.#deed('created', by, result, null, spec) };
    });
  }

  /** `patch` holds what changes; what is undefined in it stays. Throws `conflict` where `version` is not the row's. */
  update(id: string, patch: Partial<Spec>, version: number | undefined, by: Actor): Kept<Spec> {
    const { noun } = this.#settings;
    return committed(this.#rim.ledger, `The ${noun} ${id}`, (after) => {
      const was = this.get(id);
      refuseStale(`the ${noun} ${was.name}`, was.version, version);
      const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const result: Kept<Spec> = { ...was, ...said, version: was.version + 1, updated_at: this.#rim.ledger.nowText() };
      this.#settings.check(
        result,
        this.list().filter((other) => other.id !== id),
      );
      this.#rows.update(rowOf(result, this.#rim.workspaceId));
      after(() => this.#put(result, by));
      const changed = changedFields(specOf(was), specOf(result));
      return { result, deed: this.#deed('changed', by, result, changed.before, changed.after) };
    });
  }

  /** A row as it was somewhere else, with its id and its version. */
  restore(kept: Kept<Spec>): void {
    const { noun } = this.#settings;
    const row = rowOf(kept, this.#rim.workspaceId);
    this.#rim.state.write(`The ${noun} ${kept.name}`, () => {
      if (this.#kept.has(kept.id)) this.#rows.update(row);
      else this.#rows.insert(row);
    });
    this.#put(kept, systemActor);
  }

  remove(id: string, by: Actor): void {
    committed(this.#rim.ledger, `The ${this.#settings.noun} ${id}`, (after) => {
      const was = this.get(id);
      this.#rows.delete(this.#rim.workspaceId, id);
      after(() => {
        this.#kept.delete(id);
        this.#sorted = null;
        if (this.#settings.list) this.#rim.tell.removed(this.#settings.list, id);
        this.#settings.changed?.(id, null, by);
      });
      return { result: undefined, deed: this.#deed('deleted', by, was, specOf(was), null) };
    });
  }

  #put(kept: Kept<Spec>, by: Actor): void {
    this.#kept.set(kept.id, kept);
    this.#sorted = null;
    if (this.#settings.list) this.#rim.tell.row(this.#settings.list, kept);
    this.#settings.changed?.(kept.id, kept.version, by);
  }

  #deed(what: string, by: Actor, { id, name }: Kept<Spec>, before: unknown, after: unknown) {
    const { noun } = this.#settings;
    const text = `${actorLabel(by)} ${what} the ${noun} ${name}`;
    const subject = { type: noun, id, label: name };
    return { kind: `${noun}.${what}`, text, by, workspaceId: this.#rim.workspaceId, subject, before, after };
  }
}

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
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
