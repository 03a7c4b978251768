import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Io } from '../../../src/cli/io.ts';
import { type Box, type Ran, runProgram } from '../../../src/cli/open_network/box.ts';
import { openNetworkCommand } from '../../../src/cli/open_network/command.ts';

type Outcome = { code: number; out: string; err: string };

/** Group that the daemon has on such a box, where the test may give files to it; no group of the machine is needed. */
export const DAEMON_GROUP = process.geteuid?.() === 0 ? 4_242 : null;

/** The address at which other machines reach this one; null on a machine without a network. */
export const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;

/**
 * A box whose system files are in a folder, for `dunlin open-network`: openssl is real, the firewall's programs are noted and
 * not run. `answers` replaces the outcome of a program: null where it is missing.
 */
export class NetworkBox {
  readonly ran: string[] = [];
  readonly answers: Record<string, Ran | null> = {
    ufw: null,
    getent: { code: DAEMON_GROUP === null ? 2 : 0, out: `dunlin:x:${DAEMON_GROUP}:\n`, err: '' },
  };
  /** Called after each real program, with its arguments. */
  afterwards: (args: readonly string[]) => void = () => {};
  readonly rules: string;
  readonly nftables: string;
  isRoot = true;
  answer: boolean | null = null;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.rules = join(folder, 'nftables-dunlin.conf');
    this.nftables = join(folder, 'nftables.conf');
  }

  async open(...args: string[]): Promise<Outcome> {
    const { answer } = this;
    const said = { out: '', err: '' };
    const io: Io = {
      out: (text) => {
        said.out += `${text}\n`;
      },
      err: (text) => {
        said.err += `${text}\n`;
      },
      isTty: answer !== null,
      ...(answer !== null && { input: Readable.from([Buffer.from(answer ? 'y\n' : 'n\n')]) }),
    };
    return { code: await openNetworkCommand(args, io, this.#box()), ...said };
  }

  #box(): Box {
    return {
      isRoot: this.isRoot,
      paths: { installed: join(this.#folder, 'dunlin.yaml'), rules: this.rules, nftables: this.nftables },
      addresses: () => ['192.168.77.10', ...(ownAddress === null ? [] : [ownAddress])],
      run: (program, args) => this.#run(program, args),
    };
  }

  #run(program: string, args: readonly string[]): Ran | null {
    this.ran.push([program, ...args].join(' '));
    const answer = this.answers[program];
    if (answer !== undefined) return answer;
    if (program !== 'openssl') return { code: 0, out: '', err: '' };
    const ran = runProgram(program, args);
    this.afterwards(args);
    return ran;
  }
}
