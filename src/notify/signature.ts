import { createHmac } from 'node:crypto';

/** Says who sent a body and when: HMAC-SHA256 of the time, a full stop and the body's bytes. */
export function signatureOf(secret: string, utcMs: number, body: string): string {
  const t = Math.floor(utcMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
