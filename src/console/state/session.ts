import { type Signal, signal } from '@preact/signals';
import type { SignedIn } from '../../model/access.ts';
import type { Role } from '../../model/actor.ts';

/** The person at this screen. Without a token the open surface is used; then `operator` is the name that the log gets. */
export type Session = {
  token: string | null;
  workspaceId: string | null;
  expiresAt: string | null;
  name: string | null;
  userId: string | null;
  role: Role;
};

const KEY = 'dunlin.session';
const open: Session = { token: null, workspaceId: null, expiresAt: null, name: null, userId: null, role: 'operator' };

/** Signed-in session of this tab. It ends with the tab: the token is in `sessionStorage` alone. */
export const session: Signal<Session> = signal(stored() ?? open);
/** True while a credential is needed: the picture stays, and writes wait. */
export const needsSignIn: Signal<boolean> = signal(false);

/** The renewal that is under way: it ends the token that requests were sent with. It never fails. */
export const renewal: { underWay: Promise<void> } = { underWay: Promise.resolve() };

function stored(): Session | null {
  try {
    const text = globalThis.sessionStorage?.getItem(KEY);
    return text ? (JSON.parse(text) as Session) : null;
  } catch {
    // A browser that blocks storage keeps the session in memory.
    return null;
  }
}

function keep(next: Session): void {
  session.value = next;
  try {
    globalThis.sessionStorage?.setItem(KEY, JSON.stringify(next));
  } catch {
    // As above.
  }
}

/** Takes a new or renewed session; the workspace stays where the person is still a member. */
export function signedIn({ token, expires_at, user, workspaces }: SignedIn): void {
  const workspace = workspaces.find(({ id }) => id === session.peek().workspaceId) ?? workspaces[0];
  keep({
    ...{ token, expiresAt: expires_at, name: user.username, userId: user.id },
    ...{ workspaceId: workspace?.id ?? null, role: workspace?.role ?? 'viewer' },
  });
  needsSignIn.value = false;
}

export function signedOut(): void {
  keep(open);
}

/** Takes the name of the person on the open surface, once a watch. */
export function nameOperator(name: string | null): void {
  keep({ ...session.peek(), name });
}

/** Takes the role that `GET /me` gives. */
export function takeRole(role: Role): void {
  keep({ ...session.peek(), role });
}
