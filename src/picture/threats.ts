import type { AssessedThreat } from '../model/assessment.ts';
import { Listeners } from '../model/listeners.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Threat, ThreatFactor } from '../model/threat.ts';
import type { Queue } from './listed.ts';
import { round } from './track_document.ts';

/** Marks that people set on a threat, and the end of a dismissal. */
export type ThreatMarks = Pick<Threat, 'acknowledged' | 'dismissed' | 'dismissal_ended'>;
const unmarked: ThreatMarks = { acknowledged: null, dismissed: null, dismissal_ended: null };

/** Threats as documents with the marks of people. Publishes each change. */
export class Threats {
  readonly #byTrack = new Map<string, Threat>();
  readonly #marks = new Map<string, ThreatMarks>();
  /**
   * Level at which each dismissed track was dismissed. An entry stays even while the track is not listed as a threat.
   */
  readonly #dismissedAt = new Map<string, ThreatLevel>();
  readonly #timeText: (worldMs: number) => string;
  readonly #publish: Queue;
  /** Emits each threat whose level changed, with the previous level. */
  readonly levelled = new Listeners<[Threat, ThreatLevel]>();
  /** Emits the marks of a track after a person set them. */
  readonly marked = new Listeners<[trackId: string, marks: ThreatMarks]>();
  /** Emits each ended track that had marks. */
  readonly forgotten = new Listeners<[trackId: string]>();
  /** Emits a dismissed threat at each change of its level to one above the level of its dismissal. */
  readonly worsened = new Listeners<[Threat]>();

  constructor(timeText: (worldMs: number) => string, publish: Queue) {
    this.#timeText = timeText;
    this.#publish = publish;
  }

  list(): Threat[] {
    return [...this.#byTrack.values()];
  }

  get(trackId: string): Threat | undefined {
    return this.#byTrack.get(trackId);
  }

  /** Returns the document of an assessed threat; also used for previews. */
  documentOf(assessed: AssessedThreat): Threat {
    const { number: _number, trackId, firstMs, policyVersion, factors, ...rest } = assessed;
    const marks = this.#marks.get(trackId) ?? unmarked;
    const rounded = roundedScore(factors);
    return {
      track_id: trackId,
      ...rest,
      ...rounded,
      nearest_zone: rest.nearest_zone && roundedZone(rest.nearest_zone),
      nearest_protected: rest.nearest_protected && {
        ...rest.nearest_protected,
        distance_m: round(rest.nearest_protected.distance_m, 1),
      },
      cpa: rest.cpa && { ...rest.cpa, distance_m: round(rest.cpa.distance_m, 1), in_s: round(rest.cpa.in_s, 1) },
      // The published score is a sum of rounded contributions, so it may exceed the rounded peak; the peak is then
      // raised to it.
      peak_score: Math.max(round(rest.peak_score, 2), rounded.score),
      first_at: this.#timeText(firstMs),
      ...marks,
      policy_version: policyVersion,
    };
  }

  take(assessed: AssessedThreat): void {
    const { trackId } = assessed;
    const document = this.documentOf(assessed);
    const was = this.#byTrack.get(trackId)?.level ?? 'none';
    this.#byTrack.set(trackId, document);
    this.#publish('threat_update', trackId, document);
    if (was === document.level) return;
    this.levelled.emit(document, was);
    const dismissedAt = this.#dismissedAt.get(trackId);
    if (dismissedAt !== undefined && rank(document.level) > rank(dismissedAt)) this.worsened.emit(document);
  }

  clear(trackId: string): void {
    const threat = this.#byTrack.get(trackId);
    if (!threat) return;
    this.#byTrack.delete(trackId);
    this.#publish('threat_cleared', trackId, { track_id: trackId });
    if (threat.level !== 'none') this.levelled.emit({ ...threat, level: 'none' }, threat.level);
  }

  /** Removes an ended track. */
  forget(trackId: string): void {
    this.clear(trackId);
    this.#dismissedAt.delete(trackId);
    if (this.#marks.delete(trackId)) this.forgotten.emit(trackId);
  }

  /**
   * Sets the marks of a track. `level` is the threat's level when it was dismissed; without it, the current level is
   * used.
   */
  mark(trackId: string, marks: ThreatMarks, level?: ThreatLevel): void {
    if (Object.values(marks).every((mark) => mark === null)) this.#marks.delete(trackId);
    else this.#marks.set(trackId, marks);
    const threat = this.#byTrack.get(trackId);
    if (marks.dismissed) this.#dismissedAt.set(trackId, level ?? threat?.level ?? 'none');
    else this.#dismissedAt.delete(trackId);
    if (threat) {
      const marked = { ...threat, ...marks };
      this.#byTrack.set(trackId, marked);
      this.#publish('threat_update', trackId, marked);
    }
    this.marked.emit(trackId, marks);
  }

  marksOf(trackId: string): ThreatMarks {
    return this.#marks.get(trackId) ?? unmarked;
  }

  /** Level at which a dismissed track was dismissed; `none` for other tracks. */
  dismissedAt(trackId: string): ThreatLevel {
    return this.#dismissedAt.get(trackId) ?? 'none';
  }

  /** Returns the ids of tracks whose dismissal has expired. */
  dismissalsOver(nowText: string): string[] {
    const over: string[] = [];
    for (const [trackId, { dismissed }] of this.#marks)
      if (dismissed && dismissed.until !== null && dismissed.until <= nowText) over.push(trackId);
    return over;
  }
}

function rank(level: ThreatLevel): number {
  return threatLevels.indexOf(level);
}

/**
 * Rounds the contributions, and computes the published score as their sum, limited to 0 to 100. Factors that round to
 * zero are left out.
 */
function roundedScore(factors: readonly ThreatFactor[]): Pick<Threat, 'score' | 'factors'> {
  let hundredths = 0;
  const rounded = factors.map((factor) => {
    const points = Math.round(factor.contribution * 100);
    hundredths += points;
    const value = factor.value === null ? null : round(factor.value, 2);
    return { ...factor, value, weight: round(factor.weight, 2), contribution: points / 100 };
  });
  const factorsThatCount = rounded.filter(({ contribution }) => contribution !== 0);
  return { score: Math.min(100, Math.max(0, hundredths / 100)), factors: factorsThatCount };
}

function roundedZone(zone: NonNullable<Threat['nearest_zone']>): Threat['nearest_zone'] {
  const rounded = (value: number | null): number | null => (value === null ? null : round(value, 1));
  const { distance_m, depth_m, eta_s, eta_sigma_s } = zone;
  const distances = { distance_m: round(distance_m, 1), depth_m: rounded(depth_m) };
  return { ...zone, ...distances, eta_s: rounded(eta_s), eta_sigma_s: rounded(eta_sigma_s) };
}
