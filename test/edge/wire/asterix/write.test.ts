import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { createAsterixCodec } from '../../../../src/edge/wire/asterix/codec.ts';
import {
  categoryOf,
  type Group,
  type Layout,
  type Part,
  type Value,
} from '../../../../src/edge/wire/asterix/notation.ts';
import {
  type Decoded,
  type DecodedParts,
  type DecodedRecord,
  readRecord,
} from '../../../../src/edge/wire/asterix/read_item.ts';
import { cat021 } from '../../../../src/edge/wire/asterix/tables/cat021.ts';
import { cat023 } from '../../../../src/edge/wire/asterix/tables/cat023.ts';
import { cat034 } from '../../../../src/edge/wire/asterix/tables/cat034.ts';
import { cat048 } from '../../../../src/edge/wire/asterix/tables/cat048.ts';
import { cat062 } from '../../../../src/edge/wire/asterix/tables/cat062.ts';
import { cat063 } from '../../../../src/edge/wire/asterix/tables/cat063.ts';
import { cat065 } from '../../../../src/edge/wire/asterix/tables/cat065.ts';
import { joinedBlocks, writeBlock } from '../../../../src/edge/wire/asterix/write_block.ts';
import { writeRecord } from '../../../../src/edge/wire/asterix/write_item.ts';
import { endBlock, type SentTrack, statusBlock, trackBlock } from '../../../../src/edge/wire/asterix/write_track.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed } from '../../../support/links/line_feeding.ts';

const tables = { cat021, cat023, cat034, cat048, cat062, cat063, cat065 };

/** Values that an item can hold, as its reader gives them. Undefined for those that are not written. */
function valuesOf(layout: Layout): fc.Arbitrary<Decoded> | undefined {
  switch (layout.kind) {
    case 'value':
      return numbersOf(layout);
    case 'group':
      return partsOf(layout.parts);
    case 'extended': {
      const whole = layout.parts.map(({ parts }) => partsOf(parts));
      if (!whole.every((part) => part !== undefined)) return undefined;
      return fc
        .tuple(fc.integer({ min: 1, max: whole.length }), ...whole)
        .map(([most, ...parts]) => Object.assign({}, ...parts.slice(0, most)));
    }
    case 'repeated': {
      if (layout.by === 'fx') return chainsOf(layout.each);
      const each = valuesOf(layout.each);
      return each && fc.array(each, { maxLength: 5 });
    }
    case 'compound':
      return someOf(layout.parts);
    default:
      return undefined;
  }
}

/** Lists of a value alone, which has no name, or of groups. */
function chainsOf({ parts }: Group): fc.Arbitrary<Decoded> | undefined {
  const [first] = parts;
  const each = first?.name === '' && first.value ? numbersOf(first.value) : partsOf(parts);
  return each && fc.array(each, { minLength: 1, maxLength: 5 });
}

function numbersOf({ bits, scale, isSigned, text }: Value): fc.Arbitrary<Decoded> | undefined {
  if (text === 'octal')
    return fc
      .array(fc.integer({ min: 0, max: 7 }), { minLength: bits / 3, maxLength: bits / 3 })
      .map((all) => all.join(''));
  if (text !== null) {
    const length = bits / (text === 'ascii' ? 8 : 6);
    const unit = fc.constantFrom(...'ABCXYZ0189 ');
    return fc.string({ unit, minLength: length, maxLength: length });
  }
  if (bits > 48) return undefined;
  const [min, max] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return fc.maxSafeInteger().map((any) => ((Math.abs(any) % (max - min + 1)) + min) * scale + 0);
}

function partsOf(parts: readonly Part[]): fc.Arbitrary<Decoded> | undefined {
  const named: Record<string, fc.Arbitrary<Decoded>> = {};
  for (const { name, value, parts: inner } of parts) {
    if (!value && !inner) continue;
    const values = value ? numbersOf(value) : partsOf(inner ?? []);
    if (values === undefined) return undefined;
    named[name] = values;
  }
  return fc.record(named, { noNullPrototype: true });
}

function someOf(fields: readonly ({ name: string; layout: Layout } | null)[]): fc.Arbitrary<DecodedParts> {
  const named: Record<string, fc.Arbitrary<Decoded>> = {};
  for (const field of fields) {
    const values = field ? valuesOf(field.layout) : undefined;
    if (field && values) named[field.name] = values;
  }
  return fc
    .record(named, { requiredKeys: [], noNullPrototype: true })
    .map((record) => record as DecodedParts)
    .filter((record) => Object.keys(record).length > 0);
}

for (const [name, table] of Object.entries(tables))
  t.test(`every record of ${name} is read as it was written`, async (t) => {
    const category = categoryOf(table);
    const records = someOf(category.items.map((item) => (item ? { name: item.id, layout: item.layout } : null)));
    fc.assert(
      fc.property(records, (record) => {
        const bytes = writeRecord(category, record);
        const read = readRecord(category, bytes, 0, bytes.length);
        deepEqual(read, { record, next: bytes.length });
      }),
      { seed: seedOf(t), numRuns: sized(150) },
    );
  });

