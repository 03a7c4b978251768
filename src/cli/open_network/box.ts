import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** Outcome of a program. */
export type Ran = { code: number | null; out: string; err: string };

/** System files and programs that the command needs. Tests give their own: none changes the firewall of its machine. */
export type Box = {
  isRoot: boolean;
  paths: {
    /** Configuration of the installed service. */
    installed: string;
    rules: string;
    nftables: string;
  };
  /** Addresses of the interfaces that others reach. */
  addresses(): readonly string[];
  /** Runs a program without a shell; null where it is not installed. */
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
  // A plain `su` leaves root without the folders of nft and ufw.
  const env = { ...process.env, PATH: `${process.env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`, LC_ALL: 'C' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return null;
  return { code: status, out: stdout ?? '', err: stderr ?? error?.message ?? '' };
}

/** Group that reads key and certificate: that of the daemon, where root may give files to it. Null elsewhere. */
export function daemonGroup(box: Box): number | null {
  const found = box.isRoot ? box.run('getent', ['group', 'dunlin']) : null;
  const id = /^dunlin:[^:]*:(\d+):/.exec(found?.code === 0 ? found.out : '')?.[1];
  return id === undefined ? null : Number(id);
}
