import type { MadeKey, User } from '../../../src/model/access.ts';
import { type Role, systemActor } from '../../../src/model/actor.ts';
import type { Rig } from './server.ts';

export const byHand = { actor: systemActor, userId: null };

export const PASSWORD = 'a long enough password';

/** Somebody who has signed in: what his requests carry. */
export type Person = { user: User; token: string; headers: Record<string, string> };

/** Makes a user of the rig's workspace, or of another, and signs him in without the way through a password. */
export async function person(
  { access, registry }: Pick<Rig, 'access' | 'registry'>,
  username: string,
  role: Role,
  workspaceId: string = registry.workspaceId,
): Promise<Person> {
  const known = access.users.isKnown(username);
  const user = await access.users.add(
    workspaceId,
    known ? { username, role } : { username, role, password: PASSWORD },
    byHand,
  );
  const { token } = access.sessions.open(user.id);
  return { user, token, headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId } };
}

/** Makes a key of the rig's workspace. */
export function keyOf({ access, registry }: Pick<Rig, 'access' | 'registry'>, role: Role = 'operator'): MadeKey {
  return access.keys.add(registry.workspaceId, { name: 'feed', role }, { ...byHand, role: 'owner' });
}

export function sessionOf({ token }: Person): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Another workspace of the rig's box, that has begun to work. */
export async function workspace(
  { access, workspaces }: Pick<Rig, 'access' | 'workspaces'>,
  name: string,
): Promise<string> {
  const row = access.workspaces.create(name, byHand);
  await workspaces.open(row);
  return row.id;
}

/** A request with a JSON body, or with none. */
export function sending(method: string, headers: Record<string, string>, body?: unknown): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
