import { userInfo } from 'node:os';
import type { Actor } from '../model/actor.ts';

/**
 * Returns the actor of the command line, with the name of the account for the audit log. Every account that can write
 * the data folder may do everything.
 */
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
