import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { ProtectedArea } from '../site/site.ts';
import type { TrackRows } from '../site/track_zones.ts';
import { beginCourse, type Course, Decay, follow, judgeAnew, scoresAlike } from '../threat/levels.ts';
import { type AreaRelation, Situation } from '../threat/situation.ts';
import { type Explained, type Scored, ThreatScorer } from '../threat/threat_scorer.ts';
import { AreaRelations, type Unmeasured } from './area_relations.ts';
import { type AssessPolicy, firstPolicy } from './configuration.ts';
import { type Surroundings, situate } from './situate.ts';
import type { Watched } from './watched.ts';

const none: readonly AreaRelation[] = [];

/** A score with its inputs and the track's course. The scorer reuses this object for the next track. */
export type Judged = { scored: Scored; situation: Situation; relations: AreaRelations; course: Course };

/** Scores each changed track under the current policy. Holds working memory for one track. */
export class Scorer {
  #policy: AssessPolicy = firstPolicy;
  /** Number of policy changes so far that affect scores. */
  #judgement = 0;
  readonly #threat = new ThreatScorer();
  readonly #judged: Judged;
  readonly #about: AreaRelation[] = [];
  readonly #decay = new Decay();

  constructor() {
    const situation = new Situation('');
    const scored = { score: 0, relation: null };
    const course = beginCourse(scored, situation, this.#policy.policy.levels, 0);
    this.#judged = { scored, situation, relations: new AreaRelations(this.#threat.areas), course };
  }

  get policy(): AssessPolicy {
    return this.#policy;
  }

  /** Sets the policy, from the next scored track on. */
  set policy(policy: AssessPolicy) {
    if (!scoresAlike(policy.policy, this.#policy.policy)) this.#judgement++;
    this.#policy = policy;
  }

  /** Scores a track by its present relations to the areas, and updates its course. */
  score(
    watched: Watched,
    protectedAreas: readonly ProtectedArea[],
    own: TrackRows,
    unmeasured: Unmeasured,
    around: Surroundings,
  ): Judged {
    const { policy, nowMs } = around;
    const { relations, situation, scored } = this.#judged;
    relations.take(protectedAreas, own, watched, unmeasured);
    situate(watched, none, around, situation);
    const row = relations.choose(situation, policy);
    scored.relation = row < 0 ? null : relations.at(row);
    if (scored.relation) {
      this.#about[0] = scored.relation;
      situation.relations = this.#about;
    }
    scored.score = this.#threat.total(row < 0 ? 0 : this.#threat.areas.of(row), situation, policy);
    this.#judged.course = watched.course = this.#carryOn(watched, scored, situation, policy.levels, nowMs);
    watched.lookedMs = nowMs;
    return this.#judged;
  }

  /** Explains in words the score of the track that was scored last. Overwrites the relations of that track. */
  explain({ situation, relations }: Judged): Explained {
    const { policy } = this.#policy;
    return this.#threat.explain(situation, policy, relations.all(policy));
  }

  #carryOn(
    watched: Watched,
    scored: Scored,
    situation: Situation,
    levels: DecisionPolicy['levels'],
    nowMs: number,
  ): Course {
    const { course, judgedBy } = watched;
    watched.judgedBy = this.#judgement;
    if (!course) return beginCourse(scored, situation, levels, nowMs);
    if (judgedBy !== this.#judgement) return judgeAnew(course, scored, situation, levels, nowMs);
    return follow(course, scored, situation, levels, nowMs, this.#decay);
  }
}
