import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Access } from '../../access/access.ts';
import { openAccessBeside } from '../../access/beside.ts';
import type { Changer } from '../../access/deps.ts';
import { secretKeyFile } from '../../host/config.ts';
import { type Role, roles } from '../../model/actor.ts';
import { Fault, notFound, sentenceOf } from '../../model/fault.ts';
import { prepareFolder } from '../../store/folder.ts';
import { dataOptions, readArguments, type Values, wrongUse } from '../arguments.ts';
import { configOf, requireState } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { whoIsThere } from '../who.ts';

const options = {
  ...dataOptions,
  workspace: { type: 'string' },
  role: { type: 'string' },
  'may-command': { type: 'boolean' },
} as const;

type Flags = Values<typeof options>;

/** Input of a command of access. `open` opens the data folder; call it after all questions to the person. */
export type Service = {
  args: readonly string[];
  flags: Flags;
  io: Io;
  /** The absolute path of the data folder: the answer to a change names it. */
  dataDir: string;
  /** True where `open` creates the state of a box that was never started. */
  isNew: boolean;
  open(): Promise<Opened>;
  /** Like `open` for a read, but closes again, so that nothing is held while a person types. */
  look<T>(at: (opened: Opened) => T): Promise<T>;
};
export type Opened = { access: Access; workspaceId: string; by: Changer };

/** A mistake in how the command was called that its verb finds. */
export class WrongUse extends Error {}

/** `begins`: may be done before the first start of a box whose folder is named. */
export type Verb = { arguments: number; begins?: boolean; run(service: Service): Promise<void> };

/** `dunlin user …` and `dunlin key …`: finds the verb, runs it, and closes what it opened. Answers the exit code. */
export async function runVerb(
  argv: readonly string[],
  io: Io,
  of: { name: string; help: string; verbs: Record<string, Verb> },
): Promise<number> {
  const read = ([name, ...args]: readonly string[], flags: Flags) => {
    const verb = name === undefined || !Object.hasOwn(of.verbs, name) ? undefined : of.verbs[name];
    if (!verb) throw wrongUse(name === undefined ? 'say what to do' : `there is no '${name}'`);
    if (args.length !== verb.arguments) throw wrongUse(`'${name}' takes ${verb.arguments} names, not ${args.length}`);
    return { verb, args, flags };
  };
  const called = readArguments(argv, { name: of.name, help: of.help, options, read }, io);
  if (typeof called === 'number') return called;
  const { verb, args, flags } = called;
  let close = (): void => {};
  try {
    const config = configOf({ config: flags.config, data: flags.data }, io);
    if (config === null) return exits.badConfiguration;
    const dataDir = resolve(config.data.dir);
    const isNew = !existsSync(join(dataDir, 'state.db'));
    const begins = verb.begins === true && mayBegin(flags);
    if (!begins) requireState(dataDir);
    const open = async (): Promise<Opened> => {
      if (begins) prepareFolder(dataDir);
      const beside = await openAccessBeside(dataDir, secretKeyFile());
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
    const isMade = !existsSync(dataDir);
    await verb.run({ args, flags, io, dataDir, isNew, open, look });
    if (isMade) io.err(rootOwned(dataDir) ?? `${dataDir} is a new data folder: start the daemon with it`);
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

/**
 * A box that was never started gets its first users where its folder is named; a missing one is made. Otherwise nothing is
 * created: a folder that was merely found is most often not the intended one. Such a box has only its first workspace.
 */
function mayBegin({ data, config, workspace }: Flags): boolean {
  return Boolean(data ?? config ?? process.env.DUNLIN_DATA) && workspace === undefined;
}

/** Sentence about a new data folder that the service's own user could not write; null where it is none. */
function rootOwned(dataDir: string): string | null {
  if (process.geteuid?.() !== 0 || statSync(dataDir).uid !== 0) return null;
  return `${dataDir} is a new data folder and belongs to root: if the daemon runs as another user, chown -R USER ${dataDir}`;
}

/** The workspace that is named by id or name, else the first. */
function workspaceOf(access: Access, named: string | undefined): string {
  const all = access.workspaces.list();
  const found = named === undefined ? all[0] : all.find(({ id, name }) => id === named || name === named);
  if (found) return found.id;
  throw notFound(`there is no workspace ${named}; there are ${all.map(({ name }) => name).join(', ')}`);
}

export function roleOf(text: string): Role {
  const found = roles.find((role) => role === text);
  if (!found) throw new WrongUse(`there is no role '${text}'; there are ${roles.join(', ')}`);
  return found;
}

/** Rows as text, in columns as wide as their cells. */
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
