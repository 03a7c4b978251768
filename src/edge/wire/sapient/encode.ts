import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type Field, layouts, type MessageName, type SapientPart } from './schema.ts';

const HEADER = 4;

/**
 * Encodes a message as a frame: its length as 4 bytes, least byte first, then its bytes. Zeros are written too,
 * because mandatory fields have the label `optional` in the definitions and must be present.
 */
export function sapientFrame(message: SapientPart<'SapientMessage'>): Uint8Array {
  const body = write(new BinaryWriter(), 'SapientMessage', message).finish();
  const frame = new Uint8Array(HEADER + body.length);
  new DataView(frame.buffer).setUint32(0, body.length, true);
  frame.set(body, HEADER);
  return frame;
}

/** Converts a time to a protobuf timestamp. */
export function sapientTime(utcMs: number): SapientPart<'Timestamp'> {
  const seconds = Math.floor(utcMs / 1000);
  // Rounding up to a whole second would be an invalid time.
  return { seconds, nanos: Math.min(999_999_999, Math.round((utcMs - seconds * 1000) * 1e6)) };
}

function write(writer: BinaryWriter, name: MessageName, values: object): BinaryWriter {
  const given = values as Readonly<Record<string, unknown>>;
  for (const field of layouts[name].fields) {
    const value = given[field.name];
    if (value === undefined) continue;
    if (!field.isRepeated) writeField(writer, field, value);
    else if (Array.isArray(value) && value.length > 0) writeList(writer, field, value);
  }
  return writer;
}

function writeList(writer: BinaryWriter, field: Field, list: readonly unknown[]): void {
  if (field.kind !== 'enum') {
    for (const value of list) writeField(writer, field, value);
    return;
  }
  writer.tag(field.number, WireType.LengthDelimited).fork();
  for (const value of list) writer.int32(numberOf(field, value));
  writer.join();
}

function writeField(writer: BinaryWriter, field: Field, value: unknown): void {
  const { number, kind } = field;
  switch (kind) {
    case 'message':
      if (field.message === null || typeof value !== 'object' || value === null) throw wrong(field);
      writer.tag(number, WireType.LengthDelimited).fork();
      write(writer, field.message, value).join();
      return;
    case 'enum':
      writer.tag(number, WireType.Varint).int32(numberOf(field, value));
      return;
    case 'double':
      writer.tag(number, WireType.Bit64).double(value as number);
      return;
    case 'float':
      writer.tag(number, WireType.Bit32).float(value as number);
      return;
    case 'string':
      writer.tag(number, WireType.LengthDelimited).string(value as string);
      return;
    case 'bytes':
      writer.tag(number, WireType.LengthDelimited).bytes(value as Uint8Array);
      return;
    case 'bool':
      writer.tag(number, WireType.Varint).bool(value as boolean);
      return;
    case 'int64':
      writer.tag(number, WireType.Varint).int64(value as number);
      return;
    case 'int32':
      writer.tag(number, WireType.Varint).int32(value as number);
  }
}

function numberOf(field: Field, value: unknown): number {
  const number = typeof value === 'string' ? field.numbers.get(value) : undefined;
  if (number === undefined) throw wrong(field);
  return number;
}

/** Error for a value that the types of messages exclude: a program error. */
function wrong({ name }: Field): Error {
  return new Error(`SAPIENT field ${name} has a value of another type`);
}
