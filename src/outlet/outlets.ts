import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { outletAddressProblem } from '../host/config/outlet_checks.ts';
import { idOfName } from '../host/name_id.ts';
import { type Actor, actorLabel } from '../model/actor.ts';
import { refuseOtherPlace } from '../model/credentials.ts';
import { conflict, invalidInput, orNotFound, refuseStale } from '../model/fault.ts';
import type { LogVerb } from '../model/log_kind.ts';
import { type Outlet, type OutletPatch, type OutletSpec, outletKindTable, outletSpecSchema } from '../model/outlet.ts';
import type { PictureEvent } from '../picture/events.ts';
import { documentRows, type Kept, specOf } from '../store/documents.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import { credentialsSecretName, sealedRows } from '../store/sealed_secrets.ts';
import type { State } from '../store/state.ts';
import { refuseUnknownArea } from './area.ts';
import type { DeclaredOutlet } from './declared.ts';
import { outletDocument } from './document.ts';
import { newsOf } from './news.ts';
import { type OutletDeps, OutletRunner } from './outlet.ts';
import { refuseSharedTopics } from './shared_topics.ts';

export type OutletsDeps = Omit<OutletDeps, 'changed'> & {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  /** Publishes an outlet to clients of the live world; null if it was removed. */
  publish(id: string, outlet: Outlet | null): void;
};

/** Limit of the outlets in a workspace, including those of the configuration. */
const MOST_OUTLETS = 20;
/** Time after an event about an outlet in which its changes wait for the next call of `everySecond`, ms. */
const PUBLISH_EVERY_MS = 1_000;
/**
 * Longest time for which a request waits for the first attempt to open, ms. A socket is bound at once, but a peer may
 * refuse late.
 */
const SETTLES_MS = 1_000;

