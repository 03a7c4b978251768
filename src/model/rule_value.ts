import type { BuiltinRuleId } from './builtin_rules.ts';
import type { AlertSeverity, Firing } from './firing.ts';
import type { RuleWhen, raisableLevels } from './rule.ts';

export type RaisedLevel = (typeof raisableLevels)[number];

/** A rule in the form for the core. */
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

/** Numbers of a rule's raised and suppressed firings since the last report. */
export type RuleCount = {
  ruleId: string;
  fired: number;
  suppressed: number;
  /** World time of the last raised firing, ms. */
  lastMs: number | null;
  lastTrackId: string | null;
};

/** Minimum level of a track's threat. */
export type LevelFloor = { trackId: string; level: RaisedLevel };
