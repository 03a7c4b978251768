import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Access } from '../../access/access.ts';
import { openAccessBeside } from '../../access/beside.ts';
import type { Changer } from '../../access/rim.ts';
import { readConfig } from '../../host/config.ts';
import { type Role, roles } from '../../model/actor.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { requireState } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { whoIsThere } from '../who.ts';

const options = {
  config: { type: 'string' },
  data: { type: 'string' },
  workspace: { type: 'string' },
  role: { type: 'string' },
  'may-command': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export type Flags = { [K in keyof typeof options]?: (typeof options)[K]['type'] extends 'string' ? string : boolean };

/** What a command of access works on. `open` opens the data folder; call it once everything that is asked was answered. */
export type Desk = {
  args: readonly string[];
  flags: Flags;
  io: Io;
  /** The data folder, in full: an answer to a change says whose box it was. */
  dataDir: string;
  /** Whether `open` makes the state of a box that was never started. */
  isNew: boolean;
  open(): Promise<Opened>;
  /** The same for a look: what was opened is closed again, so that nothing is held while somebody types. */
  look<T>(at: (opened: Opened) => T): Promise<T>;
};
export type Opened = { access: Access; workspaceId: string; by: Changer };

/** A mistake in how the command was called, besides what the parser finds. */
export class WrongUse extends Error {}

/** `begins`: may be done before the first start of a box whose folder is named. */
export type Verb = { arguments: number; begins?: boolean; run(desk: Desk): Promise<void> };

/** `dunlin user …` and `dunlin key …`: finds the verb, runs it, and closes what it opened. Answers the exit code. */
export async function runVerb(
  argv: readonly string[],
  io: Io,
  of: { name: string; help: string; verbs: Record<string, Verb> },
): Promise<number> {
  let close = (): void => {};
  try {
    const { values: flags, positionals } = parse(argv);
    const [name, ...args] = positionals;
    if (flags.help) {
      io.out(of.help);
      return exits.done;
    }
    const verb = name === undefined || !Object.hasOwn(of.verbs, name) ? undefined : of.verbs[name];
    if (!verb) throw new WrongUse(name === undefined ? 'say what to do' : `there is no '${name}'`);
    if (args.length !== verb.arguments)
      throw new WrongUse(`'${name}' takes ${verb.arguments} names, not ${args.length}`);
    const found = readConfig({ ...pick(flags, 'config'), ...pick(flags, 'data') });
    if (!found.ok) {
      for (const problem of found.problems) io.err(problem);
      return exits.badConfiguration;
    }
    const dataDir = resolve(found.config.data.dir);
    const isNew = !existsSync(join(dataDir, 'state.db'));
    if (!verb.begins || !mayBegin(dataDir, flags)) requireState(dataDir);
    const open = async (): Promise<Opened> => {
      const beside = await openAccessBeside(dataDir);
      close = () => beside.close();
      return {
        access: beside.access,
        workspaceId: workspaceOf(beside.access, flags.workspace),
        by: { actor: whoIsThere(), userId: null },
      };
    };
    const look = async <T>(at: (opened: Opened) => T): Promise<T> => {
      const seen = at(await open());
      close();
      return seen;
    };
    await verb.run({ args, flags, io, dataDir, isNew, open, look });
    return exits.done;
  } catch (thrown) {
    io.err(`dunlin ${of.name}: ${sentenceOf(thrown)}`);
    if (!(thrown instanceof WrongUse)) {
      if (!(thrown instanceof Fault)) throw thrown;
      return exits.failed;
    }
    io.err(of.help);
    return exits.wrongUse;
  } finally {
    close();
  }
}

function parse(argv: readonly string[]): { values: Flags; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (thrown) {
    throw new WrongUse(sentenceOf(thrown));
  }
}

function pick<K extends 'config' | 'data'>(flags: Flags, key: K): { [P in K]?: string } {
  return (flags[key] === undefined ? {} : { [key]: flags[key] }) as { [P in K]?: string };
}

/**
 * A box that was never started gets its first users where its folder is there and named. Else nothing is made: a folder
 * that was merely come upon is most often not the one that is meant. It has no workspace but the first.
 */
function mayBegin(dataDir: string, { data, config, workspace }: Flags): boolean {
  return existsSync(dataDir) && (data !== undefined || config !== undefined) && workspace === undefined;
}

/** The workspace that is named by id or name, else the first. */
function workspaceOf(access: Access, named: string | undefined): string {
  const all = access.workspaces.list();
  const found = named === undefined ? all[0] : all.find(({ id, name }) => id === named || name === named);
  if (found) return found.id;
  throw new Fault('not_found', `there is no workspace ${named}; there are ${all.map(({ name }) => name).join(', ')}`);
}

export function roleOf(text: string): Role {
  const found = roles.find((role) => role === text);
  if (!found) throw new WrongUse(`there is no role '${text}'; there are ${roles.join(', ')}`);
  return found;
}

/** Columns as wide as what stands in them. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
