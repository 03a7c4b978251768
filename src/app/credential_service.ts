import type { Changer } from '../access/deps.ts';
import type { SealedSecrets } from '../access/sealed.ts';
import { readCredentials, viewOf } from '../edge/link/tls/credentials.ts';
import { actorLabel } from '../model/actor.ts';
import type { CredentialsBody } from '../model/credentials.ts';
import { conflict, Fault, invalidInput, notFound, orNotFound } from '../model/fault.ts';
import type { Link } from '../model/link.ts';
import type { Outlet } from '../model/outlet.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import type { CredentialOwner, CredentialStore } from './credential_store.ts';

/** A link or outlet that may have credentials. */
type Owner = { id: string; spec: { name: string; transport: string; protocol?: string; kind?: string } };

const isOfBroker = ({ spec: { protocol, kind } }: Owner): boolean => protocol === 'mqtt' || kind === 'mqtt';

/** Access to the links or outlets whose credentials change. */
type Changes<Document> = {
  /** Returns a link or outlet. If the id is unknown, links return undefined and outlets throw `not_found`. */
  get(id: string): Document | undefined;
  /** Runs a change of the credentials of a link or outlet, then connects it again with the new credentials. */
  changeCredentials(id: string, change: (owner: Owner) => void): Promise<Document>;
};

type CredentialServiceDeps = {
  store: CredentialStore;
  secrets: Pick<SealedSecrets, 'missing'>;
  ledger: Ledger;
  workspaceId: string;
  links: Changes<Link>;
  outlets: Changes<Outlet>;
};

/** Sets and deletes the credentials of links and outlets. */
export class CredentialService {
  readonly #deps: CredentialServiceDeps;

  constructor(deps: CredentialServiceDeps) {
    this.#deps = deps;
  }

  async setOfLink(id: string, body: CredentialsBody, by: Changer): Promise<Link> {
    orNotFound(this.#deps.links.get(id), `there is no link with the id ${id} in this workspace`);
    const set = await this.#prepared('link', body, by);
    return this.#deps.links.changeCredentials(id, set);
  }

  async setOfOutlet(id: string, body: CredentialsBody, by: Changer): Promise<Outlet> {
    this.#deps.outlets.get(id);
    const set = await this.#prepared('outlet', body, by);
    return this.#deps.outlets.changeCredentials(id, set);
  }

  async removeOfLink(id: string, by: Changer): Promise<void> {
    await this.#deps.links.changeCredentials(id, (owner) => this.#remove('link', owner, by));
  }

  async removeOfOutlet(id: string, by: Changer): Promise<void> {
    await this.#deps.outlets.changeCredentials(id, (owner) => this.#remove('outlet', owner, by));
  }

  /** Reads and checks the credentials in `body`. Returns a function that stores them for a link or outlet. */
  async #prepared(of: CredentialOwner, body: CredentialsBody, by: Changer): Promise<(owner: Owner) => void> {
    const { missing } = this.#deps.secrets;
    if (missing !== null) throw new Fault('not_configured', missing);
    const credentials = await readCredentials(body);
    return (owner) => {
      if (of === 'link' && body.username !== undefined && !isOfBroker(owner))
        throw invalidInput(
          'only links with the protocol mqtt sign in with a user name: leave username and password out',
        );
      this.#refuse(of, owner, credentials.cert === null && credentials.ca === null);
      const { store } = this.#deps;
      const before = store.of(of, owner.id).view();
      this.#change(of, owner, () => {
        store.put(of, owner.id, credentials, by);
        return this.#deed(of, owner, 'set', by, before, viewOf(credentials));
      });
    };
  }

  #remove(of: CredentialOwner, owner: Owner, by: Changer): void {
    this.#refuseFiles(of, owner);
    const { store } = this.#deps;
    const before = store.of(of, owner.id).view();
    this.#change(of, owner, () => {
      if (!store.has(of, owner.id)) throw notFound(`the ${of} ${owner.spec.name} has no credentials`);
      store.remove(of, owner.id, by);
      return this.#deed(of, owner, 'deleted', by, before, null);
    });
  }

  #change(of: CredentialOwner, { id, spec: { name } }: Owner, work: () => Deed): void {
    const { store, ledger } = this.#deps;
    try {
      ledger.change(`The credentials of the ${of} ${name}`, () => ({ result: undefined, deed: work() }));
    } finally {
      store.changed(of, id);
    }
  }

  #refuse(of: CredentialOwner, owner: Owner, isNameAlone: boolean): void {
    this.#refuseFiles(of, owner);
    const { name, transport } = owner.spec;
    // A user name is allowed without TLS, because many local brokers require one but support no TLS. The documentation
    // warns that others on the network can then read name and password.
    if (transport === 'tls_client' || (isNameAlone && isOfBroker(owner))) return;
    throw invalidInput(
      `the ${of} ${name} has the transport ${transport}: credentials can be set only with the transport tls_client`,
    );
  }

  #refuseFiles(of: CredentialOwner, { id, spec: { name } }: Owner): void {
    if (!this.#deps.store.isOfFiles(of, id)) return;
    throw conflict(`the credentials of the ${of} ${name} are files that the configuration names: change those files`);
  }

  #deed(
    of: CredentialOwner,
    { id, spec: { name } }: Owner,
    did: string,
    by: Changer,
    before: unknown,
    after: unknown,
  ): Deed {
    const text = `${actorLabel(by.actor)} ${did} the credentials of the ${of} ${name}`;
    const subject = { type: of, id, label: name };
    const { workspaceId } = this.#deps;
    const kind = of === 'link' ? 'link.credentials' : 'outlet.credentials';
    return { kind, text, by: by.actor, workspaceId, subject, severity: 'notice', before, after };
  }
}
