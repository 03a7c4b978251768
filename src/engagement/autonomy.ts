import type { DecisionPolicy } from '../model/decision_config.ts';
import type { DoctrineBody } from '../model/doctrine.ts';
import type { Plan } from '../model/engagement.ts';
import { type Autonomy, leastAutonomy } from '../model/posture.ts';
import { verbs } from '../model/verb.ts';
import type { MatrixRow } from './deps.ts';
import { releaseOf } from './offer.ts';

/** Autonomy that a person has confirmed since the service started; `advise` until then. */
export class ConfirmedAutonomy {
  #confirmed: Autonomy = 'advise';

  /**
   * Returns the effective autonomy. If decision config or doctrine stop allowing `observe_auto`, its confirmation ends,
   * and a person must confirm it again later.
   */
  effective(policy: DecisionPolicy, doctrine: DoctrineBody): Autonomy {
    const allowed = allowedAutonomy(policy, doctrine);
    if (this.#confirmed === 'observe_auto' && allowed !== 'observe_auto') this.#confirmed = 'advise';
    return leastAutonomy(allowed, this.#confirmed);
  }

  confirm(autonomy: Autonomy): void {
    this.#confirmed = autonomy;
  }

  /** Stops automatic starts until a person confirms the autonomy again. */
  fallBack(): void {
    this.#confirmed = leastAutonomy(this.#confirmed, 'advise');
  }
}

/** Returns the highest autonomy that both the decision config and the doctrine allow. */
export function allowedAutonomy(policy: DecisionPolicy, doctrine: DoctrineBody): Autonomy {
  const cap = doctrine.postures.find(({ id }) => id === policy.posture)?.autonomy_cap ?? 'off';
  return leastAutonomy(policy.autonomy, cap);
}

/**
 * Returns true if `observe_auto` may begin a plan without a person. The plan must be feasible, move nothing and need no
 * second approval. The doctrine must list its response as automatic. The decision config must list its verbs.
 */
export function isAutomatic(plan: Plan, row: MatrixRow, policy: DecisionPolicy, doctrine: DoctrineBody): boolean {
  if (!plan.feasible || !row.automatic.includes(plan.response)) return false;
  if (releaseOf(doctrine, plan.response).approvals > 1 || row.approvals > 1) return false;
  const { automatic, two_person } = policy.engagement;
  return plan.legs.every(
    ({ verb }) => verbs[verb].class === 'observation' && automatic.includes(verb) && !two_person.includes(verb),
  );
}
