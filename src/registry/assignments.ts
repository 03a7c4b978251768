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
import { Fault } from '../model/fault.ts';
import { formatTime, parseTime } from '../model/time.ts';
import type { AssetRecord } from '../store/assets.ts';
import type { AssignmentRecord } from '../store/assignments.ts';
import type { Deed } from '../store/ledger.ts';
import type { Assets } from './assets/assets.ts';
import type { Shelf, Shelves } from './assets/shelf.ts';
import { type After, committed } from './committed.ts';
import type { RegistryRim } from './rim.ts';
import { refuseStale } from './version.ts';

type Made = Pick<Assignment, 'affiliation' | 'source' | 'confirmed'> &
  Partial<Pick<Assignment, 'active' | 'name' | 'operator' | 'role' | 'reason' | 'expires_at'>>;

/** Whom persons hold assets for. At most one assignment of an asset is active; those before it stay as history. */
export class Assignments {
  readonly #rim: RegistryRim;
  readonly #shelves: Shelves;
  readonly #assets: Assets;
  #gathered: Assignment[] | null = null;

  constructor(rim: RegistryRim, shelves: Shelves, assets: Assets) {
    this.#rim = rim;
    this.#shelves = shelves;
    this.#assets = assets;
    assets.onRemoving = (record, by, after) => this.#endOf(record, by, after);
  }

  /** Whatever changes within `work` is told as one delta. */
  inOneDelta<T>(work: () => T): T {
    this.#gathered = [];
    try {
      return work();
    } finally {
      const rows = this.#gathered;
      this.#gathered = null;
      if (rows.length > 0) this.#rim.tell.rows('assignments', rows);
    }
  }

  /** Newest first. */
  list(): Assignment[] {
    this.#expireIfPossible();
    return this.#shelf.assignments().map(documentOf);
  }

