import type { DecisionPolicy } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { SitePlan } from '../site/site_plan.ts';

/** A decision policy and its version number. Each threat states the version. */
export type AssessPolicy = { policy: DecisionPolicy; version: number };

/** The site, and the changing conditions on which assessments depend. */
export type AssessSite = {
  plan: SitePlan;
  /** Whether a Remote ID receiver works. */
  listens: boolean;
  /** Offset from world time to UTC, ms. Schedules are written in UTC. */
  utcOffsetMs: number;
};

export const emptySite: AssessSite = { plan: { zones: [], assets: [] }, listens: false, utcOffsetMs: 0 };
export const firstPolicy: AssessPolicy = { policy: defaultPolicy, version: 0 };
