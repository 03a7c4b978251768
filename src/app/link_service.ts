import type { Changer } from '../access/deps.ts';
import { addressProblem, protocolProblem, signingProblem } from '../host/config/link_checks.ts';
import type { Log } from '../host/journal.ts';
import { type Actor, actorLabel } from '../model/actor.ts';
import { refuseOtherPlace, tlsProblem } from '../model/credentials.ts';
import { conflict, invalidInput, notFound, orNotFound, refuseStale, sentenceOf } from '../model/fault.ts';
import type { Link, LinkBody, LinkPatch, LinkSpec, SigningKey } from '../model/link.ts';
import { optionProblems } from '../model/link_options.ts';
import { type Links, type OwnedLink, patched } from '../registry/links.ts';
import type { Ledger } from '../store/ledger.ts';
import type { DeclaredLink, LinkRunner } from '../world/link_runner.ts';
import type { World } from '../world/world.ts';
import type { SigningService } from './signing_service.ts';

/** Limit of the links of one workspace, including those of the configuration. */
const MOST_LINKS = 64;
/**
 * Time for which the answer to a change waits for the link's first attempt to open, ms. A port is bound within that
 * time; a peer may answer later.
 */
const SETTLES_MS = 1_000;

type LinkServiceDeps = {
  links: Links;
  world: World;
  ledger: Ledger;
  workspaceId: string;
  log: Log;
  signing: SigningService;
};

/**
 * Applies changes of links by operators. Changes run one after the other. Otherwise two links could both find the same
 * port free.
 */
export class LinkService {
  readonly #deps: LinkServiceDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: LinkServiceDeps) {
    this.#deps = deps;
    deps.links.onRevoked((id) => void this.#inTurn(() => deps.world.links.remove(id)));
  }

  /** Restores the links that operators created. A link with a fault is logged and left out; the others start. */
  load(): void {
    const { links, world, log } = this.#deps;
    const fail = (thrown: unknown): void => log.error({ code: 'conflict' }, sentenceOf(thrown));
    for (const owned of links.list(fail)) {
      try {
        this.#refuseFileName(owned.body.name);
        world.links.add(declaredOf(owned));
      } catch (thrown) {
        fail(thrown);
      }
    }
  }

  list(): Link[] {
    return this.#deps.world.links.list().map((link) => link.document());
  }

  get(id: string): Link | undefined {
    return this.#deps.world.links.get(id)?.document();
  }

