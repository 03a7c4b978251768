import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../model/fault.ts';

/** Cost of a guess (RFC 7914): `n` must be a power of two; it takes 128·n·r bytes, p times one after the other. */
export type ScryptCost = { n: number; r: number; p: number };

/**
 * Cost as strong as n = 2^17 with p = 1 (OWASP lists both), for a quarter of its memory: two at once take 64 MiB of a box
 * with 512 MiB.
 */
export const defaultCost: ScryptCost = { n: 2 ** 15, r: 8, p: 3 };

const AT_ONCE = 2;
const WAITING = 16;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Hashes passwords, off the event loop, at most two at once, with a bounded queue. The text of a hash has its cost and
 * salt, so that the cost can rise while old hashes stay valid.
 */
export class Passwords {
  readonly #cost: ScryptCost;
  /** Hash of no password: compared where there is no such user, so that it takes as long. */
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

  /** True where the password is that of `stored`; null is for an unknown user, and never right. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    const { cost, salt, hash } = read(stored ?? this.#nobody);
    const derived = await this.#derive(password, salt, cost);
    const same = timingSafeEqual(derived, hash);
    return same && stored !== null;
  }

  async #derive(password: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> {
    await this.#turn();
    try {
      // Keyboards and systems write one accented letter in several ways.
      const text = password.normalize('NFC');
      return await derive(text, salt, HASH_BYTES, { N: n, r, p, maxmem: 256 * n * r });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= WAITING) {
      throw new Fault('rate_limited', 'too many passwords are being checked at once; try again', { retryAfterS: 5 });
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
    throw new Fault('internal', "a user's password hash is not one that this program wrote");
  }
  return read;
}
