import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../basics/deadline.ts';
import { folderOf } from '../basics/folder.ts';
import type { Owner } from '../basics/owner.ts';
import { builtNative } from '../references/built_native.ts';
import { emulator } from '../references/emulator.ts';
import { type ControllerHabits, type EmulatedController, emulatedController } from './controller.ts';

/**
 * Joins the program's socket to this process, as Node.js has no sockets of packets: lines `ask TEXT` and `packet HEX` come
 * out, `errno N`, `packet HEX` and `pull` go in. What comes before a bind that succeeds is asked.
 */
const python = `
import os, socket, sys, threading
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.bind(sys.argv[1]); server.listen()
say = lambda text: print(text, flush=True)
state = {'to': None, 'asked': ''}
def read_lines():
    for line in sys.stdin:
        word, _, rest = line.strip().partition(' ')
        to = state['to']
        try:
            if word == 'errno':
                if rest == '0' and state['asked'].startswith('bind'): state['bound'] = True
                to.send(int(rest).to_bytes(4, sys.byteorder))
            elif word == 'packet': to.send(bytes.fromhex(rest))
            elif word == 'pull': to.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError): pass
    os._exit(0)
threading.Thread(target=read_lines, daemon=True).start()
say('ready')
while True:
    state['bound'] = False
    state['to'], _ = server.accept()
    while True:
        try: got = state['to'].recv(4096)
        except OSError: got = b''
        if not got: break
        if state['bound']: say('packet ' + got.hex())
        else:
            state['asked'] = got.decode()
            say('ask ' + state['asked'])
`;

/** Error numbers of Linux that the kernel answers. */
export const errnos = { EPERM: 1, EBUSY: 16, ENODEV: 19, EUSERS: 87, EAFNOSUPPORT: 97, ERFKILL: 132 } as const;

/** An adapter of the kernel without hardware: the calls of the kernel and a controller behind it. */
export class BluetoothAdapter {
  readonly controller: EmulatedController;
  /** Calls so far, as `socket TYPE PROTOCOL`, `down NUMBER`, `bind FAMILY NUMBER CHANNEL`. */
  readonly calls: string[] = [];
  /** Error number of a call by its first word. */
  readonly errors = new Map<string, number>();
  readonly #path: string;
  readonly #child: ChildProcess;

  private constructor(path: string, habits: Partial<ControllerHabits>) {
    this.#path = path;
    this.#child = spawn('python3', ['-c', python, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    // A program that outlives the adapter still sends.
    this.#child.stdin?.on('error', () => {});
    this.controller = emulatedController((bytes) => this.#say(`packet ${Buffer.from(bytes).toString('hex')}`), habits);
  }

  static async open(t: Owner, habits: Partial<ControllerHabits> = {}): Promise<BluetoothAdapter> {
    const path = join(folderOf(t), 'adapter');
    const adapter = new BluetoothAdapter(path, habits);
    t.teardown(() => adapter.#child.kill('SIGKILL'));
    const { stdout } = adapter.#child;
    if (stdout === null) throw new Error('no output');
    let isReady = false;
    createInterface({ input: stdout }).on('line', (line) => {
      if (line === 'ready') isReady = true;
      else adapter.#take(line);
    });
    await until('the adapter is there', () => isReady);
    return adapter;
  }

  /** Takes the adapter away while a program has it. */
  pull(): void {
    this.#say('pull');
  }

  /** Environment in which a program finds this adapter as hci0. */
  async environment(): Promise<NodeJS.ProcessEnv> {
    const shim = await builtNative('bluetooth_shim', ['-shared', '-fPIC']);
    return { ...process.env, LD_PRELOAD: shim, DUNLIN_BLUETOOTH: this.#path };
  }

  #take(line: string): void {
    const [word, ...rest] = line.split(' ');
    if (word === 'packet') this.controller.take(Buffer.from(rest[0] ?? '', 'hex'));
    else {
      this.calls.push(rest.join(' '));
      this.#say(`errno ${this.errors.get(rest[0] ?? '') ?? 0}`);
    }
  }

  #say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
}

/** The program on hci0 of an adapter. */
export type BluetoothProgram = { path: string; child: ChildProcess; errors(): string; exited: Promise<number | null> };

/** Starts the program, and waits until it listens or has ended. */
export async function startBluetooth(t: Owner, adapter: BluetoothAdapter): Promise<BluetoothProgram> {
  const path = join(folderOf(t), 'hci0.sock');
  const program = await builtNative('radio_program', ['-O2']);
  const env = await adapter.environment();
  const child = spawn(program, ['hci0', '--listen', path], { stdio: ['ignore', 'inherit', 'pipe'], env });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  await until('the program listens', () => existsSync(path) || child.exitCode !== null);
  return { path, child, errors: () => text, exited };
}

/** Reason to skip, or false where programs can be compiled and given an adapter. */
export function noBluetooth(): string | false {
  if (emulator.length > 0) return 'an emulator takes no library before a program (LD_PRELOAD)';
  for (const [command, word] of [
    [process.env.CXX ?? 'g++', '--version'],
    ['python3', '--version'],
  ] as const)
    if (spawnSync(command, [word]).status !== 0) return `${command} is not installed`;
  return false;
}
