import { Fault } from '../model/fault.ts';
import type { Route } from './route.ts';
import type { HttpSettings } from './settings.ts';

/**
 * While the state of the box cannot be read, nothing is changed but what guards the site from memory. Called before the
 * body is read, and with it for a route that decides by its body.
 */
export function refuseInRecovery(of: Route, { recovery }: Pick<HttpSettings, 'recovery'>, body?: unknown): void {
  if (recovery === null || isServed(of, body)) return;
  throw new Fault('unavailable', recovery);
}

function isServed({ method, inRecovery }: Route, body: unknown): boolean {
  if (inRecovery === undefined) return method === 'GET';
  if (typeof inRecovery === 'boolean') return inRecovery;
  return body === undefined || inRecovery(body);
}
