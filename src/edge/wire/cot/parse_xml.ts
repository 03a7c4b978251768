import { type SaxesAttributePlain, SaxesParser } from 'saxes';

/** Limits of one document. The caller limits its length, to 64 KiB. */
const MOST_LEVELS = 32;
const MOST_ATTRIBUTES = 64;

/** Parsed element. Attributes are in a Map, where hostile names such as `__proto__` are harmless keys. */
export type ReadElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly ReadElement[];
  /** Character data of the element, without the character data of its children. */
  text: string;
};

type Growing = ReadElement & { children: ReadElement[] };

class Refused extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an XML 1.0 document and returns its root element; null if it is not well-formed or exceeds a limit. Also null
 * for document types, which could define entities, and for bytes that are not UTF-8.
 */
export function parseXml(bytes: Uint8Array): ReadElement | null {
  try {
    return parseText(utf8.decode(bytes));
  } catch {
    // TextDecoder throws on bytes that are not UTF-8. saxes can only be stopped by an error thrown from a handler.
    return null;
  }
}

/** Parses a text as `parseXml` does, but throws if the document is refused. */
function parseText(text: string): ReadElement | null {
  const parser = new SaxesParser({});
  const open: Growing[] = [];
  let root: Growing | null = null;
  let attributes = new Map<string, string>();
  const refuse = (): never => {
    throw new Refused();
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentagstart', ({ name }) => {
    if (open.length >= MOST_LEVELS) refuse();
    attributes = new Map();
    const element: Growing = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('attribute', ({ name, value }: SaxesAttributePlain) => {
    if (attributes.size >= MOST_ATTRIBUTES) refuse();
    attributes.set(name, value);
  });
  const take = (characters: string): void => {
    const element = open.at(-1);
    if (element) element.text += characters;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return root;
}
