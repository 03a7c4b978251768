/** Element to be written. Attributes that are null are omitted. */
export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string | number | null>>;
  children?: readonly (XmlElement | string)[];
};

/** Characters that XML 1.0 does not allow (section 2.2, Char), including halves of surrogate pairs. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // These three are escaped because a parser turns them into spaces inside an attribute.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Removes the characters that XML 1.0 does not allow. */
export function xmlText(text: string): string {
  return text.replace(notXml, '');
}

function escaped(text: string): string {
  return xmlText(text).replace(/[&<>"'\t\n\r]/g, (character) => escapes[character] ?? character);
}

/** Writes an element as well-formed XML 1.0. The caller must supply valid names of elements and attributes. */
export function writeXml({ name, attributes, children = [] }: XmlElement): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) text += ` ${key}="${escaped(String(value))}"`;
  if (children.length === 0) return `${text}/>`;
  text += '>';
  for (const child of children) text += typeof child === 'string' ? escaped(child) : writeXml(child);
  return `${text}</${name}>`;
}
