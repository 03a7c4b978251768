import { commandStates } from './command.ts';
import { zoneTransitions } from './zone.ts';

/** Kinds of rows of the event log, by subject and verb. Kinds that are not listed do not compile. */
const verbs = {
  alert: ['acknowledged', 'cleared', 'dropped', 'raised', 'worse'],
  asset: ['alias', 'changed', 'bound', 'cloned', 'created', 'fitted', 'deleted', 'imported', 'telemetry'],
  assignment: ['changed', 'confirmed', 'created', 'ended', 'expired', 'pruned'],
  audit: ['cut', 'pruned', 'recovered', 'schema', 'sealed', 'secret_key'],
  auth: ['denied', 'renewed', 'signed_in', 'signed_out'],
  autonomy: ['confirmed'],
  box: ['restored'],
  catalog: ['changed', 'created', 'deleted', 'seeded'],
  clock: ['step'],
  command: [...commandStates, 'not_written', 'refused'],
  config: ['saved'],
  core: ['restarted'],
  discovery: ['changed'],
  doctrine: ['changed', 'imported'],
  engagement: ['cancelled', 'completed', 'failed', 'notified', 'restarted', 'stop_all'],
  evidence: ['exported', 'requested'],
  fleet: ['alias_refused', 'id_conflict', 'own_id_taken', 'restarted'],
  history: ['gap', 'pruned'],
  hold: ['created', 'deleted'],
  key: ['created', 'revoked'],
  link: [
    'changed',
    'created',
    'deleted',
    'disabled',
    'enabled',
    'signing_key_removed',
    'sources_full',
    'receiver_conflict',
    'up',
    'down',
    'signing_key_set',
    'signing_unkept',
  ],
  log: ['level'],
  map: ['deleted', 'uploaded'],
  mode: ['changed', 'live'],
  outlet: ['changed', 'created', 'disabled', 'down', 'enabled', 'open', 'refused', 'removed'],
  plan: [
    'approval_lapsed',
    'approved',
    'automatic',
    'cancelled',
    'expired',
    'proposed',
    'refused',
    'rejected',
    'requested',
    'superseded',
  ],
  recording: ['deleted', 'failed', 'gap', 'refused', 'started', 'stopped'],
  region: ['changed', 'created', 'deleted'],
  retention: ['changed', 'clock_agreed', 'clock_confirmed'],
  rule: ['changed', 'created', 'deleted'],
  run: ['deleted', 'started'],
  scenario: ['changed', 'created', 'deleted', 'order_refused'],
  secret: ['removed', 'sealed'],
  sensor: ['changed', 'created', 'deleted', 'heard', 'not_silent', 'silent'],
  sim: ['injected', 'not_written', 'paused', 'rate', 'resumed', 'sought', 'stepped', 'stopped'],
  system: ['start', 'stop'],
  task: [...commandStates, 'holding'],
  threat: ['acknowledged', 'dismissed', 'level', 'recalled'],
  track: [
    'affiliation',
    'affiliation_ended',
    'affiliation_set',
    'closed',
    'confirmed',
    'drop_asked',
    'dropped',
    'integrity',
    'lost',
    'merge_asked',
    'merged',
    'new',
    'zone',
  ],
  user: ['changed', 'created', 'removed'],
  webhook: ['changed', 'created', 'deleted', 'disabled', 'failing', 'recovered', 'tested', 'trouble'],
  workspace: ['created', 'removed'],
  zone: [...zoneTransitions, 'changed', 'created', 'deleted'],
} as const;
type LogSubject = keyof typeof verbs;

/** Verbs of a subject. */
export type LogVerb<S extends LogSubject> = (typeof verbs)[S][number];
export type LogKind = { [S in LogSubject]: `${S}.${LogVerb<S>}` }[LogSubject];

/** All kinds as `subject.verb`, sorted. */
export const logKinds = Object.entries(verbs)
  .flatMap(([subject, all]) => all.map((verb) => `${subject}.${verb}`))
  .sort() as [LogKind, ...LogKind[]];
