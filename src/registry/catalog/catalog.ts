import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../../model/actor.ts';
import type { CatalogCreate, CatalogEntry, CatalogModel, CatalogUpdate } from '../../model/catalog.ts';
import { conflict, notFound, refuseStale } from '../../model/fault.ts';
import { Listeners } from '../../model/listeners.ts';
import type { LogVerb } from '../../model/log_kind.ts';
import { type CatalogRecord, catalogRows } from '../../store/catalog.ts';
import type { Deed } from '../../store/ledger.ts';
import { type After, committed } from '../change.ts';
import type { RegistryDeps } from '../deps.ts';
import { builtins } from './builtins.ts';
import { capabilityOf } from './capability.ts';
import { fold, NameIndex } from './names.ts';

/** Limit of the entries in a workspace's catalog; each change indexes the names of all entries again. */
const MOST_ENTRIES = 5_000;

const builtinNames = new NameIndex(builtins);

/** Models that a workspace knows: its own catalog entries, then the built-in ones. */
export class Catalog {
  readonly #deps: RegistryDeps;
  readonly #rows: ReturnType<typeof catalogRows>;
  readonly #entries = new Map<string, CatalogRecord>();
  #names: NameIndex<CatalogRecord>;
  /** Emitted with the folded names that may now refer to another model. */
  readonly changed = new Listeners<[ReadonlySet<string>]>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#rows = catalogRows(deps.state);
    for (const entry of this.#rows.list(deps.workspaceId)) this.#entries.set(entry.id, entry);
    this.#names = new NameIndex(this.#entries.values());
  }

  builtins() {
    const at = this.#deps.ledger.nowText();
    return builtins.map(({ name, kind, spec }) => {
      const fit = { performance: spec.performance ?? {}, payloads: spec.payloads ?? [] };
      return { name, kind, spec, capability: capabilityOf(spec, fit, at) };
    });
  }

  /** Returns all entries, sorted by name. */
  list(): CatalogEntry[] {
    const folded = [...this.#entries.values()].sort((a, b) => (a.folded_name < b.folded_name ? -1 : 1));
    return folded.map(documentOf);
  }

  get(id: string): CatalogEntry {
    return documentOf(this.#require(id));
  }

  /**
   * Finds the model with a name or alias; own entries take precedence over built-in ones. Returns undefined if there is
   * none. Throws `conflict` if several models have the name.
   */
  find(name: string): CatalogModel | undefined {
    return this.#names.find(name) ?? builtinNames.find(name);
  }

  /**
   * Returns the model whose own name equals `name`, both folded by `fold`. Aliases do not count, because asset rows
   * store own names.
   */
  named(name: string): CatalogModel | undefined {
    return this.#names.named(name) ?? builtinNames.named(name);
  }

  create(body: CatalogCreate, by: Actor): CatalogEntry {
    this.#refuseTaken(body.name, null);
    this.#refuseFull(1);
    return committed(this.#deps.ledger, `The catalog entry ${body.name}`, (after) => {
      const entry = this.#insert(body, false, after);
      this.#announce(entry, [entry], by, after);
      return { result: documentOf(entry), deed: this.#deed('created', entry, by, null) };
    });
  }

  update(id: string, body: CatalogUpdate, by: Actor): CatalogEntry {
    const was = this.#require(id);
    refuseStale(`the catalog entry ${was.name}`, was.version, body.version);
    const name = body.name ?? was.name;
    this.#refuseTaken(name, id);
    const next: CatalogRecord = {
      ...was,
      kind: body.kind ?? was.kind,
      name,
      folded_name: fold(name),
      spec: body.spec,
      version: was.version + 1,
      updated_at: this.#deps.ledger.nowText(),
    };
    return committed(this.#deps.ledger, `The catalog entry ${name}`, (after) => {
      this.#rows.update(next);
      after(() => this.#entries.set(id, next));
      this.#announce(next, [was, next], by, after);
      return { result: documentOf(next), deed: this.#deed('changed', next, by, was) };
    });
  }

  remove(id: string, by: Actor): void {
    const was = this.#require(id);
    committed(this.#deps.ledger, `The removal of the catalog entry ${was.name}`, (after) => {
      this.#rows.delete(id);
      after(() => this.#entries.delete(id));
      this.#announce(was, [was], by, after);
      return { result: undefined, deed: { ...this.#deed('deleted', was, by, was), after: null } };
    });
  }

  /** Copies the built-in platforms and sensors into the catalog. Those whose name an entry already has are skipped. */
  seed(by: Actor): { inserted: number } {
    const missing = builtins.filter(({ name }) => !this.#names.named(name));
    if (missing.length === 0) return { inserted: 0 };
    this.#refuseFull(missing.length);
    return committed(this.#deps.ledger, 'The built-in platforms', (after) => {
      const inserted = missing.map((model) => this.#insert(model, true, after));
      this.#announce(null, inserted, by, after);
      const deed = {
        kind: 'catalog.seeded' as const,
        text: `${missing.length} built-in platforms were copied into the catalog`,
        by,
        workspaceId: this.#deps.workspaceId,
        after: missing.map(({ name }) => name),
      };
      return { result: { inserted: missing.length }, deed };
    });
  }

  #insert({ name, kind, spec }: CatalogModel, builtin: boolean, after: After): CatalogRecord {
    const at = this.#deps.ledger.nowText();
    const { workspaceId: workspace_id } = this.#deps;
    const entry: CatalogRecord = {
      id: randomUUID(),
      workspace_id,
      kind,
      name,
      folded_name: fold(name),
      spec,
      builtin,
      version: 1,
      created_at: at,
      updated_at: at,
    };
    this.#rows.insert(entry);
    after(() => this.#entries.set(entry.id, entry));
    return entry;
  }

  #announce(entry: CatalogRecord | null, changed: readonly CatalogRecord[], by: Actor, after: After): void {
    after(() => {
      this.#names = new NameIndex(this.#entries.values());
      const body = { what: 'catalog', id: entry?.id ?? null, version: entry?.version ?? null, by: actorLabel(by) };
      this.#deps.publish.announce('config_change', body);
      this.changed.emit(new Set(changed.map(({ folded_name }) => folded_name)));
    });
  }

  #require(id: string): CatalogRecord {
    const entry = this.#entries.get(id);
    if (!entry) throw notFound(`there is no catalog entry with the id ${id} in this workspace`);
    return entry;
  }

  #refuseFull(more: number): void {
    if (this.#entries.size + more <= MOST_ENTRIES) return;
    throw conflict(
      `the catalog has ${this.#entries.size} entries, and at most ${MOST_ENTRIES} are allowed: delete some first`,
    );
  }

  #refuseTaken(name: string, id: string | null): void {
    const folded = fold(name);
    for (const entry of this.#entries.values()) {
      if (entry.folded_name !== folded || entry.id === id) continue;
      throw conflict(`the catalog has an entry called ${entry.name} already`);
    }
  }

  #deed(what: LogVerb<'catalog'>, entry: CatalogRecord, by: Actor, before: CatalogRecord | null): Deed {
    return {
      kind: `catalog.${what}`,
      text: `the catalog entry ${entry.name} was ${what}`,
      by,
      workspaceId: this.#deps.workspaceId,
      subject: { type: 'catalog_entry', id: entry.id, label: entry.name },
      before: before && documentOf(before),
      after: documentOf(entry),
    };
  }
}

function documentOf({ workspace_id: _workspace, folded_name: _folded, ...entry }: CatalogRecord): CatalogEntry {
  return entry;
}
