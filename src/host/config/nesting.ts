/** Limit of open brackets, or of items that begin in one line. No hand-written document reaches it. */
export const MOST_LEVELS = 32;
/** Limit of indentation, columns. No hand-written document reaches it. */
export const MOST_COLUMNS = 200;
/** Limit of the YAML marks in a text. The parser takes about 10 µs for each mark. */
const MOST_MARKS = 16_000;

/**
 * Returns the number of the first line in which YAML text is nested too deeply; null if there is none. The YAML parser
 * recurses and backtracks, so such text would take too long. Brackets in strings and comments count too, because this
 * check does not parse.
 */
export function deepLine(text: string): number | null {
  const levels = { open: 0 };
  let line = 1;
  for (let from = 0; from <= text.length; line++) {
    const end = text.indexOf('\n', from);
    const until = end < 0 ? text.length : end;
    if (isDeep(text, from, until, levels)) return line;
    from = until + 1;
  }
  return null;
}

function isDeep(text: string, from: number, until: number, levels: { open: number }): boolean {
  let begun = 0;
  let blank = true;
  for (let at = from; at < until; at++) {
    const char = text[at];
    if (char === '[' || char === '{') {
      if (++levels.open > MOST_LEVELS) return true;
    } else if (char === ']' || char === '}') levels.open = Math.max(0, levels.open - 1);
    else if ((char === '-' || char === '?' || char === ':') && isSpace(text[at + 1])) {
      if (++begun > MOST_LEVELS) return true;
    }
    if (blank && !isSpace(char)) {
      if (at - from > MOST_COLUMNS) return true;
      blank = false;
    }
  }
  return false;
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

/** Returns true if the text has so many YAML marks that parsing would take too long. */
export function isDense(text: string): boolean {
  let marks = 0;
  for (let at = 0; at < text.length; at++) if (isMark.has(text.charCodeAt(at)) && ++marks > MOST_MARKS) return true;
  return false;
}

const isMark = new Set([...'\n,[{&!"\'*%|:#-'].map((mark) => mark.charCodeAt(0)));
