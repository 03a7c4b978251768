import type { AssessedThreat } from '../model/assessment.ts';
import type { EventBody } from '../model/event.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Threat, ThreatFactor } from '../model/threat.ts';

/** What people did about a threat. */
export type ThreatMarks = Pick<Threat, 'acknowledged' | 'dismissed'>;
const unmarked: ThreatMarks = { acknowledged: null, dismissed: null };

type Kept = { number: number; document: Threat };
type Tell = {
  update(threat: EventBody<'threat_update'>): void;
  cleared(trackId: string): void;
};

/** The tracks that matter, as documents: what the core finds and what people did about it, told as they change. */
export class Threats {
  readonly #byTrack = new Map<string, Kept>();
  readonly #marks = new Map<string, ThreatMarks>();
  /** The level at which a track was dismissed: it holds while the track is no threat at all, and when it is one again. */
  readonly #dismissedAt = new Map<string, ThreatLevel>();
  readonly #timeText: (worldMs: number) => string;
  readonly #tell: Tell;
  /** Told of each level that is another than before. */
  onLevel: (threat: Threat, was: ThreatLevel) => void = () => {};
  /** Told of each track with marks that is gone. */
  onForgotten: (trackId: string) => void = () => {};
  /** A threat that a person dismissed is more of one now: it is no longer dismissed. */
  onWorse: (threat: Threat) => void = () => {};

  constructor(timeText: (worldMs: number) => string, tell: Tell) {
    this.#timeText = timeText;
    this.#tell = tell;
  }

  list(): Threat[] {
    return [...this.#byTrack.values()].map(({ document }) => document);
  }

  get(trackId: string): Threat | undefined {
    return this.#byTrack.get(trackId)?.document;
  }

  /** What the core found, as a document; of a preview too. */
  documentOf(assessed: AssessedThreat): Threat {
    const { number: _number, trackId, firstMs, policyVersion, factors, ...rest } = assessed;
    const marks = this.#marks.get(trackId) ?? unmarked;
    const rounded = roundedScore(factors);
    return {
      track_id: trackId,
      ...rest,
      ...rounded,
      nearest_zone: rest.nearest_zone && roundedZone(rest.nearest_zone),
      cpa: rest.cpa && { ...rest.cpa, distance_m: round(rest.cpa.distance_m, 1), in_s: round(rest.cpa.in_s, 1) },
      // What is told is the sum of rounded parts: no score is above its peak.
      peak_score: Math.max(round(rest.peak_score, 2), rounded.score),
      first_at: this.#timeText(firstMs),
      ...marks,
      policy_version: policyVersion,
    };
  }

  take(assessed: AssessedThreat): void {
    const { trackId, number } = assessed;
    const kept = this.#byTrack.get(trackId);
    const document = this.documentOf(assessed);
    const was = kept?.document.level ?? 'none';
    this.#byTrack.set(trackId, { number, document });
    this.#tell.update(document);
    if (was === document.level) return;
    this.onLevel(document, was);
    const dismissedAt = this.#dismissedAt.get(trackId);
    if (dismissedAt !== undefined && rank(document.level) > rank(dismissedAt)) this.onWorse(document);
  }

  clear(trackId: string): void {
    const kept = this.#byTrack.get(trackId);
    if (!kept) return;
    this.#byTrack.delete(trackId);
    this.#tell.cleared(trackId);
    if (kept.document.level !== 'none') this.onLevel({ ...kept.document, level: 'none' }, kept.document.level);
  }

  /** The track is gone: what was done about it is history. */
  forget(trackId: string): void {
    this.clear(trackId);
    this.#dismissedAt.delete(trackId);
    if (this.#marks.delete(trackId)) this.onForgotten(trackId);
  }

  /** What people did about a track, from now on or as an earlier run left it, with the level at which that was. */
  mark(trackId: string, marks: ThreatMarks, level?: ThreatLevel): void {
    if (marks.acknowledged === null && marks.dismissed === null) this.#marks.delete(trackId);
    else this.#marks.set(trackId, marks);
    const kept = this.#byTrack.get(trackId);
    if (marks.dismissed) this.#dismissedAt.set(trackId, level ?? kept?.document.level ?? 'none');
    else this.#dismissedAt.delete(trackId);
    if (!kept) return;
    kept.document = { ...kept.document, ...marks };
    this.#tell.update(kept.document);
  }

  marksOf(trackId: string): ThreatMarks {
    return this.#marks.get(trackId) ?? unmarked;
  }

  /** Those whose dismissal ends by now. */
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

/** Rounded so that what is told adds up: the score is the sum of the contributions as they stand there. */
function roundedScore(factors: readonly ThreatFactor[]): Pick<Threat, 'score' | 'factors'> {
  let hundredths = 0;
  const rounded = factors.map((factor) => {
    const points = Math.round(factor.contribution * 100);
    hundredths += points;
    const value = factor.value === null ? null : round(factor.value, 2);
    return { ...factor, value, weight: round(factor.weight, 2), contribution: points / 100 };
  });
  return { score: Math.min(100, Math.max(0, hundredths / 100)), factors: rounded };
}

function roundedZone(zone: NonNullable<Threat['nearest_zone']>): Threat['nearest_zone'] {
  const seconds = (value: number | null): number | null => (value === null ? null : round(value, 1));
  const { id, distance_m, eta_s, eta_sigma_s } = zone;
  return { id, distance_m: round(distance_m, 1), eta_s: seconds(eta_s), eta_sigma_s: seconds(eta_sigma_s) };
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}
