import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import { NON_FORCE } from '../model/asset.ts';
import type {
  Affiliation,
  Assignment,
  AssignmentConfirm,
  AssignmentCreate,
  AssignmentUpdate,
} from '../model/assignment.ts';
import { conflict, invalidInput, notFound, orNotFound, refuseStale } from '../model/fault.ts';
import type { LogVerb } from '../model/log_kind.ts';
import { formatTime, parseTime } from '../model/time.ts';
import type { AssetRecord } from '../store/assets.ts';
import type { AssignmentRecord } from '../store/assignments.ts';
import type { Deed } from '../store/ledger.ts';
import type { AssetIndex, AssetIndexes } from './assets/asset_index.ts';
import type { Assets } from './assets/assets.ts';
import { type After, committed } from './change.ts';
import type { RegistryDeps } from './deps.ts';
import { ofDeed } from './provenance.ts';

type Made = Pick<Assignment, 'affiliation' | 'source' | 'confirmed'> &
  Partial<Pick<Assignment, 'active' | 'name' | 'operator' | 'role' | 'reason' | 'expires_at'>>;

/**
 * Limit of the assignments stored for an environment. Beyond it the oldest inactive ones are deleted, `PRUNED_AT_ONCE`
 * more than necessary.
 */
export const KEPT = 200_000;
const PRUNED_AT_ONCE = 1_000;
/** Limit of the expired assignments that one transaction ends. */
const ENDED_AT_ONCE = 100;

/**
 * Assignments: affiliations that people give to assets. An asset has at most one active assignment; earlier ones are
 * kept as history.
 */
export class Assignments {
  readonly #deps: RegistryDeps;
  readonly #indexes: AssetIndexes;
  readonly #assets: Assets;
  #gathered: Assignment[] | null = null;
  /** Upper bound of the number of rows, by environment; counted when first needed. */
  readonly #counts = new Map<string, number>();

