import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { ThreatFactorId } from '../../model/threat.ts';

/** Those that depend on one protected thing, in the order in which they are added up. */
const ofThing = [
  'proximity',
  'inside',
  'low_altitude',
  'approach',
  'closest_approach',
  'closing',
  'dwell',
  'loiter',
  'operator_near',
] as const;
/** Those that depend on the track alone, which come after them. */
const ofTrack = [
  'unidentified',
  'no_remote_id',
  'suspect_identity',
  'crewed',
  'bird',
  'emergency',
  'swarm',
  'repeat_visitor',
  'hostile',
  'neutral',
  'remote_id_friend',
] as const;
/** What is taken off in the end; what they weigh depends on the sum. */
const ofSum = ['friend', 'existence', 'tentative'] as const;
const weighted = [...ofThing, ...ofTrack];
const all: readonly ThreatFactorId[] = [...weighted, ...ofSum];

/** Place of each factor in a tally. */
export const FACTOR = Object.fromEntries(all.map((id, place) => [id, place])) as Record<ThreatFactorId, number>;
const THING_END = ofThing.length;
const TRACK_END = weighted.length;

let [weighed, weights]: [DecisionPolicy['weights'] | null, Float64Array] = [null, new Float64Array(TRACK_END)];

/** Points at full strength, by place: of a policy, which is never changed, so that numbers in a row are read. */
export function weightsOf(policy: DecisionPolicy): Float64Array {
  if (policy.weights !== weighed) {
    weighed = policy.weights;
    weights = Float64Array.from(weighted, (id) => policy.weights[id]);
  }
  return weights;
}

/**
 * Points on their way to a score: numbers alone, since most scores are never read in words. Factors leave here what was
 * measured and how much of their weight it counts; then they are added up, all in one go.
 */
export class Tally {
  readonly values = new Float64Array(all.length);
  /** 0 to 1. */
  readonly strengths = new Float64Array(all.length);
  readonly weights = new Float64Array(all.length);
  readonly contributions = new Float64Array(all.length);
  /** Of the contributions so far, in the order in which they were added. */
  sum = 0;

  /** Begins with the points that depend on one thing, which counts so much. */
  addThing(from: Float64Array, importance: number): void {
    const { strengths, weights, contributions } = this;
    let sum = 0;
    for (let i = 0; i < THING_END; i++) {
      const weight = (from[i] ?? 0) * importance;
      const contribution = weight * (strengths[i] ?? 0);
      weights[i] = weight;
      contributions[i] = contribution;
      sum += contribution;
    }
    this.sum = sum;
  }

  /** Begins with nothing to threaten. */
  addNothing(): void {
    for (let i = 0; i < THING_END; i++) this.contributions[i] = 0;
    this.sum = 0;
  }

  /** Goes on with those that depend on the track alone. */
  addTrack(from: Float64Array): void {
    const { strengths, weights, contributions } = this;
    let { sum } = this;
    for (let i = THING_END; i < TRACK_END; i++) {
      const weight = from[i] ?? 0;
      const contribution = weight * (strengths[i] ?? 0);
      weights[i] = weight;
      contributions[i] = contribution;
      sum += contribution;
    }
    for (let i = TRACK_END; i < contributions.length; i++) contributions[i] = 0;
    this.sum = sum;
  }

  /** One of those that depend on the sum. */
  takeOff(factor: number, value: number, weight: number, strength: number): void {
    const contribution = weight * strength;
    this.values[factor] = value;
    this.weights[factor] = weight;
    this.contributions[factor] = contribution;
    this.sum += contribution;
  }
}
