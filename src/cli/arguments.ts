import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Fault, sentenceOf } from '../model/fault.ts';
import { exits, type Io } from './io.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>>;
/** The values of a command's options. */
export type Values<T extends Options> = Parsed<T>['values'];

export type Command<T extends Options, F> = {
  name: string;
  help: string;
  /** Besides `--help`, which every command has. */
  options: T;
  /** Reads the words besides flags and the flags' values; throws a Fault that says what is wrong with them. */
  read(words: readonly string[], values: Values<T>): F;
};

/** Flags that name the data folder, and those that a daemon's command line has besides. */
export const dataOptions = { config: { type: 'string' }, data: { type: 'string' } } as const;
export const daemonOptions = {
  ...dataOptions,
  listen: { type: 'string' },
  link: { type: 'string', multiple: true },
} as const;

/** Reads a command's arguments. Returns its exit code instead where help was asked for or the use is wrong, after printing it. */
export function readArguments<const T extends Options, F extends object>(
  argv: readonly string[],
  { name, help, options, read }: Command<T, F>,
  io: Io,
): F | number {
  try {
    const withHelp = { ...options, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options: withHelp, allowPositionals: true });
    if (!(values as { help?: boolean }).help) return read(positionals, values as Values<T>);
    io.out(help);
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin ${name}: ${sentenceOf(thrown)}`);
    io.err(help);
    return exits.wrongUse;
  }
}

/** Reads a command that takes flags alone. */
export function flagsAlone<V>([stray]: readonly string[], values: V): V {
  if (stray !== undefined) throw wrongUse(`it takes no word such as '${stray}'`);
  return values;
}

/** A mistake in how a command was called. */
export function wrongUse(sentence: string): Fault {
  return new Fault('invalid_input', sentence);
}
