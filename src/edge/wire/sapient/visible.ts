const hidden = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * Returns a text of a node on one line of at most `most` characters, without invisible characters; empty if
 * nothing remains.
 */
export function visible(text: string | undefined, most: number): string {
  return (text ?? '')
    .slice(0, 4 * most)
    .replace(hidden, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim();
}
