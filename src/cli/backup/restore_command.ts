import { resolve } from 'node:path';
import { sentenceOf } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { type Restored, restoreData } from '../../store/restore.ts';
import { dataOptions, readArguments, type Values, wrongUse } from '../arguments.ts';
import { dataDirOf } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';
import { whoIsThere } from '../who.ts';

const help = `Usage: dunlin restore FROM [--data DIR] [--config FILE] [--revoke-keys]

Replaces the data folder by the backup FROM, after a check of the hash of each file of the backup. The daemon must be
stopped. The previous data folder is kept beside it as DIR.before-restore-TIME. Keys that were revoked and users that
were removed after the backup work again: the command lists them. All sessions end.

  --data DIR     the data folder; without it, that of the configuration
  --config FILE  the configuration, found as 'dunlin serve' finds it
  --revoke-keys  revokes the keys that would work again; if the present keys cannot be read, all keys of the backup
  --help         this text

Exit codes: 0 done, 1 failed and the data folder is unchanged, 2 wrong use, 78 bad configuration.`;

const options = { ...dataOptions, 'revoke-keys': { type: 'boolean' } } as const;

/** Runs `dunlin restore`. Resolves with the exit code. */
export async function restoreCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'restore', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  const found = dataDirOf(flags, io);
  if (found === null) return exits.badConfiguration;
  const dataDir = resolve(found);
  const progress = new Progress(io);
  try {
    const at = formatTime(Date.now());
    const time = at.replace(/[-:]|\.\d+/g, '');
    const restoring = { time, at, by: whoIsThere(), revokeKeys: flags['revoke-keys'] ?? false };
    const restored = await restoreData(resolve(flags.from), dataDir, restoring, (path) => progress.show(() => path));
    const { manifest, keptAs } = restored;
    progress.end();
    io.out(`ok: ${manifest.files.length} files of ${manifest.made_at} are in ${dataDir}`);
    if (keptAs !== null) io.out(`the previous data folder is kept as ${keptAs}`);
    printReturning(restored, dataDir, io);
    return exits.done;
  } catch (thrown) {
    progress.end();
    io.err(`dunlin restore: ${sentenceOf(thrown)}`);
    return exits.failed;
  }
}

function read([from, ...more]: readonly string[], flags: Values<typeof options>) {
  if (from === undefined || more.length > 0) throw wrongUse('name exactly one backup to restore');
  return { ...flags, from };
}

/** Prints the keys and users that have access again after the restore, with the commands that revoke the access. */
function printReturning({ returning, revoked }: Restored, dataDir: string, io: Io): void {
  const { known, keys, users } = returning;
  if (!known && keys.length + users.length > 0) {
    io.err(
      'warning: the previous state cannot be read: each key and user below may have been revoked or removed since the backup',
    );
  }
  for (const { id, name, prefix } of keys) {
    const key = `the key ${name} (${prefix}…)`;
    if (revoked) io.out(`${key} was revoked`);
    else io.err(`warning: ${key} works again: dunlin key revoke ${id} --data ${dataDir}`);
  }
  if (keys.length > 0 && !revoked) io.err('(the same restore with --revoke-keys would have revoked these keys)');
  for (const { name } of users)
    io.err(`warning: the user ${name} may sign in again: dunlin user remove ${name} --data ${dataDir}`);
}
