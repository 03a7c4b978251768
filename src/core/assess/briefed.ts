import type { DecisionPolicy } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { SitePlan } from '../site/site_plan.ts';

/** What people decided, and the version that every threat names. */
export type AssessPolicy = { policy: DecisionPolicy; version: number };

/** What is known of the place and the hour. */
export type AssessSite = {
  plan: SitePlan;
  /** A receiver that would hear Remote ID works. */
  listens: boolean;
  /** What is added to the world's time for UTC, by which schedules go. */
  utcOffsetMs: number;
};

export const emptySite: AssessSite = { plan: { zones: [], assets: [] }, listens: false, utcOffsetMs: 0 };
export const firstPolicy: AssessPolicy = { policy: defaultPolicy, version: 0 };
