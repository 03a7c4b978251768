import { userInfo } from 'node:os';
import type { Actor } from '../model/actor.ts';

/**
 * The actor of the command line: any account that can write the data folder may do anything, and the audit log names
 * the account.
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