/** Outlets of a workspace: the declarations of its owners, and the running outlets. Only the live world has outlets. */
export class Outlets {
  readonly #deps: OutletsDeps;
  readonly #rows: ReturnType<typeof documentRows<OutletSpec>>;
  readonly #sealed: ReturnType<typeof sealedRows>;
  readonly #runners = new Map<string, OutletRunner>();
  readonly #settled = new Set<() => void>();
  readonly #publishedMs = new Map<string, number>();
  #isStarted = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: OutletsDeps) {
    this.#deps = deps;
    this.#rows = documentRows(deps.state, 'outlets', 'outlet');
    this.#sealed = sealedRows(deps.state);
  }

  /** Id under which other systems know the workspace. */
  get nodeId(): string {
    return this.#deps.box.nodeId;
  }

  /**
   * Loads the outlets of the configuration and those stored by earlier runs. `unread` is called with the error of each
   * outlet that cannot be used.
   */
  load(ofFile: readonly OutletSpec[], unread: (thrown: unknown) => void): void {
    const at = this.#deps.ledger.nowText();
    const declared = ofFile.map((spec): DeclaredOutlet => {
      const id = idOfName('outlet', spec.name);
      return { id, spec, ofFile: true, version: 1, createdAt: at, updatedAt: at };
    });
    const stored = this.#rows.list(this.#deps.workspaceId);
    for (const read of [...declared.map((one) => () => one), ...stored.map((row) => () => this.#stored(row))]) {
      try {
        const one = read();
        this.#runners.set(one.id, this.#runner(one));
      } catch (thrown) {
        unread(thrown);
      }
    }
  }

  start(): void {
    this.#isStarted = true;
    for (const runner of this.#runners.values()) {
      this.#publish(runner);
      runner.start();
    }
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    await Promise.all(this.running().map((runner) => runner.stop()));
  }

  running(): readonly OutletRunner[] {
    return [...this.#runners.values()];
  }

  /** Returns all outlets, sorted by name. */
  list(): Outlet[] {
    return this.running()
      .map((runner) => this.#document(runner))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(id: string): Outlet {
    return this.#document(this.#required(id));
  }

  create(spec: OutletSpec, by: Actor): Promise<Outlet> {
    return this.#inTurn(async () => {
      const { ledger, workspaceId } = this.#deps;
      this.#check(null, spec);
      const runner = ledger.change(`The outlet ${spec.name}`, () => {
        this.#refuseFileName(spec.name);
        if (this.#runners.size >= MOST_OUTLETS)
          throw conflict(`this workspace has ${MOST_OUTLETS} outlets already, which is the limit: delete one first`);
        const at = ledger.nowText();
        const declared = { id: randomUUID(), spec, ofFile: false, version: 1, createdAt: at, updatedAt: at };
        const result = this.#runner(declared);
        this.#rows.insert(workspaceId, keptOf(declared));
        return { result, deed: this.#deed('created', by, declared, null, spec) };
      });
      return this.#begin(runner);
    });
  }

  update(id: string, { version, ...patch }: OutletPatch, by: Actor): Promise<Outlet> {
    return this.#inTurn(async () => {
      this.#refuseFile(id, 'changed');
      return this.#change(id, version, merged(this.#required(id).spec, patch), 'changed', by);
    });
  }

  /**
   * Enables or disables an outlet. For an outlet of the configuration this lasts until the next start, when the file is
   * read again.
   */
  setEnabled(id: string, enabled: boolean, by: Actor): Promise<Outlet> {
    return this.#inTurn(async () => {
      const { spec } = this.#required(id);
      if (spec.enabled === enabled) return this.get(id);
      return this.#change(id, undefined, { ...spec, enabled }, enabled ? 'enabled' : 'disabled', by);
    });
  }

  /**
   * Deletes an outlet. Its tracks become stale at most peers without further messages. A broker would keep them, so its
   * topics are deleted.
   */
  remove(id: string, by: Actor): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFile(id, 'deleted');
      const { ledger, workspaceId, publish } = this.#deps;
      const runner = this.#required(id);
      ledger.change(`The outlet ${id}`, () => {
        this.#rows.delete(workspaceId, id);
        this.#sealed.remove(workspaceId, credentialsSecretName('outlet', id));
        return { result: undefined, deed: this.#deed('removed', by, runner.declared, runner.spec, null) };
      });
      this.#runners.delete(id);
      this.#publishedMs.delete(id);
      await runner.retire();
      publish(id, null);
    });
  }

  /** Runs a change of an outlet's credentials, then connects anew with the new ones. */
  changeCredentials(id: string, change: (outlet: DeclaredOutlet) => void): Promise<Outlet> {
    return this.#inTurn(async () => {
      const was = this.#required(id);
      change(was.declared);
      await was.stop();
      return this.#begin(this.#runner(was.declared));
    });
  }

  /** Sends one test item. Returns the number of receivers. */
  async test(id: string): Promise<number> {
    return this.#required(id).test();
  }

  /** Applies the events of a flush of the live world to all outlets. */
  take(events: readonly PictureEvent[]): void {
    if (this.#runners.size === 0) return;
    const { changed, ended, alerts, areas } = newsOf(events, (assetId) => this.#tracksOf(assetId));
    for (const runner of this.#runners.values()) {
      if (areas && runner.spec.filter.area !== null) runner.areaChanged();
      for (const id of ended) runner.end(id);
      for (const alert of alerts) runner.alert(alert);
      if (changed.size > 0) runner.mark(changed);
    }
  }

  everySecond(): void {
    for (const runner of this.#runners.values()) {
      runner.everySecond();
      this.#publish(runner);
    }
  }

  #tracksOf(assetId: string): string[] {
    return this.#deps.picture.tracks().flatMap(({ id, asset_id }) => (asset_id === assetId ? [id] : []));
  }

  #change(id: string, expected: number | undefined, spec: OutletSpec, what: LogVerb<'outlet'>, by: Actor) {
    const { ledger, workspaceId } = this.#deps;
    const was = this.#required(id);
    this.#check(was, spec);
    if (was.credentials.view() !== null) refuseOtherPlace('outlet', was.spec, spec);
    const declared = ledger.change(`The outlet ${was.spec.name}`, () => {
      const { version, ofFile } = was.declared;
      refuseStale(`the outlet ${was.spec.name}`, version, expected);
      if (!ofFile) this.#refuseFileName(spec.name);
      const result = { ...was.declared, spec, version: version + 1, updatedAt: ledger.nowText() };
      if (!ofFile) this.#rows.update(workspaceId, keptOf(result));
      return { result, deed: this.#deed(what, by, result, ...changes(was.spec, spec)) };
    });
    return this.#replace(was, declared);
  }

  /**
   * Replaces the declaration of an outlet. The connection is kept if nothing that it depends on changes
   * (`isSamePlace`); otherwise it is opened anew.
   */
  async #replace(was: OutletRunner, declared: DeclaredOutlet): Promise<Outlet> {
    if (isSamePlace(was.spec, declared.spec)) {
      was.apply(declared);
      this.#publish(was);
      return this.get(declared.id);
    }
    const next = this.#runner(declared);
    await (isSameReceiver(was.spec, declared.spec) ? was.stop() : was.retire());
    return this.#begin(next);
  }

  async #begin(runner: OutletRunner): Promise<Outlet> {
    const { id } = runner.declared;
    this.#runners.set(id, runner);
    if (this.#isStarted) runner.start();
    this.#publish(runner);
    await this.#settle(runner);
    return this.get(id);
  }

  /** Waits for the outcome of the first attempt to open, but at most `SETTLES_MS`. */
  #settle(runner: OutletRunner): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#settled.delete(check);
        resolve();
      };
      const check = (): void => {
        if (runner.status().state !== 'opening') done();
      };
      const timer = setTimeout(done, SETTLES_MS);
      this.#settled.add(check);
      check();
    });
  }

  #runner(declared: DeclaredOutlet): OutletRunner {
    return new OutletRunner(declared, {
      ...this.#deps,
      changed: (runner) => {
        // A change within one second of the last event is published with the next second.
        const { nowMs } = this.#deps.link;
        const isRecent = nowMs() - (this.#publishedMs.get(declared.id) ?? Number.NEGATIVE_INFINITY) < PUBLISH_EVERY_MS;
        if (this.#runners.get(declared.id) === runner && !isRecent) this.#publish(runner);
        for (const check of this.#settled) check();
      },
    });
  }

  #publish(runner: OutletRunner): void {
    this.#publishedMs.set(runner.declared.id, this.#deps.link.nowMs());
    this.#deps.publish(runner.declared.id, this.#document(runner));
  }

  #document(runner: OutletRunner): Outlet {
    return outletDocument(runner, this.#deps.utcMs);
  }

  #stored(row: Kept<OutletSpec>): DeclaredOutlet {
    const { id, version, created_at: createdAt, updated_at: updatedAt } = row;
    this.#refuseFileName(row.name);
    return { id, spec: outletSpecSchema.parse(specOf(row)), ofFile: false, version, createdAt, updatedAt };
  }

  #required(id: string): OutletRunner {
    return orNotFound(this.#runners.get(id), `there is no outlet with the id ${id} in this workspace`);
  }

  #refuseFile(id: string, what: string): void {
    const { declared } = this.#required(id);
    if (!declared.ofFile) return;
    const place = 'declared by the configuration (its file or --outlet)';
    throw conflict(
      `the outlet ${declared.spec.name} is ${place} and cannot be ${what} here: change it there. POST …/enable and …/disable work.`,
    );
  }

  #refuseFileName(name: string): void {
    const isTaken = this.running().some(({ declared: { ofFile, spec } }) => ofFile && spec.name === name);
    if (isTaken) throw conflict(`there is already an outlet called ${name}: the configuration declares it`);
  }

  /** Checks a new declaration of an outlet; `was` is the outlet before the change, null for a new one. */
  #check(was: OutletRunner | null, spec: OutletSpec): void {
    const problem = outletAddressProblem(spec);
    if (problem !== null) throw invalidInput(`'address' ${problem}`);
    const isSameArea = was !== null && isDeepStrictEqual(was.spec.filter.area, spec.filter.area);
    if (!isSameArea) refuseUnknownArea(spec.filter.area, this.#deps.picture);
    refuseSharedTopics(
      spec,
      this.running().flatMap((one) => (one === was ? [] : one.spec)),
    );
  }

  #deed(what: LogVerb<'outlet'>, by: Actor, declared: DeclaredOutlet, before: unknown, after: unknown): Deed {
    const { name } = declared.spec;
    const until = declared.ofFile ? ' until the next start' : '';
    const subject = { type: 'outlet', id: declared.id, label: name };
    const text = `${actorLabel(by)} ${what} the outlet ${name}${until}`;
    return { kind: `outlet.${what}`, text, by, workspaceId: this.#deps.workspaceId, subject, before, after };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function keptOf({ id, spec, version, createdAt, updatedAt }: DeclaredOutlet): Kept<OutletSpec> {
  return { ...spec, id, version, created_at: createdAt, updated_at: updatedAt };
}

