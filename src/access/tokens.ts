import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Kinds of secrets by their prefix: session token, stream ticket, file ticket, API key. */
export type TokenKind = 'dst' | 'stk' | 'ftk' | 'dak';

/**
 * Returns a token of 256 random bits. Its SHA-256 is a safe form for the database: a slow hash is unnecessary, because
 * the token cannot be guessed.
 */
export function newToken(kind: TokenKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

export function isToken(kind: TokenKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(4));
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
