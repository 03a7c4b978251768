import type { Picture } from '../model/picture.ts';

/**
 * Lists with up to thousands of rows. A changed row is replaced by a new object and never mutated, so the JSON of each
 * row object can be cached.
 */
const keptLists: ReadonlySet<string> = new Set(['assets', 'assignments', 'zones', 'regions']);
const texts = new WeakMap<object, string>();

/** Serialises a picture as JSON, in the order of its fields. The text of unchanged rows is reused for all pictures. */
export function pictureText(picture: Picture): string {
  const fields = Object.entries(picture).map(([field, value]) => {
    const text = keptLists.has(field) && Array.isArray(value) ? listText(value) : JSON.stringify(value);
    return `${JSON.stringify(field)}:${text}`;
  });
  return `{${fields.join(',')}}`;
}

function listText(rows: readonly object[]): string {
  let text = '';
  for (const row of rows) text += (text === '' ? '[' : ',') + rowText(row);
  return text === '' ? '[]' : `${text}]`;
}

function rowText(row: object): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(row);
  texts.set(row, text);
  return text;
}
