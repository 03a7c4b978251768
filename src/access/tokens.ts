import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a secret is for, by how it begins: a session's token, a stream's ticket, an API key. */
export type TokenKind = 'dst' | 'stk' | 'dak';

const forms: Record<TokenKind, RegExp> = {
  dst: /^dst_[A-Za-z0-9_-]{43}$/,
  stk: /^stk_[A-Za-z0-9_-]{43}$/,
  dak: /^dak_[A-Za-z0-9_-]{43}$/,
};

/** 256 random bits. Nothing slower than SHA-256 is needed to keep them: there is nothing to guess. */
export function newToken(kind: TokenKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

export function isToken(kind: TokenKind, text: string): boolean {
  return forms[kind].test(text);
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether two hashes are the same, in a time that tells nothing of where they differ. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
