/** An element that was read; attributes and text with their references resolved. */
export type Read = { name: string; attributes: Record<string, string>; children: Read[]; text: string };

const nameForm = /^[A-Za-z_][\w.-]*/;
const attributeForm = /^[ \t\r\n]+([A-Za-z_][\w.-]*)="([^"<]*)"/;
const legal = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads one XML 1.0 document strictly: a head, one element, nothing else. Comments, sections and document types are
 * refused, since no event has any. Throws where the text is not well-formed.
 */
export function readXml(text: string): Read {
  if (!legal.test(text) || !text.isWellFormed()) throw new Error('a character that XML 1.0 does not have');
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(head)) throw new Error(`no head: ${text.slice(0, 60)}`);
  const { element, rest } = readElement(text.slice(head.length));
  if (rest !== '') throw new Error(`something follows the document: ${rest.slice(0, 60)}`);
  return element;
}

function readElement(from: string): { element: Read; rest: string } {
  const name = from.startsWith('<') ? nameForm.exec(from.slice(1))?.[0] : undefined;
  if (name === undefined) throw new Error(`no element: ${from.slice(0, 60)}`);
  const element: Read = { name, attributes: {}, children: [], text: '' };
  let rest = from.slice(1 + name.length);
  for (let found = attributeForm.exec(rest); found !== null; found = attributeForm.exec(rest)) {
    const [whole, key = '', value = ''] = found;
    if (Object.hasOwn(element.attributes, key)) throw new Error(`the attribute ${key} is there twice`);
    element.attributes[key] = resolved(value);
    rest = rest.slice(whole.length);
  }
  if (rest.startsWith('/>')) return { element, rest: rest.slice(2) };
  if (!rest.startsWith('>')) throw new Error(`${name} is not closed: ${rest.slice(0, 60)}`);
  rest = rest.slice(1);
  while (!rest.startsWith('</')) {
    const next = rest.indexOf('<');
    if (next < 0) throw new Error(`${name} has no end`);
    if (next > 0) {
      element.text += resolved(rest.slice(0, next));
      rest = rest.slice(next);
    } else {
      const child = readElement(rest);
      element.children.push(child.element);
      rest = child.rest;
    }
  }
  const end = `</${name}>`;
  if (!rest.startsWith(end)) throw new Error(`${name} is not ended: ${rest.slice(0, 60)}`);
  return { element, rest: rest.slice(end.length) };
}

function resolved(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`an unknown reference: ${text.slice(0, 60)}`);
  return text.replace(/&(\w+|#\d+);/g, (_, of: string) =>
    of.startsWith('#') ? String.fromCodePoint(Number(of.slice(1))) : (named[of] ?? ''),
  );
}
