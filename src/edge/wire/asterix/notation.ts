/**
 * Layout of an item in bits:
 *
 * - `value`: one number or text.
 * - `group`: consecutive values.
 * - `extended`: parts that each end with a bit (FX) which announces the next part.
 * - `repeated`: values with a preceding count octet (`count`), or with an FX bit after each value (`fx`).
 * - `compound`: a bit field that shows which of its parts follow.
 * - `explicit`: a length octet, which counts itself, and bytes that are skipped.
 */
export type Layout =
  | Value
  | Group
  | { kind: 'extended'; parts: readonly { parts: readonly Part[]; octets: number }[] }
  | { kind: 'repeated'; by: 'count'; each: Layout }
  | { kind: 'repeated'; by: 'fx'; each: Group }
  | { kind: 'compound'; parts: readonly ({ name: string; layout: Layout } | null)[] }
  | { kind: 'explicit' };

export type Group = { kind: 'group'; parts: readonly Part[]; octets: number };
export type Value = { kind: 'value'; bits: number; scale: number; isSigned: boolean; text: TextKind | null };
/** Coding of a text: six bits a character (ICAO Annex 10), eight bits a character, or octal digits of three bits. */
export type TextKind = 'six_bit' | 'ascii' | 'octal';
/** Value in a group. For spare bits both `value` and `parts` are null. A group inside a group has `parts`. */
export type Part = { name: string; bits: number; value: Value | null; parts: readonly Part[] | null };

/**
 * One edition of a category as text. `uap` lists the items in the order of the bits of the field specification (FSPEC),
 * which shows the items of a record; `-` is an unused bit. The notation of an item:
 *
 * - `NAME:8`: raw bits.
 * - `NAME:u16*0.25FL`, `NAME:i16*0.25FL`: a number, unsigned or signed, with its least significant bit and unit.
 * - `NAME:t48`, `a56`, `o12`: a text of six-bit, ASCII or octal characters.
 * - `.3`: spare bits.
 * - `NAME(…)`: a group; `NAME[… | …]`: extended; `NAME<… - …>`: compound; `=`: explicit.
 * - `NAME{…}`: repeated, with a count before the values; `NAME^{…}`: repeated, with an FX bit after each value.
 *
 * The outermost element of an item has no name.
 */
export type CategoryTable = { uap: string; items: Readonly<Record<string, string>> };

/**
 * Category in a form ready for decoding: the items in the order of the bits of the field specification; null for an
 * unused bit.
 */
export type Category = { readonly items: readonly ({ id: string; layout: Layout } | null)[] };

export function categoryOf({ uap, items }: CategoryTable): Category {
  return {
    items: uap.split(' ').map((id) => {
      const text = items[id];
      return text === undefined ? null : { id, layout: layoutOf(text) };
    }),
  };
}

/**
 * Parses the notation of an item. Throws an Error on invalid text: a program error, since the tables are built in.
 */
export function layoutOf(text: string): Layout {
  const reader = new Notation(text);
  const { layout } = reader.element();
  if (!reader.isAtEnd) throw new Error(`'${text}' goes on after its item`);
  return whole(layout);
}

const textKinds: Readonly<Record<string, TextKind>> = { t: 'six_bit', a: 'ascii', o: 'octal' };

