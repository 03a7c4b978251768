export type FlatValue = string | number | boolean | null;
export type FlatObject = ReadonlyMap<string, FlatValue>;

const string = String.raw`"((?:[^"\\\u0000-\u001f]|\\.)*)"`;
const number = String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)`;
const blank = String.raw`[ \t]*`;
const member = new RegExp(
  `${blank}${string}${blank}:${blank}(?:${string}|${number}|(true|false|null))${blank}([,}])`,
  'y',
);

/**
 * Parses a text that is exactly one JSON object of plain values. Returns null for any other text, or if a key occurs
 * twice. `JSON.parse` would keep the last of two equal keys: a sender that controls one value could then forge another
 * field.
 */
export function parseFlatObject(text: string): FlatObject | null {
  const body = text.trim();
  if (body[0] !== '{') return null;
  const members = new Map<string, FlatValue>();
  if (/^\{[ \t]*\}$/.test(body)) return members;
  member.lastIndex = 1;
  for (;;) {
    const match = member.exec(body);
    if (match === null) return null;
    const key = unescaped(match[1] ?? '');
    const value = plainValue(match);
    if (key === null || value === undefined || members.has(key)) return null;
    members.set(key, value);
    if (match[5] === '}') return member.lastIndex === body.length ? members : null;
  }
}

function plainValue(match: RegExpExecArray): FlatValue | undefined {
  if (match[2] !== undefined) return unescaped(match[2]) ?? undefined;
  if (match[3] !== undefined) return Number(match[3]);
  return match[4] === 'null' ? null : match[4] === 'true';
}

/** Unescapes a JSON string without its quotes; null if an escape is invalid or half of a surrogate pair. */
function unescaped(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    const text = JSON.parse(`"${raw}"`) as string;
    return text.isWellFormed() ? text : null;
  } catch {
    return null;
  }
}
