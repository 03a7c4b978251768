/** To what a track belonged: to a thing that is there, as a second track to one that has its own, or to what one says of itself where it is not. */
export type Owner = { id: string; as: 'thing' | 'double' | 'claim' };
type Since = { fromMs: number; owner: Owner };

/** So many changes of one track are kept; one that changes more often belongs to nobody for long anyway. */
const MOST_CHANGES = 200;

type Known = { since: Since[]; wasThing: boolean; wasFake: boolean; wasBlamed: boolean };

/** To what each track belonged, and when. */
export class Owners {
  readonly #tracks = new Map<string, Known>();

  /** `owner` is null of a track that belongs to nothing now; `fake`: it is held to be one. */
  note(trackId: string, atMs: number, owner: Owner | null, fake: boolean): void {
    const known = this.#known(trackId);
    known.wasThing ||= owner?.as === 'thing';
    known.wasFake ||= fake;
    known.wasBlamed ||= owner?.as !== 'thing' && !fake;
    const last = known.since.at(-1);
    if (owner === null || (last?.owner.id === owner.id && last.owner.as === owner.as)) return;
    if (known.since.length < MOST_CHANGES) known.since.push({ fromMs: atMs, owner });
  }

  /** To what it belonged last at a moment; where it belonged to nothing yet, to what it belonged first. */
  ownerAt(trackId: string, atMs: number): Owner | null {
    const since = this.#tracks.get(trackId)?.since ?? [];
    return (since.findLast(({ fromMs }) => fromMs <= atMs) ?? since[0])?.owner ?? null;
  }

  wasFake(trackId: string): boolean {
    return this.#tracks.get(trackId)?.wasFake ?? false;
  }

  /** Tracks that were shown and never followed anything that is there, without those that were found out as fakes. */
  get falseTracks(): number {
    let count = 0;
    for (const { wasThing, wasFake, wasBlamed } of this.#tracks.values())
      if (wasBlamed && !wasThing && !wasFake) count++;
    return count;
  }

  #known(trackId: string): Known {
    const known = this.#tracks.get(trackId) ?? { since: [], wasThing: false, wasFake: false, wasBlamed: false };
    this.#tracks.set(trackId, known);
    return known;
  }
}
