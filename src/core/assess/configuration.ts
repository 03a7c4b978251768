import type { DecisionPolicy } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { SitePlan } from '../site/site_plan.ts';

/** A decision policy, and its version, which every threat names. */
export type AssessPolicy = { policy: DecisionPolicy; version: number };

/** Site, and the values of the hour, that assessments use. */
export type AssessSite = {
  plan: SitePlan;
  /** Whether a receiver for Remote ID works. */
  listens: boolean;
  /** Added to world time to get UTC, in which schedules are written. */
  utcOffsetMs: number;
};

export const emptySite: AssessSite = { plan: { zones: [], assets: [] }, listens: false, utcOffsetMs: 0 };
export const firstPolicy: AssessPolicy = { policy: defaultPolicy, version: 0 };