  async create(body: LinkBody, by: Actor): Promise<Link> {
    const id = await this.#inTurn(async () => {
      const { links, world } = this.#deps;
      checkSpec(body);
      this.#refuseFileName(body.name);
      links.check(body, null);
      if (world.links.list().length >= MOST_LINKS) {
        throw conflict(`this workspace already has ${MOST_LINKS} links, the maximum: delete one first`);
      }
      await world.links.probe(specOf(body));
      const owned = links.create(body, by);
      world.links.add(declaredOf(owned));
      return owned.id;
    });
    return this.#settled(id);
  }

  async update(id: string, patch: LinkPatch, by: Actor): Promise<Link> {
    await this.#inTurn(async () => {
      this.#refuseFile(id, 'changed');
      const { links, world } = this.#deps;
      const was = links.get(id);
      refuseStale(`the link ${was.body.name}`, was.version, patch.version);
      const body = patched(was.body, patch);
      checkSpec(body);
      this.#refuseFileName(body.name);
      if (this.get(id)?.credentials) refuseOtherPlace('link', was.body, body);
      links.check(body, id);
      await world.links.change(id, async () => {
        if (opensElsewhere(was.body, body)) await world.links.probe(specOf(body));
        return declaredOf(links.update(id, body, patch.version, by));
      });
    });
    return this.#settled(id);
  }

  /**
   * Enables or disables a link. For a link of the configuration, the change lasts until the next start, which reads the
   * configuration again.
   */
  async setEnabled(id: string, enabled: boolean, by: Actor): Promise<Link> {
    const runner = this.#deps.world.links.get(id);
    if (!runner?.declared.ofFile) return this.update(id, { enabled }, by);
    await this.#inTurn(async () => {
      const { world, ledger, workspaceId } = this.#deps;
      const { declared } = runner;
      if (declared.spec.enabled === enabled) return;
      await world.links.change(id, async () => {
        const what = enabled ? 'enabled' : 'disabled';
        const { name } = declared.spec;
        const text = `${actorLabel(by)} ${what} the link ${name} until the next start`;
        const subject = { type: 'link', id, label: name };
        ledger.note({
          kind: `link.${what}`,
          text,
          by,
          workspaceId,
          subject,
          before: { enabled: !enabled },
          after: { enabled },
        });
        const spec = { ...declared.spec, enabled };
        return { ...declared, spec, version: declared.version + 1, updatedAt: ledger.nowText() };
      });
    });
    return this.#settled(id);
  }

  remove(id: string, by: Actor): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFile(id, 'deleted');
      this.#deps.links.remove(id, by);
      await this.#deps.world.links.remove(id);
    });
  }

  /**
   * Sets the key with which the link signs and checks messages from now on. Works for links of the configuration too.
   */
  setSigningKey(id: string, given: SigningKey, by: Changer): Promise<Link> {
    return this.#inTurn(async () => this.#deps.signing.set(this.#runner(id), given, by));
  }

  removeSigningKey(id: string, by: Changer): Promise<void> {
    return this.#inTurn(async () => this.#deps.signing.remove(this.#runner(id), by));
  }

  /** Runs a change of the credentials of a link, then connects the link again with the new credentials. */
  async changeCredentials(id: string, change: (link: LinkRunner) => void): Promise<Link> {
    await this.#inTurn(async () => {
      const link = this.#runner(id);
      change(link);
      await this.#deps.world.links.change(id, async () => link.declared);
    });
    return this.#settled(id);
  }

  #runner(id: string): LinkRunner {
    return orNotFound(this.#deps.world.links.get(id), `there is no link with the id ${id} in this workspace`);
  }

  /**
   * Returns the link after its first attempt to open, or after `SETTLES_MS`. Call this outside of `#inTurn`, so that
   * changes of other links do not wait.
   */
  async #settled(id: string): Promise<Link> {
    await this.#deps.world.links.settled(id, SETTLES_MS);
    return this.#require(id);
  }

  #require(id: string): Link {
    const link = this.get(id);
    if (!link) throw notFound(`there is no link with the id ${id} in this workspace`);
    return link;
  }

  #refuseFile(id: string, what: string): void {
    const declared = this.#deps.world.links.get(id)?.declared;
    if (!declared?.ofFile) return;
    const sentence = `the link ${declared.spec.name} is declared by the configuration (its file or --link) and cannot be ${what} here`;
    throw conflict(sentence);
  }

  #refuseFileName(name: string): void {
    const taken = this.#deps.world.links.list().some(({ declared }) => declared.ofFile && declared.spec.name === name);
    if (taken) throw conflict(`there is already a link called ${name}: the configuration declares it`);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function specOf({ issued_for: _asset, ...spec }: LinkBody): LinkSpec {
  return spec;
}

function declaredOf({ id, body, version, createdAt, updatedAt }: OwnedLink): DeclaredLink {
  return { id, spec: specOf(body), issuedFor: body.issued_for, ofFile: false, version, createdAt, updatedAt };
}

/** Checks a link for faults that its schema cannot find. Throws `invalid_input`. */
function checkSpec(body: LinkBody): void {
  if (body.transport === 'file') {
    const sentence =
      "'transport' must not be file here: only the configuration and the command line may name files to read";
    throw invalidInput(sentence);
  }
  const signing = signingProblem(body);
  if (signing !== null) throw invalidInput(`'signing' ${signing}`);
  const protocol = protocolProblem(body);
  if (protocol !== null) throw invalidInput(`'protocol' ${protocol}`);
  const [option] = optionProblems(body.protocol, body.options);
  if (option) throw invalidInput(`'options.${option.key}' ${option.sentence}`);
  const tls = tlsProblem(body);
  if (tls !== null) throw invalidInput(`'tls' ${tls}`);
  const problem = addressProblem(body);
  if (problem !== null) throw invalidInput(`'address' ${problem}`);
}

/** Returns true if a change makes a link open a port or device that it did not have open before. */
function opensElsewhere(was: LinkBody, is: LinkBody): boolean {
  return is.enabled && (!was.enabled || was.transport !== is.transport || was.address !== is.address);
}
