import type { Migration } from '../migrate.ts';
import { first } from './0001_first.ts';
import { registry } from './0002_registry.ts';
import { rules } from './0003_rules.ts';
import { alerts } from './0004_alerts.ts';
import { threats } from './0005_threats.ts';
import { engagements } from './0006_engagements.ts';
import { commands } from './0007_commands.ts';
import { signing } from './0008_signing.ts';
import { scenarios } from './0009_scenarios.ts';
import { runs } from './0010_runs.ts';
import { sessionClocks } from './0011_session_clocks.ts';
import { linkSensors } from './0012_link_sensors.ts';
import { auditSeal } from './0013_audit_seal.ts';
import { signedIn } from './0014_signed_in.ts';
import { alertSteps } from './0015_alert_steps.ts';
import { setAffiliations } from './0016_set_affiliations.ts';
import { outlets } from './0017_outlets.ts';

export const stateMigrations: readonly Migration[] = [
  first,
  registry,
  rules,
  alerts,
  threats,
  engagements,
  commands,
  signing,
  scenarios,
  runs,
  sessionClocks,
  linkSensors,
  auditSeal,
  signedIn,
  alertSteps,
  setAffiliations,
  outlets,
];