t.test(
  'a value beyond the range of its item goes to the end of the range, and others to the nearest step',
  async (t) => {
    const category = categoryOf(cat062);
    const written = (record: DecodedRecord): DecodedRecord | undefined => {
      const bytes = writeRecord(category, record);
      return readRecord(category, bytes, 0, bytes.length)?.record;
    };
    t.same(written({ '290': { TRK: 900 }, '185': { VX: -9_999, VY: 1.13 } }), {
      ...{ '185': { VX: -8_192, VY: 1.25 }, '290': { TRK: 63.75 } },
    });
    t.same(written({ '245': { STI: 1, CHR: 'é-12345678' } }), { '245': { STI: 1, CHR: '  123456' } });
  },
);

t.test('a record that its category does not have is no record', async (t) => {
  const category = categoryOf(cat065);
  t.throws(() => writeRecord(category, { '999': 1 }), /no item 999/);
  t.throws(() => writeRecord(category, { '040': { NOPE: 1 } }), /no item NOPE/);
  t.throws(() => writeRecord(category, { '010': 5 }), /several parts/);
  t.throws(() => writeRecord(category, { SP: null }), /explicit/);
});

const track: SentTrack = {
  ...{ track: 42, utcMs: Date.UTC(2026, 2, 4, 12, 0, 0, 500), latDeg: 47.2, lonDeg: -180, altHaeM: 609.6 },
  ...{ eastMps: -12, northMps: 0.5, climbMps: -2, sigmaEastM: 5, sigmaNorthM: 3, sigmaVM: 9.525, ageS: 12 },
  ...{ isMonosensor: true, isTentative: false, isSimulated: false, isDoubtful: false, isCoasting: false },
  ...{ heightFrom: 'gnss', ident: { text: 'T0042', isReceived: false } },
};
const source = { sac: 204, sic: 50 };

t.test('the bytes of a track, of its end and of a status are those of the specification', async (t) => {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const written = [
    // CAT 062, 47 bytes; 010, 015, 070 (12:00:00.5), 105, 185 in steps of 0.25 m/s.
    ...['3e002f', 'bb2f1504', 'cc32', '01', '546040', '008641fe', 'fe000000', 'ffd0', '0002'],
    // 245 (STI 1, six bits a character), 040, 080 (MON, MRH, SRC 1), 290 TRK in steps of 0.25 s.
    ...['40', '530c34ca0820', '002a', 'a4', '8030'],
    // 130 (2 000 ft) and 220 (394 ft/min) in steps of 6.25, 500 APC in steps of 0.5 m, AGA of 6.25 ft.
    ...['0140', 'ffc1', '90', '000a', '0006', '05'],
  ];
  t.equal(hex(trackBlock(source, track)), written.join(''));
  // 010, 015, 070, 040, and 080 with its second octet for TSE.
  t.equal(hex(endBlock(source, 42, track.utcMs)), ['3e000f', 'b10c', 'cc32', '01', '546040', '002a', '0140'].join(''));
  // 010, 000, 015, 030, 040.
  t.equal(hex(statusBlock(source, track.utcMs)), ['41000c', 'f4', 'cc32', '01', '01', '546040', '00'].join(''));
});

t.test('the decoder of links reads the tracks of the encoder', async (t) => {
  const blocks = [track, { ...track, track: 4_000, lonDeg: 180, isCoasting: true, altHaeM: null, isDoubtful: true }];
  const written = joinedBlocks([...blocks.map((one) => trackBlock(source, one)), endBlock(source, 42, 0)], 1_400);
  t.equal(written.length, 1);
  const { messages, rejects } = feed(createAsterixCodec({ datagrams: true }), Buffer.concat(written));
  t.match(messages, [
    {
      ...{ kind: 'system_track', source: '204/50', track: 42, timeOfDayS: 43_200.5, lonDeg: -180, eastMps: -12 },
      ...{ northMps: 0.5, altHaeM: 609.6, sigmaXM: 5, sigmaYM: 3, isConfirmed: true, isCoasting: false, isLast: false },
      ...{ callsign: 'T0042', icao24: null },
    },
    { track: 4_000, lonDeg: -180, isCoasting: true, altHaeM: null, sigmaVM: null },
    { track: 42, isLast: true, latDeg: null },
  ]);
  t.ok(Object.values(rejects).every((count) => count === 0));
});

t.test('blocks of one category are joined in their order, up to the limit, and no record is lost or cut', async (t) => {
  const block = fc.tuple(fc.constantFrom(62, 65), fc.uint8Array({ minLength: 1, maxLength: 90 }));
  fc.assert(
    fc.property(fc.array(block, { maxLength: 60 }), fc.integer({ min: 20, max: 300 }), (blocks, most) => {
      const joined = joinedBlocks(
        blocks.map(([category, record]) => writeBlock(category, record)),
        most,
      );
      let left = [...blocks];
      for (const one of joined) {
        t.equal(Buffer.from(one).readUInt16BE(1), one.length);
        let at = 3;
        for (let n = 0; at < one.length; n++) {
          const [category, record] = left[0] ?? [0, new Uint8Array()];
          left = left.slice(1);
          t.equal(one[0], category);
          t.same(one.subarray(at, at + record.length), record);
          at += record.length;
          t.ok(n === 0 || at <= most);
        }
      }
      t.equal(left.length, 0);
      return t.passing();
    }),
    { seed: seedOf(t), numRuns: sized(50) },
  );
});