  constructor(deps: RegistryDeps, indexes: AssetIndexes, assets: Assets) {
    this.#deps = deps;
    this.#indexes = indexes;
    this.#assets = assets;
    assets.removing.add((record, by, after) => this.#endOf(record, by, after));
  }

  /** Runs `work`, and publishes all its changes of assignments as one delta. */
  inOneDelta<T>(work: () => T): T {
    this.#gathered = [];
    try {
      return work();
    } finally {
      const rows = this.#gathered;
      this.#gathered = null;
      if (rows.length > 0) this.#deps.publish.rows('assignments', rows);
    }
  }

  /** Returns all assignments, the newest first. */
  list(): Assignment[] {
    return [...this.#rows()];
  }

  /**
   * Yields the newest `limit` assignments as JSON text, by default all, the newest first. The rows are read in pages.
   */
  *texts(limit?: number): Generator<string> {
    for (const row of this.#rows(limit)) yield JSON.stringify(row);
  }

  *#rows(limit = Number.MAX_SAFE_INTEGER): Generator<Assignment> {
    for (const record of this.#indexes.assignmentRows.newestFirst(this.#index.scope, limit))
      yield this.#asOfNow(record);
  }

  get(id: string): Assignment {
    return this.#asOfNow(this.#require(id));
  }

  /** Returns the active assignments, also those that expired and whose end is not stored yet. */
  active(): Assignment[] {
    return [...this.#index.active()].map(documentOf);
  }

  create(body: AssignmentCreate, by: Actor): Assignment {
    const asset = this.#index.asset(body.asset_id);
    if (!asset) throw notFound(`there is no asset with the id ${body.asset_id} in this workspace`);
    const { affiliation, active } = body;
    const made: Made = { ...wordsOf(body), affiliation, active: active ?? true, source: 'operator', confirmed: false };
    return this.#committed(`The assignment of ${asset.name}`, (after) => {
      const record = this.assign(asset, made, by, after);
      after(() => this.#assets.publish(asset));
      return { record, deed: this.#deed('created', record, asset.name, by) };
    });
  }

  /**
   * Confirms the affiliation of the asset that has the serial of the body as serial or alias. Creates an asset if none
   * has it.
   */
  confirm(body: AssignmentConfirm, by: Actor): Assignment {
    const { serial, affiliation, name } = body;
    const known = this.#index.carrierOf(serial);
    const made: Made = { ...wordsOf(body), affiliation, name: name ?? null, source: 'operator', confirmed: true };
    return this.#committed(`The confirmation of ${serial}`, (after) => {
      const asset = known ? this.#befriended(known, affiliation, after) : this.#made(serial, name, affiliation, after);
      const record = this.assign(asset, made, by, after);
      after(() => this.#assets.publish(asset));
      return { record, deed: this.#deed('confirmed', record, asset.name, by) };
    });
  }

  /** Stores an assignment as a recording contains it, with its id. */
  restore(row: Assignment): void {
    const index = this.#index;
    const { workspaceId: workspace_id, environment } = index.scope;
    const record: AssignmentRecord = { ...row, workspace_id, environment };
    const { assignmentRows } = this.#indexes;
    this.#deps.state.write('The assignment', () => {
      if (assignmentRows.get(index.scope, row.id)) assignmentRows.update(record);
      else assignmentRows.insert(record);
    });
    index.putAssignment(record);
    this.#deps.publish.row('assignments', row);
    const asset = index.asset(row.asset_id);
    if (asset) this.#assets.publish(asset);
  }

  update(id: string, body: AssignmentUpdate, by: Actor): Assignment {
    const found = this.#require(id);
    const was = found.active && this.#isOver(found) ? (this.#endExpired([found])[0] ?? found) : found;
    refuseStale('the assignment', was.version, body.version);
    const asset = this.#index.asset(was.asset_id);
    const active = body.active ?? was.active;
    if (active && !asset)
      throw conflict('the asset of this assignment was deleted, so the assignment cannot be active again');
    const words = wordsOf(body);
    const next: AssignmentRecord = {
      ...was,
      active,
      affiliation: body.affiliation ?? was.affiliation,
      operator: changed(body.operator, was.operator),
      role: changed(body.role, was.role),
      reason: changed(body.reason, was.reason),
      expires_at: body.expires_at == null ? was.expires_at : words.expires_at,
      ...(active && !was.active ? { superseded_at: null, superseded_by: null } : {}),
      version: was.version + 1,
      updated_at: this.#deps.ledger.nowText(),
    };
    if (active && this.#isOver(next))
      throw conflict(`the assignment expired at ${next.expires_at}: set a later expires_at`);
    return this.#committed(`The assignment of ${asset?.name ?? was.serial}`, (after) => {
      if (active) this.#supersede(next, after);
      this.#indexes.assignmentRows.update(next);
      this.#put(next, after);
      if (asset) after(() => this.#assets.publish(asset));
      return { record: next, deed: { ...this.#deed('changed', next, asset?.name ?? '', by), before: documentOf(was) } };
    });
  }

  /**
   * Inserts an assignment as part of a change that the caller runs. An active assignment replaces the active one of the
   * asset.
   */
  assign(asset: AssetRecord, made: Made, by: Actor, after: After): AssignmentRecord {
    const at = this.#deps.ledger.nowText();
    const { workspaceId: workspace_id, environment } = this.#index.scope;
    const record: AssignmentRecord = {
      id: randomUUID(),
      workspace_id,
      environment,
      asset_id: asset.id,
      serial: asset.serial,
      name: null,
      active: true,
      operator: null,
      role: null,
      reason: null,
      expires_at: null,
      ...made,
      created_at: at,
      created_by: actorLabel(by),
      superseded_at: null,
      superseded_by: null,
      version: 1,
      updated_at: at,
    };
    if (record.active && this.#isOver(record)) throw invalidInput("'expires_at' must be later than now");
    if (record.active) this.#supersede(record, after);
    this.#indexes.assignmentRows.insert(record);
    this.#prune(after);
    this.#put(record, after);
    return record;
  }

  /** Deletes the oldest inactive assignments if the limit is exceeded. */
  #prune(after: After): void {
    const { scope } = this.#index;
    const { assignmentRows: rows } = this.#indexes;
    const known = this.#counts.get(scope.environment) ?? rows.count(scope);
    this.#counts.set(scope.environment, known + 1);
    if (known < KEPT) return;
    // The known number may include insertions that were rolled back, so the rows are counted again.
    const surplus = rows.count(scope) - KEPT;
    this.#counts.set(scope.environment, surplus + KEPT);
    if (surplus <= 0) return;
    const gone = rows.prune(scope, surplus + PRUNED_AT_ONCE);
    after(() => this.#counts.delete(scope.environment));
    const text = `the ${gone} oldest inactive assignments were deleted: ${KEPT} are kept`;
    const deed = {
      kind: 'assignment.pruned' as const,
      text,
      by: systemActor,
      workspaceId: this.#deps.workspaceId,
      ...ofDeed(scope.environment),
    };
    this.#deps.ledger.change('The assignments', () => ({ result: undefined, deed }));
  }

  /**
   * Ends expired assignments, at most `ENDED_AT_ONCE`. Call it once a second. An expired assignment counts as inactive
   * even before its end is stored.
   */
  expire(): void {
    const nowText = this.#deps.ledger.nowText();
    const over: AssignmentRecord[] = [];
    for (const record of this.#index.active()) {
      if (record.expires_at === null || !isOver(record, nowText)) continue;
      over.push(record);
      if (over.length === ENDED_AT_ONCE) break;
    }
    if (over.length > 0) this.#endExpired(over);
  }

  #endExpired(over: readonly AssignmentRecord[]): AssignmentRecord[] {
    const index = this.#index;
    return this.inOneDelta(() =>
      this.#deps.ledger.vital(() =>
        committed(this.#deps.ledger, 'The end of assignments', (after) => {
          const ended = over.map((was) => {
            const next = { ...was, active: false, version: was.version + 1, updated_at: this.#deps.ledger.nowText() };
            this.#indexes.assignmentRows.update(next);
            this.#put(next, after);
            const deed = this.#deed('expired', next, index.asset(was.asset_id)?.name ?? '', systemActor);
            const raised: Deed = { ...deed, severity: 'notice', before: documentOf(was) };
            this.#deps.ledger.change('The end of an assignment', () => ({ result: undefined, deed: raised }));
            return next;
          });
          after(() => this.#assets.publish(...over.flatMap(({ asset_id }) => index.asset(asset_id) ?? [])));
          return { result: ended, deed: null };
        }),
      ),
    );
  }

  /** Ends the asset's active assignment in the same transaction, so that an asset never has two active assignments. */
  #supersede(by: AssignmentRecord, after: After): void {
    const was = this.#index.activeOf(by.asset_id);
    if (!was || was.id === by.id) return;
    const at = this.#deps.ledger.nowText();
    this.#end({ ...was, superseded_at: at, superseded_by: by.id }, after);
  }

  #end(was: AssignmentRecord, after: After): void {
    const next = { ...was, active: false, version: was.version + 1, updated_at: this.#deps.ledger.nowText() };
    this.#indexes.assignmentRows.update(next);
    this.#put(next, after);
  }

  #endOf(asset: AssetRecord, by: Actor, after: After): void {
    const was = this.#index.activeOf(asset.id);
    if (!was) return;
    this.#deps.ledger.change('The assignment', () => {
      this.#end({ ...was, superseded_at: this.#deps.ledger.nowText() }, after);
      return { result: undefined, deed: { ...this.#deed('ended', was, asset.name, by), before: documentOf(was) } };
    });
  }

  #befriended(asset: AssetRecord, affiliation: Affiliation, after: After): AssetRecord {
    if (asset.kind !== NON_FORCE || affiliation !== 'friend') return asset;
    return this.#assets.rewrite(asset, { kind: 'platform' }, after);
  }

  #made(serial: string, name: string | null | undefined, affiliation: Affiliation, after: After): AssetRecord {
    const kind = affiliation === 'friend' ? 'platform' : NON_FORCE;
    return this.#assets.insert({ name: name ?? serial, kind, domain: null, spec: { remote_id_serial: serial } }, after);
  }

