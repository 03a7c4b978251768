import { type Actor, isAtLeast, type Role } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';

/** Who sends a request, and what he may. */
export type Principal = {
  actor: Actor;
  /** In the workspace of the request; of a session without one, the highest that it has anywhere. */
  role: Role;
  /** Null where the request names none, which few routes allow. */
  workspaceId: string | null;
  /** Somebody signed in, so that two of them are two people. */
  userId: string | null;
  /** Of a user: what the password was then. With another one, streams and tickets of before end. */
  passwordMark: string | null;
  /** An API key; `mayCommand` where it was minted to send movement commands. */
  key: { id: string; mayCommand: boolean } | null;
};

/** Refuses who may not: a viewer may only read, others are told the role it takes. `what` is the route's summary. */
export function requireRole(by: Principal, role: Role, write: boolean, what: string): void {
  if (isAtLeast(by.role, role) && !(write && by.role === 'viewer')) return;
  const who = by.actor.type === 'open' ? 'the open surface' : `${by.actor.type} ${by.actor.name}`;
  const sentence = `${who} has the role ${by.role}; '${what}' takes the role ${role}`;
  throw new Fault(by.role === 'viewer' && write ? 'read_only' : 'forbidden', sentence);
}

/** Refuses who has not signed in as a person; `what` is the route's summary. */
export function requireSession({ userId, key }: Principal, what: string): void {
  if (userId !== null) return;
  if (key) throw new Fault('forbidden', `'${what}' is for people who sign in; a key will not do`);
  throw new Fault('unauthenticated', `'${what}' is for people who sign in: POST /api/auth/sign-in`);
}
