import type { Firing } from '../../model/firing.ts';

/** What rules would have raised of what was recorded. */
export type DryRun = {
  /** The first of them; all are counted. */
  firings: Firing[];
  /** By rule, also those that raised nothing. */
  byRule: Record<string, { fired: number; suppressed: number }>;
};
