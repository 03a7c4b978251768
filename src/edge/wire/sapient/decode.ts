import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { type Field, layouts, type MessageName, type SapientPart } from './schema.ts';
import { visible } from './visible.ts';

/** Fault of a message: the path of the field, and what is wrong with the field. */
export class SapientFault extends Error {}

/** Greatest depth and number of values of a message. Real messages have ten levels and some hundred values. */
const MOST_LEVELS = 24;
const MOST_VALUES = 20_000;
/** Greatest number of characters of a wrong text that a fault quotes. */
const MOST_QUOTED = 40;

const ulidForm = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Form of a UUID v4 in lower case, which BSI Flex 335 requires. */
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Range of a protobuf timestamp, s: the years 1 to 9999. */
const LEAST_TIME_S = -62_135_596_800;
const MOST_TIME_S = 253_402_300_799;

type Values = Record<string, unknown>;
type Path = { parent: Path; name: string } | null;

/**
 * Decodes a message and checks mandatory fields, ids, enumerations and oneofs. Unknown fields are skipped. Throws a
 * SapientFault with the first fault.
 */
export function decodeSapient(bytes: Uint8Array): SapientPart<'SapientMessage'> {
  try {
    return new Decoder(bytes).message('SapientMessage', bytes.length, null, 0) as SapientPart<'SapientMessage'>;
  } catch (thrown) {
    if (thrown instanceof SapientFault) throw thrown;
    throw new SapientFault('the bytes are not a protobuf message');
  }
}

class Decoder {
  readonly #reader: BinaryReader;
  #left = MOST_VALUES;

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes);
  }

  message(name: MessageName, end: number, path: Path, level: number): Values {
    if (level > MOST_LEVELS) throw fault(path, `the message has more than ${MOST_LEVELS} levels`);
    const reader = this.#reader;
    const { byNumber, fields, oneofs } = layouts[name];
    const values: Values = {};
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = byNumber.get(number);
      if (field === undefined || !this.#takes(field, wireType)) reader.skip(wireType, number);
      else this.#read(field, wireType, values, path, level);
      if (reader.pos > end) throw fault(path, 'a value goes beyond the end of its message');
    }
    for (const field of fields) if (field.isMandatory) checkPresent(field, values, path);
    for (const oneof of oneofs) {
      if (!fields.some((field) => field.oneof === oneof && values[field.name] !== undefined))
        throw fault(path, `one field of ${oneof} is mandatory and missing`);
    }
    if (name === 'Timestamp') checkTime(values, path);
    return values;
  }

  /**
   * True if the wire type fits the field: the type of its kind, or, for a repeated field, the type of packed values.
   * Protobuf treats a field with another wire type as unknown.
   */
  #takes({ kind, isRepeated }: Field, wireType: WireType): boolean {
    const own = wireTypeOf(kind);
    return wireType === own || (isRepeated && wireType === WireType.LengthDelimited);
  }

  #read(field: Field, wireType: WireType, values: Values, path: Path, level: number): void {
    const { name, isRepeated, oneof } = field;
    const at = { parent: path, name };
    if (!isRepeated) {
      if (oneof !== null) dropOthers(field, values);
      values[name] = this.#value(field, at, level);
      return;
    }
    const list = (values[name] as unknown[] | undefined) ?? [];
    values[name] = list;
    if (wireType === wireTypeOf(field.kind)) {
      list.push(this.#value(field, at, level));
      return;
    }
    // Proto3 packs repeated numbers and enumerations.
    const end = this.#reader.uint32() + this.#reader.pos;
    while (this.#reader.pos < end && end <= this.#reader.len) list.push(this.#value(field, at, level));
    if (this.#reader.pos !== end) throw fault(at, 'packed values do not fill their length');
  }

  #value(field: Field, path: Path, level: number): unknown {
    if (--this.#left < 0) throw fault(null, `more than ${MOST_VALUES} values`);
    const reader = this.#reader;
    switch (field.kind) {
      case 'message': {
        const length = reader.uint32();
        const end = reader.pos + length;
        if (end > reader.len || field.message === null)
          throw fault(path, 'the value goes beyond the end of the message');
        return this.message(field.message, end, path, level + 1);
      }
      case 'enum':
        return enumValue(field, reader.int32(), path);
      case 'string':
        return textValue(field, this.#text(path), path);
      case 'bytes':
        return new Uint8Array(reader.bytes());
      case 'int64':
        return Number(reader.int64());
      default:
        return reader[field.kind]();
    }
  }

  #text(path: Path): string {
    const { pos } = this.#reader;
    try {
      return this.#reader.string(true);
    } catch {
      this.#reader.pos = pos;
      throw fault(path, 'the text is not UTF-8, or goes beyond the end of the message');
    }
  }
}

function wireTypeOf(kind: Field['kind']): WireType {
  switch (kind) {
    case 'double':
      return WireType.Bit64;
    case 'float':
      return WireType.Bit32;
    case 'string':
    case 'bytes':
    case 'message':
      return WireType.LengthDelimited;
    default:
      return WireType.Varint;
  }
}

/** Removes the other members of a oneof: of several received members, the last one counts. */
function dropOthers(field: Field, values: Values): void {
  for (const name of Object.keys(values)) if (name !== field.name && memberOf(field, name)) delete values[name];
}

const siblings = new Map<Field, ReadonlySet<string>>(
  Object.values(layouts).flatMap(({ fields }) =>
    fields.flatMap((field): [Field, ReadonlySet<string>][] =>
      field.oneof === null
        ? []
        : [[field, new Set(fields.filter(({ oneof }) => oneof === field.oneof).map(({ name }) => name))]],
    ),
  ),
);

const memberOf = (field: Field, name: string): boolean => siblings.get(field)?.has(name) ?? false;

function enumValue({ names, isMandatory }: Field, value: number, path: Path): string {
  const name = names.get(value);
  if (name === undefined) throw fault(path, `the enumeration has no value ${value}`);
  // BSI-Flex-335-v2-Test-Harness@03beb1a LocationValidator.cs refuses the value 0 of a mandatory enumeration.
  if (value === 0 && isMandatory) throw fault(path, 'the value is mandatory and must not be UNSPECIFIED');
  return name;
}

function textValue({ id }: Field, text: string, path: Path): string {
  if (id === 'ulid' && !ulidForm.test(text))
    throw fault(path, `must be a ULID in upper case, not '${visible(text, MOST_QUOTED)}'`);
  if (id === 'uuid' && !uuidForm.test(text))
    throw fault(path, `must be a UUID v4 in lower case, not '${visible(text, MOST_QUOTED)}'`);
  return text;
}

function checkPresent({ name }: Field, values: Values, path: Path): void {
  const value = values[name];
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
  if (isMissing) throw fault({ parent: path, name }, 'a mandatory field is missing');
}

function checkTime(values: Values, path: Path): void {
  const seconds = Number(values.seconds ?? 0);
  const nanos = Number(values.nanos ?? 0);
  const isGood = seconds >= LEAST_TIME_S && seconds <= MOST_TIME_S && nanos >= 0 && nanos < 1e9;
  if (!isGood) throw fault(path, 'must be a time between the years 1 and 9999');
}

function fault(path: Path, text: string): SapientFault {
  const names: string[] = [];
  for (let at = path; at !== null; at = at.parent) names.unshift(at.name);
  return new SapientFault(`${names.length === 0 ? 'message' : names.join('.')}: ${text}`);
}
