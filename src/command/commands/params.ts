import { Fault } from '../../model/fault.ts';
import {
  type CommandParams,
  heights,
  identifyingFields,
  kindsOf,
  type Verb,
  type VerbFields,
  verbs,
} from '../../model/verb.ts';

/** Refuses parameters of another kind than the verb's, and fields that would be left unread. */
export function checkParams(verb: Verb, params: CommandParams): void {
  const fields: VerbFields | undefined = verbs[verb].params[params.kind];
  if (!fields) {
    const kinds = kindsOf(verb).join(' or ');
    throw new Fault('invalid_input', `'params.kind' must be ${kinds} for ${verb}, and not ${params.kind}`);
  }
  const { needed = [], taken = [] } = fields;
  const given = Object.entries(params).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  for (const field of needed) {
    if (!given.includes(field)) throw new Fault('invalid_input', `'params.${field}' is needed by ${verb}`);
  }
  for (const field of given) {
    if (identifyingFields.has(field) || needed.includes(field) || taken.includes(field)) continue;
    throw new Fault('invalid_input', `'params.${field}' is not taken by ${verb}`);
  }
  const givenHeights = heights.filter((field) => given.includes(field));
  if (givenHeights.length > 1) {
    throw new Fault('invalid_input', `'params' must say one height, and says ${givenHeights.join(' and ')}`);
  }
}

/** True where two commands say the same of what they are about. */
export function sameParams(one: CommandParams, other: CommandParams): boolean {
  const sorted = (params: CommandParams): string =>
    JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
