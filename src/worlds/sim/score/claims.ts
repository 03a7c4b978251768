import type { LocalFrame } from '../../../geo/local_frame.ts';
import type { Track } from '../../../model/track.ts';
import type { Cast } from './cast.ts';
import { GATE_M, nearPairs } from './near_pairs.ts';
import { placesOf } from './skies.ts';
import { assignAmong, type Sky } from './tracking_score.ts';
import type { TruePlace } from './truth.ts';

/** Where aircraft say to be and are not: those that a spoofer invents, and where one that lies says it flies. */
export class Claims {
  readonly #cast: Cast;

  constructor(cast: Cast) {
    this.#cast = cast;
  }

  of(truth: readonly TruePlace[], frame: LocalFrame, atS: number): Sky {
    // Most skies have nobody who lies, and then no name need be looked at.
    const all = [...this.#cast.all()];
    const mayBe = all.some(({ kind, remote_id: told }) => kind === 'spoofer' || told?.lies !== undefined);
    return mayBe ? this.#lookedFor(truth, frame, atS) : { ids: [], spots: new Float64Array() };
  }

  #lookedFor(truth: readonly TruePlace[], frame: LocalFrame, atS: number): Sky {
    const invented = truth.filter(({ kind, id }) => kind === 'spoofer' && this.#cast.of(id)?.id !== id);
    const liars = truth.filter(({ id }) => (this.#cast.of(id)?.remote_id?.lies?.from_s ?? Infinity) <= atS);
    const sky = placesOf([...invented, ...liars], frame);
    for (const [i, { id }] of liars.entries()) {
      const lies = this.#cast.of(id)?.remote_id?.lies;
      const at = 3 * (invented.length + i);
      for (const [axis, offM] of [lies?.east_m, lies?.north_m, lies?.up_m].entries())
        sky.spots[at + axis] = (sky.spots[at + axis] ?? 0) + (offM ?? 0);
    }
    return sky;
  }

  /** Whose invention a track may be that is heard alone, where nothing is; null where nobody invents, or nobody knows who. */
  inventorOf({ cooperative, identities }: Track): string | null {
    if (cooperative !== 'coop_only') return null;
    const spoofers = [...this.#cast.all()].filter(({ kind }) => kind === 'spoofer');
    const named = spoofers.find(({ remote_id: told }) => identities.some(({ value }) => value === told?.serial));
    return (named ?? (spoofers.length === 1 ? spoofers[0] : undefined))?.id ?? null;
  }

  /** Of each claim the track that shows it, of those that follow nothing; -1 for none. */
  match(claims: Sky, tracks: Sky, free: ReadonlySet<number>): Int32Array {
    const near = nearPairs(claims.spots, tracks.spots, GATE_M);
    return assignAmong(near, free, tracks.ids.length);
  }
}
