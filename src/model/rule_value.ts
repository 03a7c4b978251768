import type { BuiltinRuleId } from './builtin_rules.ts';
import type { AlertSeverity, Firing } from './firing.ts';
import type { RuleWhen, raisableLevels } from './rule.ts';

export type RaisedLevel = (typeof raisableLevels)[number];

/** A rule as the core takes it. */
export type RuleValue = {
  id: string;
  version: number;
  name: string;
  severity: AlertSeverity;
  forS: number;
  cooldownS: number;
  does: Firing['does'];
} & (
  | { builtin: BuiltinRuleId; parameters: Readonly<Record<string, number>> }
  | { builtin: null; when: RuleWhen; message: string; raiseLevel: RaisedLevel | null }
);

/** Firings of a rule, raised and suppressed, since the last query. */
export type RuleCount = {
  ruleId: string;
  fired: number;
  suppressed: number;
  /** World time of the last raised firing, ms. */
  lastMs: number | null;
  lastTrackId: string | null;
};

/** The level of a track is at least this. */
export type LevelFloor = { trackId: string; level: RaisedLevel };
