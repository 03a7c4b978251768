import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** Exit code and output of a program. The code is null if a signal ended the program. */
export type Ran = { code: number | null; out: string; err: string };

/** System files and programs that the command needs. Tests replace them, so that no test changes the real firewall. */
export type Box = {
  isRoot: boolean;
  paths: {
    /** Configuration of the installed service. */
    installed: string;
    rules: string;
    nftables: string;
  };
  /** Returns the addresses of all network interfaces except the loopback. */
  addresses(): readonly string[];
  /** Runs a program without a shell. Returns null if the program is not installed. */
  run(program: string, args: readonly string[]): Ran | null;
};

export function thisBox(): Box {
  return {
    isRoot: process.geteuid?.() === 0,
    paths: {
      installed: '/etc/dunlin/dunlin.yaml',
      rules: '/etc/nftables-dunlin.conf',
      nftables: '/etc/nftables.conf',
    },
    addresses: () =>
      Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).flatMap(({ address, internal }) => (internal ? [] : [address])),
      ),
    run: runProgram,
  };
}

export function runProgram(program: string, args: readonly string[]): Ran | null {
  // After a plain `su`, root's PATH lacks the folders of nft and ufw.
  const env = { ...process.env, PATH: `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`, LC_ALL: 'C' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return null;
  return { code: status, out: stdout ?? '', err: stderr ?? error?.message ?? '' };
}

/**
 * Returns the id of the daemon's group, which must be able to read key and certificate. Null if this process is not
 * root, or if there is no such group.
 */
export function daemonGroup(box: Box): number | null {
  const found = box.isRoot ? box.run('getent', ['group', 'dunlin']) : null;
  const id = /^dunlin:[^:]*:(\d+):/.exec(found?.code === 0 ? found.out : '')?.[1];
  return id === undefined ? null : Number(id);
}