  #put(record: AssignmentRecord, after: After): void {
    const index = this.#index;
    after(() => {
      index.putAssignment(record);
      if (this.#gathered) this.#gathered.push(documentOf(record));
      else this.#deps.publish.row('assignments', documentOf(record));
    });
  }

  #isOver(record: AssignmentRecord): boolean {
    return isOver(record, this.#deps.ledger.nowText());
  }

  /** Returns the document as of now: an expired assignment is inactive, even before its end is written. */
  #asOfNow(record: AssignmentRecord): Assignment {
    const document = documentOf(record);
    return document.active && this.#isOver(record) ? { ...document, active: false } : document;
  }

  #committed(what: string, work: (after: After) => { record: AssignmentRecord; deed: Deed }): Assignment {
    return committed(this.#deps.ledger, what, (after) => {
      const { record, deed } = work(after);
      return { result: documentOf(record), deed };
    });
  }

  get #index(): AssetIndex {
    return this.#indexes.shown;
  }

  #require(id: string): AssignmentRecord {
    return orNotFound(
      this.#indexes.assignmentRows.get(this.#index.scope, id),
      `there is no assignment with the id ${id} in this workspace`,
    );
  }

  #deed(what: LogVerb<'assignment'>, record: AssignmentRecord, asset: string, by: Actor): Deed {
    return {
      kind: `assignment.${what}`,
      text: `${asset === '' ? (record.serial ?? 'an asset') : asset} as ${record.affiliation}: the assignment was ${what}`,
      by,
      workspaceId: this.#deps.workspaceId,
      subject: { type: 'assignment', id: record.id, label: asset },
      ...ofDeed(record.environment),
      after: documentOf(record),
      reason: record.reason,
    };
  }
}

export function documentOf({
  workspace_id: _workspace,
  environment: _environment,
  ...record
}: AssignmentRecord): Assignment {
  return record;
}

/** Returns true if an assignment has expired. Times of rows are compared as texts. */
export function isOver({ expires_at }: Pick<AssignmentRecord, 'expires_at'>, nowText: string): boolean {
  return expires_at !== null && expires_at <= nowText;
}

/** Returns the texts of a body, with times in the form in which rows have them. An empty text becomes null. */
function wordsOf(body: Pick<AssignmentUpdate, 'operator' | 'role' | 'reason' | 'expires_at'>) {
  const endMs = body.expires_at == null ? null : parseTime(body.expires_at);
  const text = (said: string | null | undefined): string | null => (said == null || said === '' ? null : said);
  return {
    operator: text(body.operator),
    role: text(body.role),
    reason: text(body.reason),
    expires_at: endMs === null ? null : formatTime(endMs),
  };
}

/** Returns a text after a change. Null or absent leaves the text unchanged; an empty text deletes it. */
function changed(said: string | null | undefined, was: string | null): string | null {
  return said == null ? was : said === '' ? null : said;
}
