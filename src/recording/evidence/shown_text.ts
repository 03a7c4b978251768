/**
 * Limit of the characters of a text of unknown origin in a report. A longer text would displace the rest of the page.
 */
const MOST = 200;
/**
 * Characters that are invisible or change the direction of the text around them: controls, direction marks, joiners,
 * line separators, unpaired surrogates, and private or unassigned characters.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const marked: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Replaces invisible characters by their code, for example `[U+202E]`, and cuts a long text. */
export function visible(text: string): string {
  const characters = [...text];
  const cut = characters.length > MOST ? `${characters.slice(0, MOST).join('')}…` : text;
  return cut.replaceAll(
    unseen,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Escapes a text of unknown origin for elements and quoted attributes of HTML, SVG and XML. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => marked[character] ?? character);
}
