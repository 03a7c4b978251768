import { type Signal, signal } from '@preact/signals';
import type { SignedIn } from '../../model/access.ts';
import type { Role } from '../../model/actor.ts';

/** The person at this screen. Without a token the open surface is used; then `name` is the name for the log. */
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

/** Session of this tab. It ends with the tab, because the token is only in `sessionStorage`. */
export const session: Signal<Session> = signal(stored() ?? open);
/** Whether a credential is needed. The picture then stays visible behind the sign-in, which blocks other controls. */
export const needsSignIn: Signal<boolean> = signal(false);

/** The renewal in progress. A request refused for its old token waits for it. The promise never rejects. */
export const renewal: { underWay: Promise<void> } = { underWay: Promise.resolve() };

function stored(): Session | null {
  try {
    const text = globalThis.sessionStorage?.getItem(KEY);
    return text ? (JSON.parse(text) as Session) : null;
  } catch {
    // In a browser that blocks storage, the session is only in memory.
    return null;
  }
}

function keep(next: Session): void {
  session.value = next;
  try {
    globalThis.sessionStorage?.setItem(KEY, JSON.stringify(next));
  } catch {
    // In a browser that blocks storage, the session is only in memory.
  }
}

/** Takes a new or renewed session. The workspace stays the same if the person is still a member. */
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

/** Takes the name of the person on the open surface. */
export function nameOperator(name: string | null): void {
  keep({ ...session.peek(), name });
}

/** Takes the role from `GET /me`. */
export function takeRole(role: Role): void {
  keep({ ...session.peek(), role });
}
