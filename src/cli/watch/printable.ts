/** Limit of a printed text from outside, characters. */
const MOST_CHARS = 300;

/**
 * Characters that move the cursor, colour a terminal, reorder a line or are invisible. These are controls (C0, DEL,
 * C1), format characters (bidirectional overrides, zero widths), line and paragraph separators, lone surrogates, and
 * private or unassigned characters.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Makes a text from outside safe for a terminal: characters that are not visible are written as `\u{…}`. */
export function printable(text: string): string {
  const cut = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
  return cut.replace(unprintable, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** Returns a value as JSON that is safe for a terminal. Invisible characters are written as JSON escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(unprintable, (sign) =>
    Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
