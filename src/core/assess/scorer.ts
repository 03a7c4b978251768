import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { SiteThing } from '../site/site.ts';
import type { Told } from '../site/track_zones.ts';
import { beginCourse, type Course, follow, judgeAnew, scoresAlike } from '../threat/levels.ts';
import { Choice, type Scored } from '../threat/score.ts';
import type { Situation, Standing } from '../threat/situation.ts';
import { type AssessPolicy, firstPolicy } from './briefed.ts';
import { type Surroundings, situate } from './situate.ts';
import { approach, choose, type Stay } from './standings.ts';
import type { Watched } from './watched.ts';

const none: readonly Standing[] = [];

/** A score, what it was made of, and how the score of that track goes: good until another is scored. */
export type Judged = { scored: Scored; situation: Situation; course: Course };

/** How much tracks matter under the policy that holds. Done for each that moved: what is told of few is made elsewhere. */
export class Scorer {
  #policy: AssessPolicy = firstPolicy;
  /** Counts the policies that score otherwise than the one before. */
  #judgement = 0;
  readonly #choice = new Choice();
  /** Filled anew for each track, as what the situation is about. */
  readonly #scored: Scored = { score: 0, standing: null };
  readonly #about: Standing[] = [];

  get policy(): AssessPolicy {
    return this.#policy;
  }

  /** From the next track on. */
  set policy(policy: AssessPolicy) {
    if (!scoresAlike(policy.policy, this.#policy.policy)) this.#judgement++;
    this.#policy = policy;
  }

  /** Scores one as it stands to the things now, and carries its course on. */
  score(watched: Watched, things: readonly SiteThing[], told: Told, stay: Stay, around: Surroundings): Judged {
    const { policy } = around;
    const [choice, scored] = [this.#choice, this.#scored];
    approach(things, told, watched, stay);
    const situation = situate(watched, none, around);
    choose(choice, things, told.rows, watched, stay, situation, policy);
    const { standing } = choice;
    if (standing) {
      this.#about[0] = standing;
      situation.standings = this.#about;
    }
    scored.score = choice.scoreOf(situation, policy);
    scored.standing = standing;
    const course = this.#carryOn(watched, scored, situation, policy.levels, around.nowMs);
    watched.lookedMs = around.nowMs;
    watched.course = course;
    return { scored, situation, course };
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
    const carry = judgedBy === this.#judgement ? follow : judgeAnew;
    return carry(course, scored, situation, levels, nowMs);
  }
}
