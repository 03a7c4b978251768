import { resolve } from 'node:path';
import { newestBackup } from './backups_found.ts';

/** One sentence with the way back for a data folder whose database cannot be read: it names the newest backup, if any. */
export function adviceFor(dataDir: string): string {
  const folder = resolve(dataDir);
  const backup = newestBackup(folder);
  if (backup === null)
    return `No backup was found in ${folder}-backups or where 'dunlin backup' wrote last: put one from elsewhere back with 'dunlin restore', or move the folder ${folder} away to begin anew.`;
  const command = `dunlin restore ${quoted(backup.path)} --data ${quoted(folder)}`;
  return `With Dunlin stopped, put the newest backup, of ${backup.madeAt}, back: ${command}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