class Notation {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/\^\{|[()[\]{}<>|]|[^\s()[\]{}<>|^]+/g) ?? [];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Parses one item or part; the name is empty if the text has none. */
  element(): { name: string; layout: Layout } {
    const token = this.#next();
    if (isBracket(token)) return { name: '', layout: this.#bracketed(token) };
    if (isBracket(this.#peek()) && !token.includes(':')) return { name: token, layout: this.#bracketed(this.#next()) };
    if (token === '=') return { name: '', layout: { kind: 'explicit' } };
    const [name = '', form = ''] = token.split(':');
    return { name, layout: fieldOf(form) };
  }

  #bracketed(open: string): Layout {
    switch (open) {
      case '(':
        return groupOf(this.#parts(')'));
      case '[':
        return { kind: 'extended', parts: this.#extensions() };
      case '<':
        return { kind: 'compound', parts: this.#compound() };
      default: {
        const { layout: each } = this.element();
        this.#next();
        return open === '{'
          ? { kind: 'repeated', by: 'count', each: whole(each) }
          : { kind: 'repeated', by: 'fx', each: chainedOf(each) };
      }
    }
  }

  #parts(...ends: string[]): Part[] {
    const parts: Part[] = [];
    while (!ends.includes(this.#peek())) parts.push(this.#part());
    this.#next();
    return parts;
  }

  #part(): Part {
    if (this.#peek().startsWith('.'))
      return { name: '', bits: Number(this.#next().slice(1)), value: null, parts: null };
    const { name, layout } = this.element();
    if (layout.kind === 'value') return { name, bits: layout.bits, value: layout, parts: null };
    if (layout.kind !== 'group') throw new Error(`${name} cannot be part of a group: only values and groups can`);
    return { name, bits: bitsOf(layout.parts), value: null, parts: layout.parts };
  }

  /** Parses the parts of an extended item, and adds to each the final bit that announces the next part. */
  #extensions(): Group[] {
    const parts: Group[] = [];
    for (;;) {
      const own = this.#parts('|', ']');
      parts.push(groupOf([...own, { name: '', bits: 1, value: null, parts: null }]));
      whole(parts.at(-1) as Group);
      if (this.#tokens[this.#at - 1] === ']') return parts;
    }
  }

  #compound(): ({ name: string; layout: Layout } | null)[] {
    const parts: ({ name: string; layout: Layout } | null)[] = [];
    while (this.#peek() !== '>') {
      if (this.#peek() === '-') parts.push(null);
      else {
        const { name, layout } = this.element();
        parts.push({ name, layout: whole(layout) });
        continue;
      }
      this.#next();
    }
    this.#next();
    return parts;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('the item ends too early');
    return token;
  }
}

function isBracket(token: string): boolean {
  return ['(', '[', '{', '<', '^{'].includes(token);
}

function fieldOf(form: string): Value {
  const [, kind = '', bits = '', scale] = /^([uitao]?)(\d+)(?:\*([\d.]+(?:e-?\d+)?))?/.exec(form) ?? [];
  if (bits === '') throw new Error(`'${form}' is no value`);
  return {
    kind: 'value',
    bits: Number(bits),
    scale: scale === undefined ? 1 : Number(scale),
    isSigned: kind === 'i',
    text: textKinds[kind] ?? null,
  };
}

function bitsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { bits }) => sum + bits, 0);
}

function groupOf(parts: readonly Part[]): Group {
  return { kind: 'group', parts, octets: bitsOf(parts) / 8 };
}

/**
 * Returns a value or group as a group that ends with an FX bit, which announces the next repetition. A single value
 * becomes a part with an empty name.
 */
function chainedOf(each: Layout): Group {
  if (each.kind !== 'value' && each.kind !== 'group')
    throw new Error(`a layout of the kind ${each.kind} cannot be repeated by an FX bit; only a value or a group can`);
  const parts = each.kind === 'group' ? each.parts : [{ name: '', bits: each.bits, value: each, parts: null }];
  return whole(groupOf([...parts, { name: '', bits: 1, value: null, parts: null }]));
}

/**
 * Returns the layout unchanged. Throws if it is a value or group that does not fill whole octets. Values and groups
 * inside a group are not checked.
 */
function whole<L extends Layout>(layout: L): L {
  const octets = layout.kind === 'group' ? layout.octets : layout.kind === 'value' ? layout.bits / 8 : 1;
  if (!Number.isInteger(octets)) throw new Error(`an item of ${octets * 8} bits fills no whole octets`);
  return layout;
}
