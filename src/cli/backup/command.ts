import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { secretKeyFile } from '../../host/config.ts';
import { program } from '../../host/program.ts';
import { conflict, Fault } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { auditKey } from '../../store/audit_key.ts';
import { copyData } from '../../store/backup.ts';
import { BACKUP_MANIFEST, type BackupManifest } from '../../store/backup_manifest.ts';
import { checkRoom } from '../../store/backup_room.ts';
import { noteBackup } from '../../store/backups_found.ts';
import { reasonOf } from '../../store/failures.ts';
import { makeFolder } from '../../store/folder.ts';
import { dayFileVersion } from '../../store/log/day_schema.ts';
import { syncPath } from '../../store/place.ts';
import { dataOptions, readArguments, type Values, wrongUse } from '../arguments.ts';
import { dataDirOf, requireState } from '../data_dir.ts';
import { exits, type Io } from '../io.ts';
import { Progress } from '../progress.ts';

const help = `Usage: dunlin backup TO [--data DIR] [--config FILE] [--keep N]

Copies the data folder, also while the daemon runs: the copy contains every change that was confirmed before. TO becomes a
folder with the databases, the key of the audit log, and manifest.json with the hash of each file. If TO is a folder, the
backup becomes TO/dunlin-TIME; if TO is itself a backup, the new backup becomes TO-TIME beside it.

  --data DIR     the data folder; without it, that of the configuration
  --config FILE  the configuration, found as 'dunlin serve' finds it
  --keep N       TO is a folder of backups: deletes all backups named dunlin-TIME in it except the newest N
  --help         this text

The backup does not contain the configuration and the secret key: keep copies of both.
Exit codes: 0 done, 1 failed or a file was left out, 2 wrong use, 78 bad configuration.`;

const options = { ...dataOptions, keep: { type: 'string' } } as const;

/** Runs `dunlin backup`. Resolves with the exit code. */
export async function backupCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'backup', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  const dataDir = dataDirOf(flags, io);
  if (dataDir === null) return exits.badConfiguration;
  const progress = new Progress(io);
  try {
    const { path, manifest, skipped } = await backUp(
      resolve(dataDir),
      placeOf(flags.to, flags.keep !== undefined),
      (file) => progress.show(() => file),
    );
    progress.end();
    noteBackup(resolve(dataDir), path);
    if (flags.keep !== undefined) removeOld(path, flags.keep, io);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    io.out(`ok: ${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB in ${path}`);
    for (const sentence of skipped) io.err(`left out: ${sentence}`);
    return skipped.length === 0 ? exits.done : exits.failed;
  } catch (thrown) {
    progress.end();
    io.err(`dunlin backup: ${thrown instanceof Fault ? thrown.message : reasonOf(thrown)}`);
    return exits.failed;
  }
}

function read([to, ...more]: readonly string[], { keep, ...flags }: Values<typeof options>) {
  if (to === undefined || more.length > 0) throw wrongUse('name exactly one folder for the backup');
  if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep))
    throw wrongUse('--keep must be a whole number from 1 to 99999');
  return { ...flags, to, keep: keep === undefined ? undefined : Number(keep) };
}

/** Returns the path of the new backup. With `--keep`, `to` is the folder of the backups, also if it does not exist yet. */
function placeOf(to: string, isFolder: boolean): string {
  const path = resolve(to);
  const time = formatTime(Date.now()).replace(/[-:]|\.\d+/g, '');
  const named = join(path, `dunlin-${time}`);
  if (!existsSync(path)) return isFolder ? named : path;
  if (!statSync(path).isDirectory()) throw conflict(`${path} exists already and is not a folder`);
  const isBackup = existsSync(join(path, BACKUP_MANIFEST)) && existsSync(join(path, 'state.db'));
  if (isBackup && isFolder) throw conflict(`${path} is a backup: --keep needs the folder that contains the backups`);
  return isBackup ? `${path}-${time}` : named;
}

async function backUp(dataDir: string, path: string, onFile: (file: string) => void) {
  requireState(dataDir);
  if (existsSync(path)) throw conflict(`${path} exists already`);
  const part = `${path}.part`;
  rmSync(part, { recursive: true, force: true });
  checkRoom(dataDir, path);
  makeFolder(part);
  try {
    const key = auditKey(dataDir, secretKeyFile(), false);
    const now = formatTime(Date.now());
    const { files, schemaVersion, skipped } = await copyData(dataDir, part, key, now, onFile);
    const about = { product: 'dunlin', version: program.version, build: program.build, made_at: now } as const;
    const versions = { schema_version: schemaVersion, day_file_version: dayFileVersion };
    const manifest: BackupManifest = { ...about, ...versions, files };
    writeFileSync(join(part, BACKUP_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o640 });
    syncPath(join(part, BACKUP_MANIFEST));
    syncPath(part);
    renameSync(part, path);
    syncPath(dirname(path));
    return { path, manifest, skipped };
  } catch (thrown) {
    rmSync(part, { recursive: true, force: true });
    throw thrown;
  }
}

/**
 * Deletes the backups named dunlin-TIME beside the backup `made`, except the newest `keep - 1`. The names sort by age.
 * The new backup stays in any case: after a clock was wrong, others may have later names.
 */
function removeOld(made: string, keep: number, io: Io): void {
  const folder = dirname(made);
  const others = readdirSync(folder)
    .filter((name) => /^dunlin-\d{8}T\d{6}Z$/.test(name) && join(folder, name) !== made)
    .sort();
  for (const name of others.slice(0, Math.max(0, others.length - keep + 1)))
    rmSync(join(folder, name), { recursive: true, force: true });
  const later = others.filter((name) => join(folder, name) > made);
  if (later.length > 0)
    io.err(
      `warning: ${later.at(-1)} in ${folder} has a later time than the new backup: delete it if the clock was wrong`,
    );
}
