import type { Key, MadeKey, Me, Membership, SignedIn, Ticket, User } from '../../model/access.ts';

/** Samples of users, keys and sessions, at the time of the other samples. The secrets were never in use. */
const at = '2025-06-01T12:00:00.000Z';
const userId = '5e0f6a52-0d3c-4a11-9c55-0000000000f1';
const made = 'A'.repeat(43);

export const sampleMembership: Membership = { id: 'wsp_5e0f6a520d3c', name: 'default', role: 'owner' };

export const sampleUser: User = {
  id: userId,
  username: 'anna',
  role: 'owner',
  version: 1,
  created_at: at,
  updated_at: at,
};

export const sampleSignIn = { username: 'anna', password: 'correct horse battery staple' };

export const sampleSignedIn: SignedIn = {
  token: `dst_${made}`,
  expires_at: '2025-06-01T12:30:00.000Z',
  user: { id: userId, username: 'anna' },
  workspaces: [sampleMembership],
};

export const sampleFileTicket: Ticket = { ticket: `ftk_${made}`, expires_at: '2025-06-01T12:01:00.000Z' };
export const sampleTicket: Ticket = { ticket: `stk_${made}`, expires_at: '2025-06-01T12:01:00.000Z' };

export const sampleMadeKey: MadeKey = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000f2',
  name: 'radar feed',
  prefix: 'dak_AAAAAAAA',
  secret: `dak_${made}`,
  role: 'operator',
  may_command: false,
  created_at: at,
};

const { secret: _secret, ...keyRow } = sampleMadeKey;
export const sampleKey: Key = { ...keyRow, last_used_at: at, revoked_at: null };

export const sampleMe: Me = {
  user: { id: userId, username: 'anna' },
  key: null,
  open: false,
  workspaces: [sampleMembership],
};
