import { type ParseArgsConfig, parseArgs } from 'node:util';
import { sentenceOf } from '../model/fault.ts';
import { exits, type Io } from './io.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export type Command<T extends Options> = {
  name: string;
  help: string;
  options: T;
  /** Says what is wrong with the words besides flags and with the flags' values; without it there are to be no words. */
  fault?(words: readonly string[], values: Values<T>): string | null;
};

type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>>;
export type Values<T extends Options> = Parsed<T>['values'];

/** What a command was called with, or its exit code where it was called for help or wrongly, which has been said. */
export function readArguments<const T extends Options>(
  argv: readonly string[],
  { name, help, options, fault }: Command<T>,
  io: Io,
): { values: Values<T>; words: string[] } | number {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true }) as Parsed<T>;
    if ((values as { help?: boolean }).help) {
      io.out(help);
      return exits.done;
    }
    const wrong = fault ? fault(positionals, values) : strayWord(positionals);
    if (wrong === null) return { values, words: positionals };
    io.err(`dunlin ${name}: ${wrong}`);
  } catch (thrown) {
    io.err(`dunlin ${name}: ${sentenceOf(thrown)}`);
  }
  io.err(help);
  return exits.wrongUse;
}

function strayWord(words: readonly string[]): string | null {
  return words.length === 0 ? null : `it takes no word such as '${words[0]}'`;
}
