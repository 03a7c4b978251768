import type { CoreHandle } from '../core/thread/handle.ts';
import { conflict, type Fault, notFound } from '../model/fault.ts';
import type { Track } from '../model/track.ts';
import type { PictureState } from '../picture/picture.ts';

/** Changes of tracks by a person. Each promise resolves once the picture shows the change. */
export class TracksByHand {
  readonly #picture: PictureState;
  readonly #core: CoreHandle;

  constructor(picture: PictureState, core: CoreHandle) {
    this.#picture = picture;
    this.#core = core;
  }

  /** Returns the current document of a track. Throws `not_found` if the picture has no such track. */
  find(id: string): Track {
    return this.#find(id).document;
  }

  /**
   * Ends a track; later observations of its aircraft begin a new track. Resolves with the last document of the ended
   * track.
   */
  async drop(id: string): Promise<Track> {
    const { number, document } = this.#find(id);
    if ((await this.#core.change({ what: 'drop', number })) !== 'done') throw unknown(id);
    return document;
  }

  /**
   * Merges the first track into the second. Resolves with the last document of the first track (`gone`) and the merged
   * track (`kept`).
   */
  async merge(id: string, intoId: string): Promise<{ gone: Track; kept: Track }> {
    if (id === intoId) throw conflict('a track cannot be merged into itself');
    const [gone, kept] = [this.#find(id), this.#find(intoId)];
    const outcome = await this.#core.change({ what: 'merge', number: gone.number, into: kept.number });
    if (outcome === 'two_claims') {
      const sentence = `the tracks ${gone.document.number} and ${kept.document.number} cannot be merged: each transmits a serial of its own, so they are two aircraft, or one is spoofed`;
      throw conflict(sentence);
    }
    // Either track may have ended since the check above, or the tracker itself may have merged it.
    if (outcome !== 'done') throw unknown(this.#picture.track(id) ? intoId : id);
    return { gone: gone.document, kept: this.#picture.track(intoId) ?? kept.document };
  }

  #find(id: string): { number: number; document: Track } {
    const number = this.#picture.numberOf(id);
    const document = number === null ? undefined : this.#picture.documentOf(number);
    if (number === null || !document) throw unknown(id);
    return { number, document: { ...document } };
  }
}

function unknown(id: string): Fault {
  return notFound(`there is no track with the id ${id} in the picture`);
}
