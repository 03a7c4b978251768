import type { StreamName } from '../../edge/wire/mavlink/signing.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { LinkSigningRow } from '../../store/link_signing.ts';
import type { KeyStore } from './key_store.ts';
import { LinkSigning } from './link_signing.ts';

type SigningDeps = {
  utcNowMs(): number;
  /** Our own MAVLink system and component id on every link. */
  own: Omit<StreamName, 'linkId'>;
  store: KeyStore;
  /** Reports that signing times cannot be stored. Called once, and again only after a successful write. */
  trouble(sentence: string): void;
};

/** Signing states of the links of a world, by link id. */
export class KeyMap {
  readonly #deps: SigningDeps;
  readonly #links = new Map<string, LinkSigning>();
  #isTroubled = false;

  constructor(deps: SigningDeps) {
    this.#deps = deps;
  }

  of(linkId: string): LinkSigning {
    const known = this.#links.get(linkId);
    if (known) return known;
    const { own, utcNowMs, store } = this.#deps;
    const made = new LinkSigning(linkId, store.read(linkId), own, utcNowMs);
    this.#links.set(linkId, made);
    return made;
  }

  /**
   * Stores a later timestamp before a signed message is sent, unless the stored one covers its signature. Otherwise a
   * later run could use the same timestamp again. A failed write does not delay commands.
   */
  beforeSending(signing: LinkSigning): void {
    if (!signing.isCovered) this.#save([signing], false);
  }

  /**
   * Stores new timestamps for each link whose used or received timestamps come close to the stored ones, or that
   * receives a new stream. Call this every second.
   */
  tick(): void {
    const due = [...this.#links.values()].filter(({ isDue }) => isDue);
    this.#save(due, false);
  }

  /**
   * Stores the last used timestamps exactly, without a lead for later signatures. Call this at the end, once nothing
   * more is signed.
   */
  stop(): void {
    const keyed = [...this.#links.values()].filter(({ gate }) => gate !== null);
    this.#save(keyed, true);
  }

  /** Called when a link is deleted. */
  forget(linkId: string): void {
    this.#links.delete(linkId);
  }

  #save(due: readonly LinkSigning[], isLast: boolean): void {
    if (due.length === 0) return;
    const rows = due.map((signing): [LinkSigning, LinkSigningRow] => [signing, signing.row(isLast)]);
    try {
      this.#deps.store.save(rows.map(([, row]) => row));
      for (const [signing, row] of rows) signing.kept(row);
      this.#isTroubled = false;
    } catch (thrown) {
      if (!this.#isTroubled) this.#deps.trouble(sentenceOf(thrown));
      this.#isTroubled = true;
    }
  }
}
