import { z } from 'zod';
import { notFound } from '../../model/fault.ts';
import type { Answer } from '../route.ts';

/** Describes the answer of a list without pages. */
export function listOf(text: string, row: z.ZodType, sample: unknown): Answer {
  const example = typeof sample === 'function' ? () => [sample()] : [sample];
  return { text, data: z.array(row), example };
}

/** Describes the answer of a list that is read page by page. */
export function pageOf(text: string, row: z.ZodType, sample: unknown): Answer {
  return { ...listOf(text, row, sample), paged: true };
}

/** Describes the constant answer `{[word]: true}`. `id` names its schema. */
export function done(word: string, id: string): Answer {
  const fixed = { [word]: true };
  return { text: 'done', data: z.strictObject({ [word]: z.literal(true) }).meta({ id }), example: fixed, fixed };
}

/** Answer of a DELETE that deleted its object. */
export const deleted = done('deleted', 'Deleted');

/** Returns the document with this id; throws `not_found` if there is none. */
export function found<T extends object>(row: T | null | undefined, what: string, id: string, where = ''): T {
  if (!row) throw notFound(`there is no ${what} with the id ${id}${where}`);
  return row;
}
