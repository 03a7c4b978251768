import { type MessageField, messageFields } from './rule_fields.ts';

/** Kinds of rule subjects. The kind decides which fields a message may contain. */
export type RuleAbout = 'track' | 'zone' | 'sensor';

const inBraces = /\{([^{}]*)\}/g;

function allowed(about: RuleAbout | undefined): readonly string[] {
  const { always, track, zone, sensor } = messageFields;
  if (about === 'sensor') return [...always, ...sensor];
  if (about === 'track') return [...always, ...track];
  if (about === 'zone') return [...always, ...track, ...zone];
  return [...always, ...track, ...zone, ...sensor];
}

/** Returns the faults of the fields in a message, as sentences. */
export function strayFields(message: string, about?: RuleAbout): string[] {
  const known = allowed(about);
  const faults: string[] = [];
  for (const [, name = ''] of message.matchAll(inBraces)) {
    if (known.includes(name)) continue;
    const of = about === undefined || !allowed(undefined).includes(name) ? 'a rule' : aboutWords[about];
    faults.push(`contains {${name.slice(0, 60)}}, which is not a field of ${of}; allowed are ${known.join(', ')}`);
  }
  if (/[{}]/.test(message.replace(inBraces, ''))) faults.push('has a brace that is not closed');
  return faults;
}

const aboutWords: Record<RuleAbout, string> = {
  track: "a rule whose 'all' has no condition with the operator 'inside'",
  zone: 'a rule about tracks',
  sensor: 'a rule about sensors',
};

/** Replaces the fields in a message by their texts, which `of` returns. */
export function fillMessage(message: string, of: (field: MessageField) => string): string {
  return message.replace(inBraces, (_whole, name: string) => of(name as MessageField));
}
