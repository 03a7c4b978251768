import type { PictureState } from '../picture/picture.ts';
import type { Announced } from '../picture/rim.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { Taps } from './taps.ts';

/** What the registry holds, as those who watch a world see it. */
export class ShownRows {
  readonly #picture: PictureState;
  readonly #taps: Taps;
  readonly #flush: () => void;

  constructor(picture: PictureState, taps: Taps, flush: () => void) {
    this.#picture = picture;
    this.#taps = taps;
    this.#flush = flush;
  }

  /** What holds when the world begins: no news. */
  begin(list: RegistryList, rows: readonly { id: string }[]): void {
    this.#picture.listed.beginRows(list, rows);
  }

  set(list: RegistryList, rows: readonly { id: string }[]): void {
    this.#taps.tap?.rows(list, rows);
    for (const row of rows) this.#picture.listed.setRow(list, row);
    this.#changed(list);
  }

  remove(list: RegistryList, id: string): void {
    this.#taps.tap?.removed(list, id);
    this.#picture.listed.removeRow(list, id);
    this.#changed(list);
  }

  announce(kind: Announced, body: object): void {
    if (kind === 'doctrine_change') this.#taps.tap?.doctrine();
    this.#picture.announce(kind, body);
    this.#flush();
  }

  /** Who a track is follows from assets and assignments: what they change of it stands in the same delta. */
  #changed(list: RegistryList): void {
    if (list === 'assets' || list === 'assignments') this.#picture.reconsider();
    this.#flush();
  }
}
