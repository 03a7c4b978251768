import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { sentenceOf } from '../../model/fault.ts';

export type Path = readonly PropertyKey[];
/** Line and column in a file, both counted from 1. */
export type Place = { line: number; column: number };
export type Found = { place: Place; sentence: string };

/** A YAML text as plain values, with functions that return line and column of a path. */
export type ConfigDocument = {
  value: unknown;
  errors: Found[];
  warnings: Found[];
  /**
   * Returns the place of the value at `path`; if it does not exist, the place of the innermost existing value around
   * it.
   */
  placeOf(path: Path): Place;
  /** Returns the place of the key `key` in the mapping at `path`. */
  placeOfKey(path: Path, key: string): Place;
};

const MAX_CHARACTERS = 1_048_576;
/** Sentences for operators, by error code of the parser. They replace the parser's sentences for programmers. */
const wordings: Record<string, string> = { MULTIPLE_DOCS: 'the file contains a second document; only one is allowed' };

const start: Place = { line: 1, column: 1 };

type ReadingOptions = {
  /** If true, keys without a value are kept as null. By default such keys count as absent. */
  keepEmpty?: boolean;
  /** If true, anchors, tags and directives are refused, so that the document has only values that JSON has too. */
  plain?: boolean;
};

/** Reads a YAML text. Never throws: faults of the text are in `errors`. */
export function readDocument(text: string, options: ReadingOptions = {}): ConfigDocument {
  if (text.length > MAX_CHARACTERS) return broken('is longer than the limit of 1 MiB');
  try {
    return parse(text, options);
  } catch (thrown) {
    // The parser recurses, so a text nested thousands of levels deep causes a RangeError.
    return broken(`cannot be read as YAML: ${sentenceOf(thrown)}`);
  }
}

function broken(sentence: string): ConfigDocument {
  return {
    value: null,
    errors: [{ place: start, sentence }],
    warnings: [],
    placeOf: () => start,
    placeOfKey: () => start,
  };
}

function parse(text: string, { keepEmpty = false, plain = false }: ReadingOptions): ConfigDocument {
  const lines = new LineCounter();
  // The parser's own check for unique keys compares all pairs of keys: thousands of keys would take minutes.
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const place = (offset: number | undefined): Place => {
    if (offset === undefined) return start;
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const errors = doc.errors.map((error) => ({
    place: place(error.pos[0]),
    sentence: wordings[error.code] ?? tidy(error.message),
  }));
  const warnings = doc.warnings.map((warning) => ({ place: place(warning.pos[0]), sentence: tidy(warning.message) }));
  visit(doc, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) errors.push({ place: place(key.range?.[0]), sentence: 'map keys must be unique' });
        seen.add(key.value);
      }
    },
    Scalar(_, { value, range }) {
      if (typeof value !== 'string' || value.isWellFormed()) return;
      errors.push({
        place: place(range?.[0]),
        sentence: 'the text contains half of a surrogate pair, which is not a valid character',
      });
    },
    Pair(_, pair) {
      if (isScalar(pair.key)) return;
      const range = isNode(pair.key) ? pair.key.range : undefined;
      errors.push({ place: place(range?.[0]), sentence: 'a key must be a single word, not a list or a mapping' });
    },
    Alias(_, alias) {
      // Aliases can refer to themselves or expand to a billion values, and no configuration needs them.
      errors.push({
        place: place(alias.range?.[0]),
        sentence: `the alias *${alias.source} is not allowed: write the value here instead`,
      });
    },
  });
  if (plain) {
    if (doc.directives?.yaml.explicit) errors.push({ place: start, sentence: 'a directive (%) is not allowed' });
    visit(doc, {
      Value(_, { anchor, tag, range }) {
        const sentence =
          anchor === undefined ? `the tag ${tag} is not allowed` : `the anchor &${anchor} is not allowed`;
        if (anchor !== undefined || tag !== undefined) errors.push({ place: place(range?.[0]), sentence });
      },
    });
  }
  const root = doc.contents;
  return {
    value: errors.length > 0 ? null : keepEmpty ? doc.toJS() : withoutEmpty(doc.toJS()),
    errors,
    warnings,
    placeOf: (path) => place(nodeAt(root, path)?.range?.[0]),
    placeOfKey(path, key) {
      const around = nodeAt(root, path);
      const pair = isMap(around) ? pairOf(around, key) : undefined;
      return place(((pair?.key as Node | undefined) ?? around)?.range?.[0]);
    },
  };
}

/** Adapts a sentence of the parser to follow a path: one line, without a capital letter at the beginning. */
function tidy(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.charAt(0).toLowerCase() + line.slice(1);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => (isScalar(pair.key) ? String(pair.key.value) : null) === key);
}

function nodeAt(root: Node | null, path: Path): Node | null {
  let node = root;
  for (const key of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = pairOf(node, String(key));
      next = pair?.value ?? pair?.key;
    } else if (isSeq(node)) {
      next = node.items[Number(key)];
    }
    if (next === undefined || next === null) break;
    node = next as Node;
  }
  return node;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null && child !== undefined);
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutEmpty(child)]));
}
