import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { ReadStream } from 'node:tty';

/** A reason to skip tests over pseudo-terminals, or false where socat is installed. */
export function socatMissing(): string | false {
  return spawnSync('socat', ['-V']).error
    ? 'socat is not installed, so there are no pseudo-terminals to test on'
    : false;
}

/** Two pseudo-terminals joined back to back under stable names, as a serial device and its cable. */
export type PtyPair = {
  /** What the program under test opens. */
  near: string;
  /** What the test holds. */
  far: string;
  /** Pulls the device out: both names vanish and what is open on them hangs up. */
  pull(): Promise<void>;
  /** Puts it back under the same names. */
  plug(): Promise<void>;
};

/** Starts socat between `<dir>/near` and `<dir>/far`; it is ended when the test is. */
export async function startPtyPair(t: { teardown(act: () => unknown): void }, dir: string): Promise<PtyPair> {
  const near = join(dir, 'near');
  const far = join(dir, 'far');
  let socat: ChildProcess | null = null;

  async function plug(): Promise<void> {
    const ends = [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`];
    socat = spawn('socat', ['-d', '-d', ...ends], { stdio: ['ignore', 'ignore', 'pipe'] });
    await transferring(socat);
  }

  async function pull(): Promise<void> {
    const ending = socat;
    socat = null;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGTERM');
    await ended;
  }

  t.teardown(pull);
  await plug();
  return { near, far, pull, plug };
}

/** The far end of a pair, with everything that came out of it. */
export type FarEnd = { send(text: string): void; text(): string; close(): void };

/** `received` is called with each piece that comes out. */
export function openFarEnd(
  t: { teardown(act: () => unknown): void },
  path: string,
  received: (bytes: Buffer) => void = () => {},
): FarEnd {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const stream = new ReadStream(fd);
  let text = '';
  stream.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    received(bytes);
  });
  stream.on('error', () => {});
  // The stream reads through an opening of its own.
  stream.once('close', () => closeSync(fd));
  const close = () => void stream.destroy();
  t.teardown(close);
  return { send: (sent) => void stream.write(Buffer.from(sent, 'latin1')), text: () => text, close };
}

/**
 * Waits until socat says that it moves bytes. The names are there earlier, when the terminals behind them are not raw
 * yet: bytes sent then would be edited as a line typed by a person.
 */
function transferring(socat: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = () => {
      clearTimeout(deadline);
      reject(new Error(`socat made no pseudo-terminals: ${said}`));
    };
    const deadline = setTimeout(fail, 10_000);
    socat.once('exit', fail);
    socat.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-4_000);
      if (!said.includes('starting data transfer loop')) return;
      clearTimeout(deadline);
      resolve();
    });
  });
}
