import type { TrackView } from '../model/outlet_view.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';

/** Track as a summary shows it. It contains only what the outlet may send. */
export type Ranked = {
  number: string;
  level: ThreatLevel;
  score: number;
  text: string | null;
  lat: number | null;
  lon: number | null;
  /** Standard deviation of the horizontal position, m; null if unknown. */
  sigmaM: number | null;
  affiliation: string;
};

/** Tracks and alerts that the broker has, with the fields that a summary needs. */
export class MqttPicture {
  readonly #tracks = new Map<string, Ranked>();
  readonly #alerts = new Set<string>();

  /** Removes all entries. Call it when a new session begins, which publishes everything again. */
  clear(): void {
    this.#tracks.clear();
    this.#alerts.clear();
  }

  put({ track, threat }: TrackView): void {
    const { number, position, uncertainty, affiliation } = track;
    this.#tracks.set(track.id, {
      ...{
        number,
        affiliation,
        level: threat?.level ?? 'none',
        score: threat?.score ?? 0,
        text: threat?.reason ?? null,
      },
      ...{ lat: position?.lat ?? null, lon: position?.lon ?? null },
      sigmaM: uncertainty?.h_m ?? null,
    });
  }

  end(trackId: string): void {
    this.#tracks.delete(trackId);
  }

  /**
   * Notes whether an alert is active. An alert that a person has acknowledged is not active, so it is no longer
   * counted.
   */
  alert(id: string, isActive: boolean): void {
    if (isActive) this.#alerts.add(id);
    else this.#alerts.delete(id);
  }

  /** Returns the threats, the greatest first. */
  ranked(): Ranked[] {
    const rank = ({ level }: Ranked): number => threatLevels.indexOf(level);
    return [...this.#tracks.values()]
      .filter(({ level }) => level !== 'none')
      .sort((a, b) => rank(b) - rank(a) || b.score - a.score || (a.number < b.number ? -1 : 1));
  }

  summary() {
    const all = [...this.#tracks.values()];
    const count = (level: ThreatLevel): number => all.filter((one) => one.level === level).length;
    const [first] = this.ranked();
    return {
      tracks: all.length,
      by_level: Object.fromEntries(threatLevels.map((level) => [level, count(level)])),
      alerts: this.#alerts.size,
      highest: first === undefined ? null : highestOf(first),
    };
  }
}

function highestOf({ number, level, score, text, lat, lon }: Ranked) {
  return { number, level, score, text, lat, lon };
}
