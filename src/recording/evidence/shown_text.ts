/** Longest text of a stranger in a report; more would push everything else off the page. */
const MOST = 200;
/** Characters that show nothing, or turn the text around them about: controls, marks of direction, joiners, lone surrogates. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const marked: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as people can see it: characters that show nothing stand as `[U+202E]`, and a long text is cut. */
export function visible(text: string): string {
  const characters = [...text];
  const cut = characters.length > MOST ? `${characters.slice(0, MOST).join('')}…` : text;
  return cut.replaceAll(
    unseen,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** A text of anybody, for HTML, SVG and XML: in elements and in quoted attributes. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => marked[character] ?? character);
}
