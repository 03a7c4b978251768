import { statSync } from 'node:fs';

/**
 * Runs `work` as the owner of a folder if this process is root. SQLite creates files beside a database even for
 * reading. If these files belonged to root, the daemon could not open its database.
 */
export async function asOwnerOf<T>(folder: string | null, work: () => Promise<T>): Promise<T> {
  const owner = folder === null ? undefined : statSync(folder, { throwIfNoEntry: false });
  const { geteuid, getegid, seteuid, setegid, setgroups, getgroups } = process;
  if (!owner || !geteuid || !getegid || !seteuid || !setegid || !setgroups || !getgroups) return work();
  if (geteuid() !== 0 || owner.uid === 0) return work();
  const [group, groups] = [getegid(), getgroups()];
  setgroups([owner.gid]);
  setegid(owner.gid);
  seteuid(owner.uid);
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(group);
    setgroups(groups);
  }
}
