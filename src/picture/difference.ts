/** The fields of `next` that say something else than the document does. */
export function changedFields<T extends object>(document: T, next: Partial<T>): Partial<T> {
  const changed = Object.entries(next).filter(([field, value]) => !sameJson(document[field as keyof T], value));
  return Object.fromEntries(changed) as Partial<T>;
}

/** Whether two values are the same on the wire. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
