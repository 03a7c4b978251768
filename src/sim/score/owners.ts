/**
 * Owner of a track: a real object that the track follows (`thing`), a real object that has another track already
 * (`double`), or a claim without a real object (`claim`).
 */
export type Owner = { id: string; as: 'thing' | 'double' | 'claim' };
type Since = { fromMs: number; owner: Owner };

/** Limit of the owner changes that are recorded for one track. */
const MOST_CHANGES = 200;

type Known = { since: Since[]; wasThing: boolean; wasFake: boolean; wasBlamed: boolean };

/** Records the owners of each track over time. */
export class Owners {
  readonly #tracks = new Map<string, Known>();

  /**
   * Records the owner of a track at a time. If `owner` is null, the track keeps its last owner. `fake`: the track has
   * the verdict `suspect`.
   */
  note(trackId: string, atMs: number, owner: Owner | null, fake: boolean): void {
    const known = this.#known(trackId);
    known.wasThing ||= owner?.as === 'thing';
    known.wasFake ||= fake;
    known.wasBlamed ||= owner?.as !== 'thing' && !fake;
    const last = known.since.at(-1);
    if (owner === null || (last?.owner.id === owner.id && last.owner.as === owner.as)) return;
    if (known.since.length < MOST_CHANGES) known.since.push({ fromMs: atMs, owner });
  }

  /**
   * Returns the last owner that was recorded for a track up to a time. For a time before the first recorded owner,
   * returns the first owner. Returns null if no owner was recorded.
   */
  ownerAt(trackId: string, atMs: number): Owner | null {
    const since = this.#tracks.get(trackId)?.since ?? [];
    return (since.findLast(({ fromMs }) => fromMs <= atMs) ?? since[0])?.owner ?? null;
  }

  wasFake(trackId: string): boolean {
    return this.#tracks.get(trackId)?.wasFake ?? false;
  }

  /**
   * Number of tracks that never were `thing`, so doubles count. Tracks that once had the verdict `suspect` are left
   * out, because the tracker recognised them as fakes.
   */
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
