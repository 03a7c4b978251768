import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from '../model/closest.ts';
import { type Fault, invalidInput, sentenceOf } from '../model/fault.ts';
import { exits, type Io } from './io.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>>;
/** Values of a command's options. */
export type Values<T extends Options> = Parsed<T>['values'];

export type Command<T extends Options, F> = {
  name: string;
  help: string;
  /** Options of the command, without `--help`, which every command has. */
  options: T;
  /** Checks the positional arguments and the values of the options. Throws a Fault that says what is wrong. */
  read(words: readonly string[], values: Values<T>): F;
};

/**
 * Options that name the data folder (`dataOptions`). `daemonOptions` are all options that override a daemon's
 * configuration.
 */
export const dataOptions = { config: { type: 'string' }, data: { type: 'string' } } as const;
export const daemonOptions = {
  ...dataOptions,
  listen: { type: 'string' },
  link: { type: 'string', multiple: true },
  outlet: { type: 'string', multiple: true },
} as const;

/**
 * Reads a command's arguments. If help was requested, or the arguments are wrong, prints the help and returns the exit
 * code instead.
 */
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
    io.err(`dunlin ${name}: ${unknownOption(thrown, argv, options) ?? sentenceOf(thrown)}`);
    io.err(help);
    return exits.wrongUse;
  }
}

/** Option names of other programs, with the corresponding option here. In `form`, the given value replaces `…`. */
const otherNames: Readonly<Record<string, { option: string; form?: string }>> = {
  port: { option: 'listen', form: '127.0.0.1:…' },
  p: { option: 'listen', form: '127.0.0.1:…' },
  host: { option: 'listen', form: '…:8077' },
  address: { option: 'listen', form: '…:8077' },
  bind: { option: 'listen', form: '…:8077' },
  'data-dir': { option: 'data', form: '…' },
  datadir: { option: 'data', form: '…' },
  dir: { option: 'data', form: '…' },
  d: { option: 'data', form: '…' },
  conf: { option: 'config', form: '…' },
  file: { option: 'config', form: '…' },
  c: { option: 'config', form: '…' },
  speed: { option: 'rate', form: '…' },
  target: { option: 'to', form: '…' },
  server: { option: 'url', form: '…' },
  token: { option: 'key-file' },
  'api-key': { option: 'key-file' },
};
const valueForm = /^[\w./:[\]-]{1,80}$/;

/** Returns a sentence about an unknown option, with the option that is probably meant; null for any other error. */
function unknownOption(thrown: unknown, argv: readonly string[], options: Options): string | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-{1,2}([^']+))'/.exec(sentenceOf(thrown)) : null;
  if (unknown === null) return null;
  const [, written = '', name = ''] = unknown;
  const meant = meantOption(name, valueAfter(written, argv), Object.keys({ ...options, help: null }));
  return `Unknown option '${written}'${meant === null ? '' : `; did you mean ${meant}?`}`;
}

function valueAfter(written: string, argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === written || word.startsWith(`${written}=`));
  const value = argv[at]?.includes('=') ? argv[at].slice(written.length + 1) : argv[at + 1];
  return value !== undefined && valueForm.test(value) && !value.startsWith('-') ? value : null;
}

function meantOption(name: string, value: string | null, known: readonly string[]): string | null {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (other !== undefined && known.includes(other.option)) {
    const filled = value === null ? null : other.form?.replace('…', value);
    return filled ? `--${other.option} ${filled}` : `--${other.option}`;
  }
  const near = closest(
    name,
    known.map((option) => option.replaceAll('-', '_')),
  );
  return near === null ? null : `--${near.replaceAll('_', '-')}`;
}

/** Reads the arguments of a command that takes only flags. Throws a Fault for a positional argument. */
export function flagsAlone<V>([stray]: readonly string[], values: V): V {
  if (stray !== undefined) throw wrongUse(`unexpected argument '${stray}'`);
  return values;
}

/** Returns a Fault about a wrong call of a command. */
export function wrongUse(sentence: string): Fault {
  return invalidInput(sentence);
}
