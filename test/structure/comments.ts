/** A comment of a source file: a block, or `//` lines that follow each other. */
export type Comment = {
  line: number;
  /** Text with its line ends, which begin list items. */
  body: string;
  /** Text on one line. */
  text: string;
  /** True for a block of TypeScript that begins with two stars, and for C++ lines with three slashes. */
  isDocstring: boolean;
};

/** Strings are read too, so that a `//` inside them begins no comment. */
const token =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;
const markers = /^\s*(?:\/\*\*?<?|\/\/+|\*\/?)|\*\/\s*$/gm;
const directive = /^(?:biome-ignore|NOLINT|@ts-|#region|c8 )/;

/** Comments of TypeScript or C++, in their order; directives to tools are left out. */
export function commentsOf(source: string): Comment[] {
  return [...source.matchAll(token)].flatMap(({ 0: found, index }) => {
    if (!found.startsWith('/')) return [];
    const body = found.replace(markers, '').trim();
    const text = body.replace(/\s+/g, ' ');
    if (text === '' || directive.test(text)) return [];
    const line = source.slice(0, index).split('\n').length;
    return [{ line, body, text, isDocstring: /^\/(?:\*\*|\/\/)/.test(found) }];
  });
}

const opening =
  /^(?:what|whatever|who|whoever|whom|whose|of|how|where|wherever|so|nobody|none|that|those|which|all (?:that|who)|as (?:many|much|long|far|it|they))\b/i;

/**
 * True of a first sentence that begins with a headless clause ("What is …", "Of those …") in place of the thing. Questions and
 * headings, which end without a stop before a colon, name their subject by their form.
 */
export function isHeadless(text: string): boolean {
  const first = /^.*?(?:[.:!?](?=\s|$)|$)/.exec(text)?.[0] ?? '';
  return opening.test(first) && !first.endsWith('?');
}
