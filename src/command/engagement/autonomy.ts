import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { DoctrineBody } from '../../model/doctrine.ts';
import type { Plan } from '../../model/engagement.ts';
import { type Autonomy, leastAutonomy } from '../../model/posture.ts';
import { verbs } from '../../model/verb.ts';
import { releaseOf } from './offer.ts';
import type { MatrixRow } from './rim.ts';

/** What a person confirmed since the start; before that, that things may be proposed. */
export class ConfirmedAutonomy {
  #confirmed: Autonomy = 'advise';

  /** A config that takes it back takes the confirmation with it: raised again, it is confirmed again. */
  effective(policy: DecisionPolicy, doctrine: DoctrineBody): Autonomy {
    const allowed = allowedAutonomy(policy, doctrine);
    if (this.#confirmed === 'observe_auto' && allowed !== 'observe_auto') this.#confirmed = 'advise';
    return leastAutonomy(allowed, this.#confirmed);
  }

  confirm(autonomy: Autonomy): void {
    this.#confirmed = autonomy;
  }

  /** From now on nothing starts by itself until somebody confirms again. */
  fallBack(): void {
    this.#confirmed = leastAutonomy(this.#confirmed, 'advise');
  }
}

/** What the decision config and the doctrine allow at most. */
export function allowedAutonomy(policy: DecisionPolicy, doctrine: DoctrineBody): Autonomy {
  const cap = doctrine.postures.find(({ id }) => id === policy.posture)?.autonomy_cap ?? 'off';
  return leastAutonomy(policy.autonomy, cap);
}

/** Whether a plan may begin without a person, where autonomy is observe_auto: nothing moves by it and everybody who wrote a list lists it. */
export function isAutomatic(plan: Plan, row: MatrixRow, policy: DecisionPolicy, doctrine: DoctrineBody): boolean {
  if (!plan.feasible || !row.automatic.includes(plan.response)) return false;
  if (releaseOf(doctrine, plan.response).approvals > 1 || row.approvals > 1) return false;
  const { automatic, two_person } = policy.engagement;
  return plan.legs.every(
    ({ verb }) => verbs[verb].class === 'observation' && automatic.includes(verb) && !two_person.includes(verb),
  );
}
