import { sameJson } from '../model/same_json.ts';

/** The fields of `next` that say something else than the document does. */
export function changedFields<T extends object>(document: T, next: Partial<T>): Partial<T> {
  const changed: Partial<T> = {};
  for (const field in next) if (!sameJson(document[field], next[field])) changed[field] = next[field];
  return changed;
}
