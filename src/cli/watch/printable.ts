/** Longest text of others that is printed, characters. */
const MOST_CHARS = 300;

/**
 * Signs that move the cursor, colour a terminal, reorder a line or cannot be seen: controls (C0, DEL, C1), format signs
 * (bidirectional overrides, zero widths), line and paragraph separators, lone surrogates, private and unassigned ones.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Text that transmitters or people chose, safe to print on a terminal: what is not a visible sign becomes `\u{…}`. */
export function printable(text: string): string {
  const cut = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
  return cut.replace(unprintable, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** JSON that is safe to print on a terminal, and still the same JSON. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(unprintable, (sign) =>
    Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}
