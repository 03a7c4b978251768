/** Fields that say where a pilot stands and what he is called, wherever they stand in what is sent. */
const privateFields: ReadonlySet<string> = new Set(['operator', 'operator_id', 'operator_position', 'takeoff']);
const DEEP = 16;

/** A copy in which each of them is null, as if nobody had heard it. */
export function withoutPrivate(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEP) return null;
  if (Array.isArray(value)) return value.map((one) => withoutPrivate(one, depth + 1));
  // What Remote ID calls an operator id is told as an identity, too.
  if ('type' in value && value.type === 'operator_id' && 'value' in value) return { ...value, value: null };
  return Object.fromEntries(
    Object.entries(value).map(([field, held]) => [
      field,
      privateFields.has(field) ? null : withoutPrivate(held, depth + 1),
    ]),
  );
}
