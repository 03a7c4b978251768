import { type ThreatLevel, threatLevels } from '../model/posture.ts';

type Hush = { rank: number; affiliation: string; untilMs: number };
type About = { level: ThreatLevel; affiliation: string };

/**
 * Proposals that are suppressed until a set time. A higher threat level or another affiliation ends the suppression
 * earlier.
 */
export class Quiet {
  readonly #hushed = new Map<string, Hush>();

  hush(key: string, { level, affiliation }: About, untilMs: number): void {
    this.#hushed.set(key, { rank: threatLevels.indexOf(level), affiliation, untilMs });
  }

  holds(key: string, { level, affiliation }: About, nowMs: number): boolean {
    const hush = this.#hushed.get(key);
    if (!hush) return false;
    if (nowMs < hush.untilMs && threatLevels.indexOf(level) <= hush.rank && affiliation === hush.affiliation)
      return true;
    this.#hushed.delete(key);
    return false;
  }

  /** Drops entries of ended tracks. A key begins with the id of its track. */
  keep(isThere: (trackId: string) => boolean): void {
    for (const key of this.#hushed.keys()) if (!isThere(key.split(' ')[0] ?? '')) this.#hushed.delete(key);
  }
}
