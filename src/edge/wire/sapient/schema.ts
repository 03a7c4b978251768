import { enums } from './enums.ts';
import { fields } from './fields.ts';

type Enums = typeof enums;
type Fields = typeof fields;
export type MessageName = keyof Fields;

/** TypeScript types of scalar fields. */
type Scalars = {
  double: number;
  float: number;
  int32: number;
  int64: number;
  bool: boolean;
  string: string;
  bytes: Uint8Array;
};
export type ScalarName = keyof Scalars;

type TypeIn<S> = S extends `${number} ${infer T} ${string}` ? T : S extends `${number} ${infer T}` ? T : never;
type FlagsIn<S> = S extends `${number} ${string} ${infer F}` ? F : '';
type Single<T> = T extends ScalarName
  ? Scalars[T]
  : T extends keyof Enums
    ? Enums[T][keyof Enums[T]] | 'UNSPECIFIED'
    : T extends MessageName
      ? SapientPart<T>
      : never;
type Value<S> = FlagsIn<S> extends `*${string}` ? readonly Single<TypeIn<S>>[] : Single<TypeIn<S>>;
/** True for mandatory fields. A member of a oneof is optional, even if one of the members must be present. */
type IsMandatory<S> = FlagsIn<S> extends `|${string}` ? false : FlagsIn<S> extends `${string}!${string}` ? true : false;
type Mandatory<M> = { [F in keyof M]: IsMandatory<M[F]> extends true ? F : never }[keyof M];

/** Type of a SAPIENT message or part, by its name in `fields.ts`. Fields have the names of the SAPIENT definitions. */
export type SapientPart<N extends MessageName> = {
  readonly [F in Mandatory<Fields[N]>]: Value<Fields[N][F]>;
} & {
  readonly [F in Exclude<keyof Fields[N], Mandatory<Fields[N]>>]?: Value<Fields[N][F]>;
};

/** Description of one field for the decoder and the encoder. */
export type Field = {
  number: number;
  name: string;
  kind: ScalarName | 'enum' | 'message';
  isRepeated: boolean;
  isMandatory: boolean;
  id: 'ulid' | 'uuid' | null;
  oneof: string | null;
  /** Names of an enumeration by their numbers, and the reverse; empty for other kinds. */
  names: ReadonlyMap<number, string>;
  numbers: ReadonlyMap<string, number>;
  /** Message type of the field; null for other kinds. */
  message: MessageName | null;
};

/** Fields of one message by their numbers, and the oneofs of which a member must be present. */
export type Layout = {
  fields: readonly Field[];
  byNumber: ReadonlyMap<number, Field>;
  oneofs: readonly string[];
};

const scalars: ReadonlySet<string> = new Set<ScalarName>([
  'double',
  'float',
  'int32',
  'int64',
  'bool',
  'string',
  'bytes',
]);

function isScalar(type: string): type is ScalarName {
  return scalars.has(type);
}

function fieldOf(name: string, text: string): Field {
  const [number = '', type = '', flags = ''] = text.split(' ');
  const isOneof = flags.startsWith('|');
  const isEnum = type in enums;
  const names = new Map(isEnum ? enumNames(type as keyof Enums) : []);
  return {
    ...{ number: Number(number), name, kind: isScalar(type) ? type : isEnum ? 'enum' : 'message' },
    isRepeated: flags.includes('*'),
    isMandatory: !isOneof && flags.includes('!'),
    id: isOneof ? null : flags.includes('L') ? 'ulid' : flags.includes('U') ? 'uuid' : null,
    oneof: isOneof ? flags.slice(1).replace('!', '') : null,
    names,
    numbers: new Map([...names].map(([value, text]) => [text, value])),
    message: isScalar(type) || isEnum ? null : (type as MessageName),
  };
}

function enumNames(name: keyof Enums): [number, string][] {
  return [[0, 'UNSPECIFIED'], ...Object.entries(enums[name]).map(([n, text]): [number, string] => [Number(n), text])];
}

function layoutOf(table: Readonly<Record<string, string>>): Layout {
  const list = Object.entries(table).map(([name, text]) => fieldOf(name, text));
  const oneofs = Object.values(table).flatMap((text) => /\|(\w+)!/.exec(text)?.[1] ?? []);
  return { fields: list, byNumber: new Map(list.map((field) => [field.number, field])), oneofs: [...new Set(oneofs)] };
}

/** Layouts of all messages by their names. */
export const layouts = Object.fromEntries(
  Object.entries(fields).map(([name, table]) => [name, layoutOf(table)]),
) as Record<MessageName, Layout>;
