import type { Actor } from '../../model/actor.ts';
import { actorLabel } from '../../model/actor.ts';
import type { AssetCommand } from '../../model/command.ts';
import { Fault } from '../../model/fault.ts';
import { verbNames, verbs } from '../../model/verb.ts';

export type ControlSettings = { enabled: boolean; openSurface: 'allow' | 'observe_only' | 'deny' };

/** Who commands: a person who signed in, a key, whoever uses the open surface, or a plan that people approved. */
export type Commander = { actor: Actor; key: { mayCommand: boolean } | null };

/**
 * Refuses who may not send this command, whatever the vehicle can. A vehicle is stopped and brought home by whoever may
 * command at all; it is moved by people, by keys that were minted for it, and on an open surface that allows it by whoever
 * says who they are and why.
 */
export function requireMay({ actor, key }: Commander, command: AssetCommand, { openSurface }: ControlSettings): void {
  const known = verbNames.find((verb) => verb === command.verb);
  const moves = known !== undefined && verbs[known].class === 'movement';
  if (key && moves && !key.mayCommand) {
    const sentence = `${actorLabel(actor)} may not move vehicles: it was minted without may_command`;
    throw new Fault('forbidden', sentence);
  }
  if (actor.type !== 'open') return;
  if (openSurface === 'deny' || (openSurface === 'observe_only' && moves)) {
    throw new Fault('forbidden', `sign in to command ${command.verb}: control.open_surface is ${openSurface}`);
  }
  if (!moves) return;
  for (const field of ['operator', 'reason'] as const) {
    if (command[field] !== undefined) continue;
    throw new Fault('invalid_input', `'${field}' is needed to move a vehicle where nobody signed in`);
  }
}
