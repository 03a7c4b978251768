const hidden = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/** A text of a node on one line, without characters that cannot be seen; the empty text where nothing is left. */
export function visible(text: string | undefined, most: number): string {
  return (text ?? '')
    .slice(0, 4 * most)
    .replace(hidden, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim();
}
