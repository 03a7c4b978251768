import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../model/fault.ts';

/**
 * Cost parameters of scrypt (RFC 7914). `n` must be a power of two. A hash takes 128·n·r bytes and `p` sequential runs.
 */
export type ScryptCost = { n: number; r: number; p: number };

/**
 * Default cost, as strong as n = 2^17 with p = 1 (OWASP lists both settings) at a quarter of the memory. Two hashes at
 * once take 64 MiB, on a box with 512 MiB.
 */
export const defaultCost: ScryptCost = { n: 2 ** 15, r: 8, p: 3 };

const AT_ONCE = 2;
const WAITING = 16;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Hashes passwords outside the event loop: at most two at once, with a bounded queue. The text of a hash contains its
 * cost and salt, so a later version can raise the cost while old hashes stay valid.
 */
export class Passwords {
  readonly #cost: ScryptCost;
  /** Random hash that is compared for an unknown user, so that the answer takes as long as for a known user. */
  readonly #nobody: string;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(cost: ScryptCost = defaultCost) {
    this.#cost = cost;
    this.#nobody = write(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return write(this.#cost, salt, await this.#derive(password, salt, this.#cost));
  }

  /** Returns true if the password fits the hash `stored`. Null stands for an unknown user and always returns false. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    const { cost, salt, hash } = read(stored ?? this.#nobody);
    const derived = await this.#derive(password, salt, cost);
    const same = timingSafeEqual(derived, hash);
    return same && stored !== null;
  }

  async #derive(password: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> {
    await this.#turn();
    try {
      // Keyboards and systems encode the same accented letter differently; NFC makes these encodings equal.
      const text = password.normalize('NFC');
      return await derive(text, salt, HASH_BYTES, { N: n, r, p, maxmem: 256 * n * r });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  /** Waits until fewer than two hashes run. Throws `rate_limited` if the queue is full. */
  async #turn(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= WAITING) {
      throw new Fault('rate_limited', 'too many passwords are being checked at the same time; try again in 5 s', {
        retryAfterS: 5,
      });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function write({ n, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  return `scrypt$${n}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function read(text: string): { cost: ScryptCost; salt: Buffer; hash: Buffer } {
  const [name, n, r, p, salt = '', hash = ''] = text.split('$');
  const cost = { n: Number(n), r: Number(r), p: Number(p) };
  const read = { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
  if (name !== 'scrypt' || read.hash.length !== HASH_BYTES) {
    throw new Fault('internal', 'the stored password hash of a user has an unknown format');
  }
  return read;
}
