import { userInfo } from 'node:os';
import type { Actor } from '../model/actor.ts';

/** Whoever can write the data folder may do anything; the audit log says by which account it was done. */
export function whoIsThere(): Actor {
  const name = process.env.SUDO_USER || accountName();
  return { type: 'system', id: 'command line', name, address: null };
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
