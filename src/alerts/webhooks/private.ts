/** Fields with the position or identity of a pilot, at any depth of a document. */
const privateFields: ReadonlySet<string> = new Set(['operator', 'operator_id', 'operator_position', 'takeoff']);
const DEEP = 16;

/**
 * Returns a copy of a document in which all private fields are null. Parts nested deeper than `DEEP` levels are null
 * too.
 */
export function withoutPrivate(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEP) return null;
  if (Array.isArray(value)) return value.map((one) => withoutPrivate(one, depth + 1));
  // An identity of the type `operator_id` names the pilot too.
  if ('type' in value && value.type === 'operator_id' && 'value' in value) return { ...value, value: null };
  return Object.fromEntries(
    Object.entries(value).map(([field, held]) => [
      field,
      privateFields.has(field) ? null : withoutPrivate(held, depth + 1),
    ]),
  );
}
