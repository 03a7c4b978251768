import type { Context, Next } from 'koa';

/** Content security policy of pages: no content from other hosts, no inline scripts or styles, no page in a frame. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const headers = Object.entries(securityHeaders);

/** Sets the security headers of an answer. A page that may be cached overrides `Cache-Control` later. */
export async function addSecurityHeaders(ctx: Context, next: Next): Promise<void> {
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
  await next();
}
