import { AUTH_FIRST_PAGE_SIZE, AUTH_PAGE_SIZE } from './decode25.ts';
import type { OdidAuth } from './message.ts';
import { MAX_NIBBLE } from './ranges.ts';

/** Authentication data put together from its pages. */
export type OdidAuthData = {
  authType: number;
  timestampUnixS: number;
  data: Uint8Array;
  /** Error-correction bytes that follow the data, empty where the sender adds none. */
  extra: Uint8Array;
};

export type AuthAssemblyOptions = {
  /** Sets of pages held at once; the one that waited longest for a page gives way. */
  maxSets?: number;
  /** A set that got no page for so long starts anew. World milliseconds. */
  maxAgeMs?: number;
};

type PageSet = { first: OdidAuth | null; pages: (Uint8Array | undefined)[]; touchedMs: number };

/**
 * Puts authentication pages together (ASTM F3411-22a section 5.4.5.9). Pages come in any order and repeat; only page 0
 * carries the time that tells one set from the next, so a page 0 with a new time discards the pages of the former set.
 */
export class AuthAssembly {
  readonly #sets = new Map<string, PageSet>();
  readonly #maxSets: number;
  readonly #maxAgeMs: number;
  #evicted = 0;

  constructor({ maxSets = 256, maxAgeMs = 30_000 }: AuthAssemblyOptions = {}) {
    this.#maxSets = maxSets;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Unfinished sets that gave way to others. */
  get evicted(): number {
    return this.#evicted;
  }

  get size(): number {
    return this.#sets.size;
  }

  /** Takes a page of `sender` (who the message is about); gives the data when this page completes it, once. */
  add(sender: string, page: OdidAuth, atMs: number): OdidAuthData | null {
    if (page.page < 0 || page.page > MAX_NIBBLE) return null;
    const key = `${page.authType} ${sender}`;
    const set = this.#setOf(key, atMs);
    if (page.page > 0) set.pages[page.page] = page.data;
    else startSet(set, page);
    const whole = assembled(set);
    if (whole) this.#sets.delete(key);
    return whole;
  }

  #setOf(key: string, atMs: number): PageSet {
    const held = this.#sets.get(key);
    this.#sets.delete(key);
    const fresh = held !== undefined && Math.abs(atMs - held.touchedMs) <= this.#maxAgeMs;
    const set: PageSet = fresh ? held : { first: null, pages: [], touchedMs: atMs };
    set.touchedMs = atMs;
    if (this.#sets.size >= this.#maxSets) this.#evictOldest();
    // Written last, so that the map's order is the order in which the sets last got a page.
    this.#sets.set(key, set);
    return set;
  }

  #evictOldest(): void {
    const oldest = this.#sets.keys().next();
    if (oldest.done) return;
    this.#sets.delete(oldest.value);
    this.#evicted++;
  }
}

function startSet(set: PageSet, page: OdidAuth): void {
  if (set.first !== null && set.first.timestampUnixS !== page.timestampUnixS) set.pages = [];
  set.first = page;
}

function assembled({ first, pages }: PageSet): OdidAuthData | null {
  if (first === null) return null;
  const lastPage = first.lastPage ?? 0;
  const length = first.length ?? 0;
  const room = AUTH_FIRST_PAGE_SIZE + lastPage * AUTH_PAGE_SIZE;
  if (lastPage > MAX_NIBBLE || length > room) return null;
  const all = new Uint8Array(room);
  all.set(first.data.subarray(0, AUTH_FIRST_PAGE_SIZE));
  for (let i = 1; i <= lastPage; i++) {
    const page = pages[i];
    if (page === undefined) return null;
    all.set(page.subarray(0, AUTH_PAGE_SIZE), AUTH_FIRST_PAGE_SIZE + (i - 1) * AUTH_PAGE_SIZE);
  }
  const extraLength = all[length] ?? 0;
  return {
    authType: first.authType,
    timestampUnixS: first.timestampUnixS ?? 0,
    data: all.slice(0, length),
    extra: all.slice(length + 1, length + 1 + extraLength),
  };
}
