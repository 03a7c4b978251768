import type { alertSeverities } from './zone.ts';

export type BuiltinRule = { id: string; severity: (typeof alertSeverities)[number]; description: string };

/** The rules that every workspace has. A rule tells and proposes; it never commands an asset. */
export const builtinRules = [
  { id: 'zone_entry', severity: 'warning', description: 'A track enters a zone whose alarm asks for it.' },
  { id: 'zone_dwell', severity: 'warning', description: 'A track stays in a zone for its dwell time.' },
  { id: 'zone_approach', severity: 'notice', description: 'A track will be in a zone within its time of warning.' },
  {
    id: 'unidentified_in_protected_zone',
    severity: 'critical',
    description: 'A track that nobody knows is in a protected zone.',
  },
  {
    id: 'suspect_remote_id',
    severity: 'warning',
    description: 'What an aircraft says of itself is not borne out by what is seen of it.',
  },
  {
    id: 'friend_cloned',
    severity: 'critical',
    description: 'A serial of ours is heard where our aircraft is not.',
  },
  { id: 'swarm', severity: 'critical', description: 'Several tracks fly close together and to the same place.' },
  { id: 'loitering', severity: 'notice', description: 'A track circles or stands about the same place.' },
  { id: 'repeat_visitor', severity: 'notice', description: 'An identity that was here on another day is here again.' },
  { id: 'rapid_descent', severity: 'warning', description: 'A track comes down fast towards what is protected.' },
  {
    id: 'sensor_silent',
    severity: 'warning',
    description: 'A sensor gives no sign of life: the sky there is not watched.',
  },
  { id: 'own_platform_close', severity: 'warning', description: 'A vehicle of ours is close to a contact.' },
  {
    id: 'crewed_aircraft_near',
    severity: 'critical',
    description: 'A crewed aircraft is near a vehicle of ours, which must give way.',
  },
] as const satisfies readonly BuiltinRule[];

export type BuiltinRuleId = (typeof builtinRules)[number]['id'];
export const builtinRuleIds = builtinRules.map(({ id }) => id) as [BuiltinRuleId, ...BuiltinRuleId[]];
