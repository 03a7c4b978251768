import type { Changer } from '../access/deps.ts';
import type { SealedSecrets } from '../access/sealed.ts';
import { keyBytes } from '../edge/wire/mavlink/signing.ts';
import { actorLabel } from '../model/actor.ts';
import { invalidInput, notFound } from '../model/fault.ts';
import type { Link, SigningKey } from '../model/link.ts';
import type { LogVerb } from '../model/log_kind.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import { type LinkSigningRows, linkSigningRows, signingSecretName } from '../store/link_signing.ts';
import type { State } from '../store/state.ts';
import type { LinkRunner } from '../world/link_runner.ts';
import type { World } from '../world/world.ts';

type SigningServiceDeps = {
  world: Pick<World, 'signing'>;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  secrets: SealedSecrets;
};

/** Sets and deletes the signing keys of links, both in the database (sealed) and in open links. */
export class SigningService {
  readonly #deps: SigningServiceDeps;
  readonly #rows: LinkSigningRows;

  constructor(deps: SigningServiceDeps) {
    this.#deps = deps;
    this.#rows = linkSigningRows(deps.state);
  }

  set(link: LinkRunner, given: SigningKey, by: Changer): Link {
    const { ledger, workspaceId, secrets, world } = this.#deps;
    const { id, spec } = link;
    if (spec.protocol !== 'mavlink') {
      throw invalidInput(
        `the link ${spec.name} has the protocol ${spec.protocol}: only links with the protocol mavlink can have a signing key`,
      );
    }
    const key = keyBytes(given);
    const signing = world.signing.of(id);
    const row = ledger.change(`The signing key of the link ${spec.name}`, () => {
      secrets.put(workspaceId, signingSecretName(id), key, by);
      const number = this.#rows.get(workspaceId, id)?.number ?? this.#rows.freeNumber(workspaceId);
      const result = signing.rowWith(key, number);
      this.#rows.put(workspaceId, result);
      return { result, deed: this.#deed(link, 'signing_key_set', 'set', by) };
    });
    signing.rekey(key, row);
    link.keyChanged();
    return link.document();
  }

  remove(link: LinkRunner, by: Changer): void {
    const { ledger, workspaceId, secrets, world } = this.#deps;
    const { id, spec } = link;
    const signing = world.signing.of(id);
    const row = ledger.change(`The signing key of the link ${spec.name}`, () => {
      const was = this.#rows.get(workspaceId, id);
      if (!was || !secrets.has(workspaceId, signingSecretName(id))) {
        throw notFound(`the link ${spec.name} has no signing key`);
      }
      secrets.remove(workspaceId, signingSecretName(id), by);
      const result = signing.rowWith(null, was.number);
      this.#rows.put(workspaceId, result);
      return { result, deed: this.#deed(link, 'signing_key_removed', 'removed', by) };
    });
    signing.rekey(null, row);
    link.keyChanged();
  }

  #deed({ id, spec: { name } }: LinkRunner, what: LogVerb<'link'>, did: string, { actor }: Changer): Deed {
    const text = `${actorLabel(actor)} ${did} the signing key of the link ${name}`;
    const subject = { type: 'link', id, label: name };
    const { workspaceId } = this.#deps;
    return { kind: `link.${what}`, text, by: actor, workspaceId, subject, severity: 'notice' };
  }
}