/**
 * Returns the declaration after a change. The declaration is checked as a whole. A patch alone does not show, for
 * example, that the kind does not support the transport.
 */
function merged(was: OutletSpec, { filter, pace, ...patch }: Omit<OutletPatch, 'version'>): OutletSpec {
  const given = <T extends object>(part: T): Partial<T> =>
    Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Partial<T>;
  const next = {
    ...{ ...was, ...given(patch) },
    ...{ filter: { ...was.filter, ...given(filter ?? {}) }, pace: { ...was.pace, ...given(pace ?? {}) } },
  };
  const { error, data } = outletSpecSchema.safeParse(next);
  const [issue] = error?.issues ?? [];
  if (issue) throw invalidInput(`'${issue.path.join('.')}' ${issue.message}`);
  return data ?? was;
}

function isSamePlace(was: OutletSpec, is: OutletSpec): boolean {
  const { reopens }: { reopens: string } = outletKindTable[is.kind];
  if (reopens === 'always') return false;
  const placeOf = ({ name, kind, transport, address, interface: only, tls, enabled, options }: OutletSpec): string =>
    JSON.stringify([name, kind, transport, address, only, tls, enabled, reopens === 'options' && options]);
  return placeOf(was) === placeOf(is);
}

/**
 * Returns true if the receiver stays the same, and with it the names of the objects that the outlet created there. The
 * objects then need not be withdrawn, because the outlet continues to update them.
 */
function isSameReceiver(was: OutletSpec, is: OutletSpec): boolean {
  const receiverOf = ({ kind, transport, address, enabled, options }: OutletSpec): unknown[] => [
    ...[kind, transport, address, enabled, options],
  ];
  return isDeepStrictEqual(receiverOf(was), receiverOf(is));
}

/** Returns the changed fields, before and after. */
function changes(was: OutletSpec, is: OutletSpec): [before: Partial<OutletSpec>, after: Partial<OutletSpec>] {
  const keys = (Object.keys(is) as (keyof OutletSpec)[]).filter(
    (key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]),
  );
  const part = (of: OutletSpec): Partial<OutletSpec> => Object.fromEntries(keys.map((key) => [key, of[key]]));
  return [part(was), part(is)];
}
