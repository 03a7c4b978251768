import type { z } from 'zod';
import { closest } from '../../model/closest.ts';
import { keysAt } from '../../model/schema_keys.ts';
import type { Path } from './document.ts';

type Issue = z.core.$ZodIssue;

const wanted: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
  array: 'a list',
};

function kindOf(input: unknown): string {
  if (input === null || input === undefined) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a mapping';
  if (typeof input === 'string') return 'text';
  if (typeof input === 'number' || typeof input === 'bigint') return String(input);
  return typeof input === 'boolean' ? String(input) : 'something else';
}

const quantities: Record<string, string> = { string: 'characters', array: 'entries' };

function bound(issue: { origin: string; inclusive?: boolean }, limit: number | bigint, side: 'least' | 'most'): string {
  const unit = quantities[issue.origin];
  if (unit !== undefined) return `must have at ${side} ${limit} ${unit}`;
  if (issue.inclusive === false) return `must be ${side === 'least' ? 'more' : 'less'} than ${limit}`;
  return `must be at ${side} ${limit}`;
}

/** Returns the sentence for an issue of a schema. It follows a path, for example "must be at least 300; received 3". */
export function wordIssue(issue: Issue): string {
  const { input } = issue;
  const received = typeof input === 'number' ? `; received ${input}` : '';
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return 'is required';
      return `expected ${wanted[issue.expected] ?? issue.expected}, received ${kindOf(input)}`;
    case 'too_small':
      return bound(issue, issue.minimum, 'least') + received;
    case 'too_big':
      return bound(issue, issue.maximum, 'most') + received;
    case 'invalid_value':
      return wordChoice(issue.values.map(String), input);
    default:
      return issue.message;
  }
}

function wordChoice(choices: string[], input: unknown): string {
  if (input === undefined) return `is required: one of ${choices.join(', ')}`;
  const meant = typeof input === 'string' ? closest(input, choices) : null;
  const shown = typeof input === 'string' ? JSON.stringify(input.slice(0, 60)) : kindOf(input);
  return `must be one of ${choices.join(', ')}; received ${shown}${meant === null ? '' : `, did you mean ${meant}?`}`;
}

/** Returns the sentence for a key that the schema does not have. It names the most similar key, if there is one. */
export function wordUnknownKey(schema: z.ZodType, path: Path, key: string): string {
  const meant = closest(key, keysAt(schema, path));
  return meant === null ? 'unknown key' : `unknown key, did you mean ${meant}?`;
}
