import type { StreamName } from '../../edge/wire/mavlink/signing.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { LinkSigningRow } from '../../store/link_signing.ts';
import type { SigningKeeper } from './keeper.ts';
import { LinkSigning } from './link_signing.ts';

export type SigningRim = {
  utcNowMs(): number;
  /** Who we are on every link. */
  own: Omit<StreamName, 'linkId'>;
  keeper: SigningKeeper;
  /** The disk refuses; told once until it takes something again. */
  trouble(sentence: string): void;
};

/** How each link of a world signs. */
export class SigningBook {
  readonly #rim: SigningRim;
  readonly #links = new Map<string, LinkSigning>();
  #isTroubled = false;

  constructor(rim: SigningRim) {
    this.#rim = rim;
  }

  of(linkId: string): LinkSigning {
    const known = this.#links.get(linkId);
    if (known) return known;
    const { own, utcNowMs, keeper } = this.#rim;
    const made = new LinkSigning(linkId, keeper.read(linkId), own, utcNowMs);
    this.#links.set(linkId, made);
    return made;
  }

  /**
   * What was signed must be behind what is on the disk before it leaves, or another run would say it again. A disk that
   * refuses holds no command up.
   */
  beforeSending(signing: LinkSigning): void {
    if (!signing.isCovered) this.#save([signing], false);
  }

  /** To be called every second. */
  tick(): void {
    this.#save(
      [...this.#links.values()].filter(({ isDue }) => isDue),
      false,
    );
  }

  /** Nothing more is signed: what was is kept as it was. */
  stop(): void {
    this.#save(
      [...this.#links.values()].filter(({ gate }) => gate !== null),
      true,
    );
  }

  /** A link is no more. */
  forget(linkId: string): void {
    this.#links.delete(linkId);
  }

  #save(due: readonly LinkSigning[], isLast: boolean): void {
    if (due.length === 0) return;
    const rows = due.map((signing): [LinkSigning, LinkSigningRow] => [signing, signing.row(isLast)]);
    try {
      this.#rim.keeper.save(rows.map(([, row]) => row));
      for (const [signing, row] of rows) signing.kept(row);
      this.#isTroubled = false;
    } catch (thrown) {
      if (!this.#isTroubled) this.#rim.trouble(sentenceOf(thrown));
      this.#isTroubled = true;
    }
  }
}
