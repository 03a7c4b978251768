import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { conflict, Fault, notFound, orNotFound, refuseStale } from '../model/fault.ts';
import { type LinkBody, type LinkPatch, linkBodySchema } from '../model/link.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogVerb } from '../model/log_kind.ts';
import type { Deed } from '../store/ledger.ts';
import { type LinkSigningRows, linkSigningRows } from '../store/link_signing.ts';
import { type LinkRow, type LinkRows, linkRows } from '../store/links.ts';
import { credentialsSecretName, sealedRows } from '../store/sealed_secrets.ts';
import { changedFields } from './change.ts';
import type { RegistryDeps } from './deps.ts';

/** Link that was declared at run time. */
export type OwnedLink = { id: string; body: LinkBody; version: number; createdAt: string; updatedAt: string };

/**
 * Declarations of a workspace's links that were made at run time. The world has the state of these links;
 * app/link_service.ts keeps declarations and state consistent.
 */
export class Links {
  readonly #deps: RegistryDeps;
  readonly #rows: LinkRows;
  readonly #signing: LinkSigningRows;
  readonly #sealed: ReturnType<typeof sealedRows>;
  readonly #listeners = new Listeners<[string]>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#rows = linkRows(deps.state);
    this.#signing = linkSigningRows(deps.state);
    this.#sealed = sealedRows(deps.state);
  }

  /** Returns all links, the oldest first. A row that cannot be parsed is left out and passed to `unread`. */
  list(unread: (fault: Fault) => void = () => {}): OwnedLink[] {
    return this.#rows.list(this.#deps.workspaceId).flatMap((row) => {
      try {
        return [ownedOf(row)];
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown;
        unread(thrown);
        return [];
      }
    });
  }

  has(id: string): boolean {
    return this.#rows.get(this.#deps.workspaceId, id) !== null;
  }

  /** Returns the link with this id; throws `not_found` if there is none. */
  get(id: string): OwnedLink {
    const row = orNotFound(
      this.#rows.get(this.#deps.workspaceId, id),
      `there is no link with the id ${id} in this workspace`,
    );
    return ownedOf(row);
  }

  /**
   * Throws a Fault if the asset does not exist, or if another link has the name. Call it before anything is opened for
   * the link.
   */
  check({ name, issued_for: assetId }: LinkBody, id: string | null): void {
    if (assetId !== null) this.#requireAsset(assetId);
    const other = this.#rows.list(this.#deps.workspaceId).find((row) => row.name === name && row.id !== id);
    if (other) throw conflict(`there is already a link called ${name}`);
  }

  create(body: LinkBody, by: Actor): OwnedLink {
    return this.#deps.ledger.change(`The link ${body.name}`, () => {
      this.check(body, null);
      const at = this.#deps.ledger.nowText();
      const result: OwnedLink = { id: randomUUID(), body, version: 1, createdAt: at, updatedAt: at };
      this.#rows.insert(this.#rowOf(result));
      return { result, deed: this.#deed('created', by, result, null, body) };
    });
  }

  /** Changes a link. `body` is the whole declaration after the change; `patched` computes it. */
  update(id: string, body: LinkBody, expected: number | undefined, by: Actor): OwnedLink {
    return this.#deps.ledger.change(`The link ${body.name}`, () => {
      const was = this.get(id);
      refuseStale(`the link ${was.body.name}`, was.version, expected);
      this.check(body, id);
      const result = { ...was, body, version: was.version + 1, updatedAt: this.#deps.ledger.nowText() };
      this.#rows.update(this.#rowOf(result));
      const { before, after } = changedFields(was.body, body);
      return { result, deed: this.#deed('changed', by, result, before, after) };
    });
  }

  /** Deletes a link with its credentials, signing key and signing state. */
  remove(id: string, by: Actor, reason: string | null = null): void {
    this.#deps.ledger.change(`The link ${id}`, () => {
      const was = this.get(id);
      this.#rows.delete(this.#deps.workspaceId, id);
      const signing_key = this.#signing.forget(this.#deps.workspaceId, id);
      const credentials = this.#sealed.remove(this.#deps.workspaceId, credentialsSecretName('link', id));
      const deed = this.#deed('deleted', by, was, { ...was.body, signing_key, credentials }, null);
      return { result: undefined, deed: { ...deed, reason } };
    });
  }

  /**
   * Deletes the links that were issued for an asset. Call it within the change that deletes the asset. The links are
   * closed after that change is on the disk. Returns their ids.
   */
  deleteIssuedFor(assetId: string, by: Actor): string[] {
    const ids = this.#rows.issuedFor(this.#deps.workspaceId, assetId).map(({ id }) => id);
    for (const id of ids) this.remove(id, by, 'the asset for which the link was issued was deleted');
    // If the change is rolled back, the rows still exist, so their links stay open.
    queueMicrotask(() => {
      for (const id of ids) if (!this.has(id)) this.#listeners.emit(id);
    });
    return ids;
  }

  /** Adds a listener for the ids of links that were deleted with their asset. */
  onRevoked(listener: (id: string) => void): void {
    this.#listeners.add(listener);
  }

  #requireAsset(id: string): void {
    const scope = { workspaceId: this.#deps.workspaceId, environment: this.#deps.environment() };
    if (this.#rows.hasAsset(scope, id)) return;
    throw notFound(`no asset of this workspace and environment has the id ${id}: correct 'issued_for'`);
  }

  #rowOf({ id, body, version, createdAt, updatedAt }: OwnedLink): LinkRow {
    const { name, issued_for: issuedFor, ...document } = body;
    return { id, workspaceId: this.#deps.workspaceId, name, issuedFor, document, version, createdAt, updatedAt };
  }

  #deed(what: LogVerb<'link'>, by: Actor, { id, body: { name } }: OwnedLink, before: unknown, after: unknown): Deed {
    const text = `${actorLabel(by)} ${what} the link ${name}`;
    const subject = { type: 'link', id, label: name };
    return { kind: `link.${what}`, text, by, workspaceId: this.#deps.workspaceId, subject, before, after };
  }
}

/** Returns the declaration of a link after a change; absent fields stay unchanged. */
export function patched(body: LinkBody, { version: _version, ...patch }: LinkPatch): LinkBody {
  const said = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { ...body, ...said };
}

function ownedOf({ id, name, issuedFor, document, version, createdAt, updatedAt }: LinkRow): OwnedLink {
  const read = linkBodySchema.safeParse({ ...(document as object), name, issued_for: issuedFor });
  if (read.success) return { id, body: read.data, version, createdAt, updatedAt };
  const why = read.error.issues[0];
  throw new Fault('internal', `the stored link ${name} is invalid: ${why?.path.join('.')}: ${why?.message}`);
}
