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

/** Input of a verb of `dunlin user` or `dunlin key`. */
export type Service = {
  args: readonly string[];
  flags: Flags;
  io: Io;
  /** Absolute path of the data folder, for the answer to a change. */
  dataDir: string;
  /** True if the folder has no database yet: `open` then creates the database. */
  isNew: boolean;
  /** Opens the data folder until the command ends. Call this after all questions to the person. */
  open(): Promise<Opened>;
  /** Opens the data folder for one read and closes it again. The folder is then not held while a person types. */
  look<T>(at: (opened: Opened) => T): Promise<T>;
};
export type Opened = { access: Access; workspaceId: string; by: Changer };

/** Thrown by a verb that was called in a wrong way. The help is then printed. */
export class WrongUse extends Error {}

/**
 * A verb and the number of its arguments. With `begins`, the verb may create a missing data folder and database (see
 * `mayBegin`).
 */
export type Verb = { arguments: number; begins?: boolean; run(service: Service): Promise<void> };

/** Runs a verb of `dunlin user` or `dunlin key`, then closes the data folder. Resolves with the exit code. */
export async function runVerb(
  argv: readonly string[],
  io: Io,
  of: { name: string; help: string; verbs: Record<string, Verb> },
): Promise<number> {
  const read = ([name, ...args]: readonly string[], flags: Flags) => {
    const verb = name === undefined || !Object.hasOwn(of.verbs, name) ? undefined : of.verbs[name];
    if (!verb) throw wrongUse(name === undefined ? 'name a verb' : `there is no verb '${name}'`);
    if (args.length !== verb.arguments)
      throw wrongUse(`the number of arguments of '${name}' must be ${verb.arguments}; received ${args.length}`);
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
    if (isMade)
      io.err(rootOwned(dataDir) ?? `${dataDir} is a new data folder: start the daemon with --data ${dataDir}`);
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
 * Returns true if a command may create a missing data folder and database. The folder must be named by `--data`,
 * `--config` or DUNLIN_DATA, because a folder that was found by default is often not the intended one. `--workspace`
 * must be absent, because a new box has only its first workspace.
 */
function mayBegin({ data, config, workspace }: Flags): boolean {
  return Boolean(data ?? config ?? process.env.DUNLIN_DATA) && workspace === undefined;
}

/** Returns a warning if a new data folder belongs to root, because the service's user may not write it; else null. */
function rootOwned(dataDir: string): string | null {
  if (process.geteuid?.() !== 0 || statSync(dataDir).uid !== 0) return null;
  return `${dataDir} is a new data folder and belongs to root: if the daemon runs as another user, run chown -R USER ${dataDir}`;
}

/** Returns the id of the workspace with this id or name; without `named`, the id of the first workspace. */
function workspaceOf(access: Access, named: string | undefined): string {
  const all = access.workspaces.list();
  const found = named === undefined ? all[0] : all.find(({ id, name }) => id === named || name === named);
  if (found) return found.id;
  throw notFound(`there is no workspace ${named}; the workspaces are ${all.map(({ name }) => name).join(', ')}`);
}

export function roleOf(text: string): Role {
  const found = roles.find((role) => role === text);
  if (!found) throw new WrongUse(`there is no role '${text}'; the roles are ${roles.join(', ')}`);
  return found;
}

/** Formats rows as text, in columns that are as wide as their widest cell. */
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