  get(id: string): Assignment {
    this.#expireIfPossible();
    return documentOf(this.#require(id));
  }

  create(body: AssignmentCreate, by: Actor): Assignment {
    const asset = this.#shelf.asset(body.asset_id);
    if (!asset) throw new Fault('not_found', `there is no asset with the id ${body.asset_id} in this workspace`);
    const { affiliation, active } = body;
    const made: Made = { ...wordsOf(body), affiliation, active: active ?? true, source: 'operator', confirmed: false };
    return this.#committed(`The assignment of ${asset.name}`, (after) => {
      const record = this.assign(asset, made, by, after);
      after(() => this.#assets.tell(asset));
      return { record, deed: this.#deed('created', record, asset.name, by) };
    });
  }

  /** Holds the bearer of a serial for what a person says; one that no asset carries becomes an asset. */
  confirm(body: AssignmentConfirm, by: Actor): Assignment {
    const { serial, affiliation, name } = body;
    const known = this.#shelf.carrierOf(serial);
    const made: Made = { ...wordsOf(body), affiliation, name: name ?? null, source: 'operator', confirmed: true };
    return this.#committed(`The confirmation of ${serial}`, (after) => {
      const asset = known ? this.#befriended(known, affiliation, after) : this.#made(serial, name, affiliation, after);
      const record = this.assign(asset, made, by, after);
      after(() => this.#assets.tell(asset));
      return { record, deed: this.#deed('confirmed', record, asset.name, by) };
    });
  }

  update(id: string, body: AssignmentUpdate, by: Actor): Assignment {
    this.expire();
    const was = this.#require(id);
    refuseStale('the assignment', was.version, body.version);
    const asset = this.#shelf.asset(was.asset_id);
    const active = body.active ?? was.active;
    if (active && !asset)
      throw new Fault('conflict', 'the asset of this assignment is gone; it cannot be active again');
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
      updated_at: this.#rim.ledger.nowText(),
    };
    if (active && this.#isOver(next))
      throw new Fault('conflict', `the assignment expired at ${next.expires_at}; say until when it holds`);
    return this.#committed(`The assignment of ${asset?.name ?? was.serial}`, (after) => {
      if (active) this.#supersede(next, after);
      this.#shelves.assignmentRows.update(next);
      this.#put(next, after);
      if (asset) after(() => this.#assets.tell(asset));
      return { record: next, deed: { ...this.#deed('changed', next, asset?.name ?? '', by), before: documentOf(was) } };
    });
  }

  /** An assignment within a change of somebody else; an active one takes the place of the one before. */
  assign(asset: AssetRecord, made: Made, by: Actor, after: After): AssignmentRecord {
    const at = this.#rim.ledger.nowText();
    const { workspaceId: workspace_id, environment } = this.#shelf.scope;
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
    if (record.active && this.#isOver(record)) throw new Fault('invalid_input', "'expires_at' must be later than now");
    if (record.active) this.#supersede(record, after);
    this.#shelves.assignmentRows.insert(record);
    this.#put(record, after);
    return record;
  }

  /** Ends what has expired. Called once a second, and before anything of it is read. */
  expire(): void {
    const shelf = this.#shelf;
    const over = [...shelf.active()].filter((record) => record.expires_at !== null && this.#isOver(record));
    for (const was of over) {
      const asset = shelf.asset(was.asset_id);
      const next = { ...was, active: false, version: was.version + 1, updated_at: this.#rim.ledger.nowText() };
      this.#committed('The end of an assignment', (after) => {
        this.#shelves.assignmentRows.update(next);
        this.#put(next, after);
        if (asset) after(() => this.#assets.tell(asset));
        const deed = this.#deed('expired', next, asset?.name ?? '', systemActor);
        return { record: next, deed: { ...deed, severity: 'notice', before: documentOf(was) } };
      });
    }
  }

  /** A disk that refuses hinders nobody from reading. */
  #expireIfPossible(): void {
    try {
      this.expire();
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
    }
  }

  /** The one before ends in the same change; the table never holds two that are active. */
  #supersede(by: AssignmentRecord, after: After): void {
    const was = this.#shelf.activeOf(by.asset_id);
    if (!was || was.id === by.id) return;
    const at = this.#rim.ledger.nowText();
    this.#end({ ...was, superseded_at: at, superseded_by: by.id }, after);
  }

  #end(was: AssignmentRecord, after: After): void {
    const next = { ...was, active: false, version: was.version + 1, updated_at: this.#rim.ledger.nowText() };
    this.#shelves.assignmentRows.update(next);
    this.#put(next, after);
  }

  #endOf(asset: AssetRecord, by: Actor, after: After): void {
    const was = this.#shelf.activeOf(asset.id);
    if (!was) return;
    this.#rim.ledger.change('The assignment', () => {
      this.#end({ ...was, superseded_at: this.#rim.ledger.nowText() }, after);
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
    const shelf = this.#shelf;
    after(() => {
      shelf.putAssignment(record);
      if (this.#gathered) this.#gathered.push(documentOf(record));
      else this.#rim.tell.row('assignments', documentOf(record));
    });
  }

  #isOver({ expires_at }: AssignmentRecord): boolean {
    const endMs = expires_at === null ? null : parseTime(expires_at);
    return endMs !== null && endMs <= (parseTime(this.#rim.ledger.nowText()) ?? 0);
  }

  #committed(what: string, work: (after: After) => { record: AssignmentRecord; deed: Deed }): Assignment {
    return committed(this.#rim.ledger, what, (after) => {
      const { record, deed } = work(after);
      return { result: documentOf(record), deed };
    });
  }

  get #shelf(): Shelf {
    return this.#shelves.shown;
  }

  #require(id: string): AssignmentRecord {
    const record = this.#shelf.assignment(id);
    if (!record) throw new Fault('not_found', `there is no assignment with the id ${id} in this workspace`);
    return record;
  }

  #deed(what: string, record: AssignmentRecord, asset: string, by: Actor): Deed {
    return {
      kind: `assignment.${what}`,
      text: `${asset === '' ? (record.serial ?? 'an asset') : asset} as ${record.affiliation}: the assignment was ${what}`,
      by,
      workspaceId: this.#rim.workspaceId,
      subject: { type: 'assignment', id: record.id, label: asset },
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

/** What a body says in words; times in the one form that rows have. */
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

/** Absent or null is unchanged, an empty text takes it away. */
function changed(said: string | null | undefined, was: string | null): string | null {
  return said == null ? was : said === '' ? null : said;
}
