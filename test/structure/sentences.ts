const fenced = /```[\s\S]*?```/g;
const indented = /^ {4,}[^\s\-*\d].*$/gm;
const quoted = /``.+?``|`[^`]*`/g;
const link = /\[([^\]]*)\]\([^)]*\)/g;
const abbreviation = /\b(e\.g|i\.e|cf|vs|no|sec|fig|et al)\./gi;
/** A stop before a space, an empty line, a list item, a heading or a table cell ends a sentence. */
const end = /(?<=[.!?:;]["')\]*]*)\s+|\n\s*\n|\n\s*(?=(?:[-*#|]|\d+\.)\s)|\s\|\s?|\n\s*\|/;

/** Sentences of a comment; code in backticks counts as one word, and so does a link by its text. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(quoted, 'X')
    .replace(link, '$1')
    .replace(abbreviation, '$1')
    .split(end)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** Sentences of a Markdown page, without its blocks of code. */
export function sentencesOfPage(page: string): string[] {
  return sentencesOf(page.replace(fenced, '\n\n').replace(indented, ''));
}

/** Number of words of a sentence: signs and figures without a letter are none. */
export function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
}
