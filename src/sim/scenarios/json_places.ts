import type { Place } from '../../host/config/document.ts';
import type { Path } from './fault.ts';

/** Offset of a value in a JSON text, with the values that it contains and the offsets of its keys. */
type Spot = { at: number; entries: Map<string, Spot> | null; keys: Map<string, number> | null };

/** Finds lines and columns of values and keys in a JSON text. `twice` contains the places of duplicate keys. */
export type JsonPlaces = {
  placeOf(path: Path): Place;
  placeOfKey(path: Path, key: string): Place;
  twice: readonly Place[];
};

/** Indexes a text that `JSON.parse` has accepted, down to `depth` levels of nesting. */
export function jsonPlaces(text: string, depth: number): JsonPlaces {
  const walker = new Walker(text);
  const root = walker.value(depth);
  const lines = lineStarts(text);
  const find = (path: Path): Spot => {
    let spot = root;
    for (const key of path) {
      const next = spot.entries?.get(String(key));
      if (next === undefined) break;
      spot = next;
    }
    return spot;
  };
  return {
    placeOf: (path) => placeAt(lines, find(path).at),
    placeOfKey(path, key) {
      const around = find(path);
      return placeAt(lines, around.keys?.get(key) ?? around.at);
    },
    twice: walker.twice.map((at) => placeAt(lines, at)),
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeAt(lines: readonly number[], at: number): Place {
  let [low, high] = [0, lines.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: at - (lines[low] ?? 0) + 1 };
}

/**
 * Highest character code of white space. Between JSON values, every character with this code or a lower one is white
 * space.
 */
const SPACE = 0x20;
const string = /"(?:[^"\\]|\\.)*"/y;
const plain = /[^\s,\]}]+/y;

function textOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

class Walker {
  readonly twice: number[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Spot {
    this.#next();
    const spot: Spot = { at: this.#at, entries: null, keys: null };
    const first = this.#text[this.#at];
    if ((first === '{' || first === '[') && depth >= 0) this.#inside(spot, first === '{', depth - 1);
    else if (first === '"') this.#take(string);
    else this.#take(plain);
    return spot;
  }

  #inside(spot: Spot, isMap: boolean, depth: number): void {
    const entries = new Map<string, Spot>();
    const keys = isMap ? new Map<string, number>() : null;
    Object.assign(spot, { entries, keys });
    this.#at++;
    for (let index = 0; this.#next() !== (isMap ? '}' : ']'); index++) {
      let key = String(index);
      if (keys) {
        const keyAt = this.#at;
        key = textOf(this.#take(string));
        if (keys.has(key)) this.twice.push(keyAt);
        keys.set(key, keyAt);
        this.#next();
        this.#at++;
      }
      entries.set(key, this.value(depth));
      if (this.#next() === ',') this.#at++;
    }
    this.#at++;
  }

  /** Skips white space and returns the next character. */
  #next(): string | undefined {
    while (this.#text.charCodeAt(this.#at) <= SPACE) this.#at++;
    return this.#text[this.#at];
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ''] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }
}
