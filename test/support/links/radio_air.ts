import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Owner } from '../basics/owner.ts';

/** Makes a TAP interface that claims to be a radio in monitor mode; writes one frame a line to it, and confirms each. */
const python = `
import fcntl, os, socket, struct, sys
name = sys.argv[1].encode()
tap = os.open('/dev/net/tun', os.O_RDWR)
fcntl.ioctl(tap, 0x400454ca, struct.pack('16sH22x', name, 0x1002))
fcntl.ioctl(tap, 0x400454cd, int(sys.argv[2]))
any = socket.socket(socket.AF_UNIX)
fcntl.ioctl(any, 0x8914, struct.pack('16sH22x', name, 1))
print(os.getpid(), flush=True)
for line in sys.stdin:
    for frame in line.split():
        os.write(tap, bytes.fromhex(frame))
    print('sent', flush=True)
`;

const MONITOR = 803;

/** A radio in monitor mode without a radio, in a network namespace of its own. */
export class RadioAir {
  readonly name = 'air0';
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #pid = 0;

  private constructor(type: number) {
    const words = ['-n', 'python3', '-c', python, this.name, String(type)];
    this.#child = spawn('unshare', words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** `type`: kind of frames of the interface, as the kernel numbers them (ARPHRD). */
  static async open(t: Owner, type = MONITOR): Promise<RadioAir> {
    const air = new RadioAir(type);
    t.teardown(() => air.#child.kill('SIGKILL'));
    air.#pid = Number(await air.#line());
    return air;
  }

  /** Command line that runs a program beside the interface. */
  beside(program: string, ...words: string[]): [string, string[]] {
    return ['nsenter', ['-t', String(this.#pid), '-n', program, ...words]];
  }

  /** Sends frames, as they come behind an antenna: radiotap header first. */
  async send(...frames: readonly Buffer[]): Promise<void> {
    this.#child.stdin?.write(`${frames.map((frame) => frame.toString('hex')).join(' ')}\n`);
    await this.#line();
  }

  /** Takes the interface away, as an adapter that is pulled out. */
  async remove(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await gone;
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the interface is gone');
    return value;
  }
}

/** Reason to skip, or false where this user may make such an interface. */
export function noAir(): string | false {
  const probe = `import os; os.open('/dev/net/tun', os.O_RDWR)`;
  const may = process.getuid?.() === 0 && spawnSync('unshare', ['-n', 'python3', '-c', probe]).status === 0;
  return may ? false : 'this user may not make network namespaces and TAP interfaces (unshare, /dev/net/tun, python3)';
}
