import type { Random } from './random.ts';

export type Mutator = {
  /** A damaged copy of one or more of the given lines, or noise. */
  mutate(lines: readonly Buffer[]): Buffer;
  /** Where to cut an input of this length, rising. */
  cuts(length: number): number[];
  /** True once in so many times. */
  isOneIn(n: number): boolean;
};

/** Pieces that have meaning in one of the formats. */
const tokens = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '$',
    '*',
    '~',
    '-',
    '.',
    'e9',
    '\r\n',
    '\n',
    '\0',
    ' ',
    '\t',
    '\xff',
    '\xb5b',
    '\u0000',
  ],
  ...[
    '"mac":',
    '"basic_id":"',
    '"node_id":"x"',
    ',"drone_lat":1',
    'null',
    'NaN',
    '-1000',
    '1e999',
    '99999999999999999999',
    'MSG,',
  ],
  ...['$GPGGA,', '__proto__', '{"a":{"a":', '"]}', '\\u0000', '\\ud800', '180.0000001', '-90.5'],
].map((token) => Buffer.from(token, 'latin1'));

export function createMutator(random: Random): Mutator {
  const pick = <T>(from: readonly T[], otherwise: T): T => from[random.below(from.length)] ?? otherwise;
  const nothing = Buffer.alloc(0);
  const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)));
  const splice = (bytes: Buffer, at: number, removed: number, added: Buffer): Buffer =>
    Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

  const damages: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => splice(bytes, random.below(bytes.length + 1), random.below(4), pick(tokens, nothing)),
    (bytes) => splice(bytes, random.below(bytes.length + 1), 1, noise(1)),
    (bytes) => splice(bytes, random.below(bytes.length + 1), random.below(bytes.length + 1), nothing),
    (bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
    (bytes) => splice(bytes, random.below(bytes.length + 1), 0, noise(random.below(20))),
    // A piece said twice: keys, fields and whole sentences in places where they do not belong.
    (bytes) => {
      const from = random.below(bytes.length + 1);
      return splice(bytes, random.below(bytes.length + 1), 0, bytes.subarray(from, from + random.below(60)));
    },
    // A digit for a digit, so that lines stay well formed and their numbers go out of range.
    (bytes) => {
      const copy = Buffer.from(bytes);
      for (let i = 0; i < copy.length; i++) {
        if ((copy[i] ?? 0) >= 0x30 && (copy[i] ?? 0) <= 0x39 && random.below(8) === 0)
          copy[i] = 0x30 + random.below(10);
      }
      return copy;
    },
  ];

  return {
    isOneIn: (n) => random.below(n) === 0,
    mutate(lines) {
      const kind = random.below(1000);
      // Now and then a line longer than any limit, of one byte or of many.
      if (kind === 0) return Buffer.alloc(3_000 + random.below(70_000), pick(tokens, nothing));
      if (kind < 50) return noise(random.below(200));
      let bytes = pick(lines, nothing);
      if (random.below(4) === 0) bytes = Buffer.concat([bytes, Buffer.from('\r\n'), pick(lines, nothing)]);
      for (let count = random.below(4); count > 0; count--) bytes = pick(damages, (same: Buffer) => same)(bytes);
      return bytes;
    },
    cuts(length) {
      return Array.from({ length: random.below(5) }, () => random.below(length + 1)).sort((a, b) => a - b);
    },
  };
}
