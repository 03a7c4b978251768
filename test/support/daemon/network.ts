import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { DaemonProcess } from './daemon_process.ts';
import type { FieldBox } from './field_box.ts';
import { plainNode } from './program.ts';

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** A reason to skip, or false where this user may make networks. */
export function noNetworks(): string | false {
  const made = spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'dunlin0', 'type', 'veth', 'peer', 'name', 'dunlin1']);
  return made.status === 0 ? false : 'this user may not make network namespaces and veth interfaces (unshare, ip)';
}

/** A cable between this machine, at `here`, and the namespace of a daemon, at `there`. */
export class Cable {
  readonly #pid: number;
  readonly #name: string;
  readonly here: string;
  readonly there: string;

  constructor(t: Test, pid: number, name: string, network: string) {
    this.#pid = pid;
    this.#name = name;
    this.here = `${network}.1`;
    this.there = `${network}.2`;
    t.teardown(() => this.pull());
  }

  /** Plugs it in. Both interfaces are new ones, as those of a USB adapter are. */
  plug(): void {
    const [near, far] = [this.#name, `${this.#name}f`];
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far);
    ip('link', 'set', far, 'netns', String(this.#pid));
    ip('addr', 'add', `${this.here}/24`, 'dev', near);
    ip('link', 'set', near, 'up');
    const inside = ['-t', String(this.#pid), '-n', 'ip'];
    execFileSync('nsenter', [...inside, 'addr', 'add', `${this.there}/24`, 'dev', far]);
    execFileSync('nsenter', [...inside, 'link', 'set', far, 'up']);
  }

  pull(): void {
    spawnSync('ip', ['link', 'del', this.#name]);
  }
}

/** A daemon in a network namespace of its own, with a cable for the test's questions. Its HTTP listens on all addresses. */
export async function spawnApart(
  t: Test,
  box: FieldBox,
): Promise<{ daemon: DaemonProcess; cable: (n: number) => Cable }> {
  const command = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...plainNode];
  const inside = await box.spawn({ command, args: ['--listen', '0.0.0.0:0'] });
  const pid = inside.process.pid ?? 0;
  const cable = (n: number): Cable => new Cable(t, pid, `dl${pid}x${n}`.slice(-13), `10.${77 + n}.${pid % 250}`);
  const questions = cable(0);
  questions.plug();
  const url = `http://${questions.there}:${new URL(inside.url).port}`;
  const { dataDir, lines, startMs } = inside;
  const daemon = new DaemonProcess(inside.process, { url, dataDir, lines, startMs });
  for (let n = 0; n < 100; n++) {
    if (await fetch(url).catch(() => null)) break;
    await sleep(100);
  }
  return { daemon, cable };
}
