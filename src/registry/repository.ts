import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import { conflict, orNotFound, refuseStale } from '../model/fault.ts';
import { type DocumentTable, documentRows, type Kept, specOf } from '../store/documents.ts';
import type { Deed } from '../store/ledger.ts';
import { changedFields, committed } from './change.ts';
import type { RegistryDeps, RegistryList } from './deps.ts';

export type RepositorySettings<Spec> = {
  table: DocumentTable;
  /** List of the picture that contains the documents; null if none does. */
  list: RegistryList | null;
  /** Noun for one document, in sentences and in kinds of log rows. */
  noun: 'zone' | 'region' | 'rule' | 'scenario';
  /** Limit of the documents in a workspace. */
  most: number;
  /** Checks a document beyond its schema. Must throw a Fault for an invalid document. */
  check(spec: Spec, others: readonly Kept<Spec>[]): void;
  /** Called with each change after it is on the disk. `version` is null for a deleted document. */
  changed?(id: string, version: number | null, by: Actor): void;
};

/** Change of a document: undefined fields stay unchanged. `version` is the version that the caller expects. */
export type Patch<Spec> = { [Key in keyof Spec]?: Spec[Key] | undefined } & { version?: number | undefined };

/** Named documents of a workspace that operators create, change and delete. */
export class Repository<Spec extends { name: string }> {
  readonly #deps: RegistryDeps;
  readonly #settings: RepositorySettings<Spec>;
  readonly #rows: ReturnType<typeof documentRows<Spec>>;
  /** Stored documents, held in memory because each write is checked against all of them. */
  readonly #kept = new Map<string, Kept<Spec>>();
  #sorted: readonly Kept<Spec>[] | null = null;

  constructor(deps: RegistryDeps, settings: RepositorySettings<Spec>) {
    this.#deps = deps;
    this.#settings = settings;
    this.#rows = documentRows(deps.state, settings.table, settings.noun);
    for (const kept of this.#rows.list(deps.workspaceId)) this.#kept.set(kept.id, kept);
  }

  /** Returns all documents, sorted by name. */
  list(): readonly Kept<Spec>[] {
    this.#sorted ??= [...this.#kept.values()].sort(byName);
    return this.#sorted;
  }

  /** Returns the document with this id; throws `not_found` if there is none. */
  get(id: string): Kept<Spec> {
    return orNotFound(this.#kept.get(id), `there is no ${this.#settings.noun} with the id ${id} in this workspace`);
  }

  create(spec: Spec, by: Actor): Kept<Spec> {
    const { noun, most } = this.#settings;
    return committed(this.#deps.ledger, `The ${noun} ${spec.name}`, (after) => {
      const others = this.list();
      if (others.length >= most)
        throw conflict(`the workspace already has ${most} ${noun}s, the most allowed: delete one first`);
      this.#settings.check(spec, others);
      const at = this.#deps.ledger.nowText();
      const result: Kept<Spec> = { ...spec, id: randomUUID(), version: 1, created_at: at, updated_at: at };
      this.#rows.insert(this.#deps.workspaceId, result);
      after(() => this.#put(result, by));
      return { result, deed: this.#deed('created', by, result, null, spec) };
    });
  }

  /** Changes a document. Throws `conflict` if `version` is given and the document has another version. */
  update(id: string, { version, ...patch }: Patch<Spec>, by: Actor): Kept<Spec> {
    const { noun } = this.#settings;
    return committed(this.#deps.ledger, `The ${noun} ${id}`, (after) => {
      const was = this.get(id);
      refuseStale(`the ${noun} ${was.name}`, was.version, version);
      const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const result: Kept<Spec> = { ...was, ...said, version: was.version + 1, updated_at: this.#deps.ledger.nowText() };
      this.#settings.check(
        result,
        this.list().filter((other) => other.id !== id),
      );
      this.#rows.update(this.#deps.workspaceId, result);
      after(() => this.#put(result, by));
      const changed = changedFields(specOf(was), specOf(result));
      return { result, deed: this.#deed('changed', by, result, changed.before, changed.after) };
    });
  }

  /** Stores a document as a recording contains it, with its id and version. */
  restore(kept: Kept<Spec>): void {
    const { state, workspaceId } = this.#deps;
    state.write(`The ${this.#settings.noun} ${kept.name}`, () => {
      if (this.#kept.has(kept.id)) this.#rows.update(workspaceId, kept);
      else this.#rows.insert(workspaceId, kept);
    });
    this.#put(kept, systemActor);
  }

  remove(id: string, by: Actor): void {
    committed(this.#deps.ledger, `The ${this.#settings.noun} ${id}`, (after) => {
      const was = this.get(id);
      this.#rows.delete(this.#deps.workspaceId, id);
      after(() => {
        this.#kept.delete(id);
        this.#sorted = null;
        if (this.#settings.list) this.#deps.publish.removed(this.#settings.list, id);
        this.#settings.changed?.(id, null, by);
      });
      return { result: undefined, deed: this.#deed('deleted', by, was, specOf(was), null) };
    });
  }

  #put(kept: Kept<Spec>, by: Actor): void {
    this.#kept.set(kept.id, kept);
    this.#sorted = null;
    if (this.#settings.list) this.#deps.publish.row(this.#settings.list, kept);
    this.#settings.changed?.(kept.id, kept.version, by);
  }

  #deed(
    what: 'created' | 'changed' | 'deleted',
    by: Actor,
    { id, name }: Kept<Spec>,
    before: unknown,
    after: unknown,
  ): Deed {
    const { noun } = this.#settings;
    const text = `${actorLabel(by)} ${what} the ${noun} ${name}`;
    const subject = { type: noun, id, label: name };
    return { kind: `${noun}.${what}`, text, by, workspaceId: this.#deps.workspaceId, subject, before, after };
  }
}

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
