import { type Actor, actorLabel } from '../model/actor.ts';
import type { AssetCommand } from '../model/command.ts';
import { forbidden, invalidInput } from '../model/fault.ts';
import { verbNames, verbs } from '../model/verb.ts';

export type ControlSettings = { enabled: boolean; openSurface: 'allow' | 'observe_only' | 'deny' };

/** Sender of a command whose permission is checked; `key` is null unless an API key is the sender. */
export type Commander = { actor: Actor; key: { mayCommand: boolean } | null };

/**
 * Refuses a command that the caller may not send, whatever the vehicle can do. Signed-in people and keys with
 * `may_command` may send every verb. Keys without `may_command` may only use cameras and request the status. On the
 * open surface, `control.open_surface` decides. `deny` refuses every verb. `observe_only` permits what keys without
 * `may_command` may send. `allow` refuses only movements without a name and a reason. Except under `deny`, every caller
 * may hold a vehicle that flies under our own order (`isOurs`), under `observe_only` with a name: such a hold takes
 * control from no other person.
 */
export function requireMay(
  { actor, key }: Commander,
  command: AssetCommand,
  { openSurface }: ControlSettings,
  isOurs: boolean,
): void {
  const known = verbNames.find((verb) => verb === command.verb);
  const kind = known === undefined ? 'observation' : verbs[known].class;
  const moves = kind !== 'observation';
  const holdsOurs = command.verb === 'hold' && isOurs;
  if (key && moves && !key.mayCommand && !holdsOurs) {
    const sentence = `${actorLabel(actor)} was created without the permission may_command: ${onlyHold(command.verb)}`;
    throw forbidden(sentence);
  }
  if (actor.type !== 'open') return;
  const isLimited = openSurface === 'observe_only' && moves;
  if (openSurface === 'deny' || (isLimited && !holdsOurs)) {
    const only = isLimited ? `; ${onlyHold(command.verb)}` : '';
    throw forbidden(`sign in to command ${command.verb}: the setting control.open_surface is ${openSurface}${only}`);
  }
  if (isLimited) requireName(command.operator, 'hold a vehicle');
  if (kind !== 'movement') return;
  for (const field of ['operator', 'reason'] as const) {
    if (command[field] !== undefined) continue;
    throw invalidInput(`'${field}' is needed to move a vehicle without signing in`);
  }
}

/**
 * Refuses callers who may not stop vehicles that fly under our own orders. For callers on the open surface,
 * `control.open_surface` decides: `deny` refuses them, `observe_only` demands a name.
 */
export function requireMayStop(actor: Actor, operator: string | undefined, { openSurface }: ControlSettings): void {
  if (actor.type !== 'open' || openSurface === 'allow') return;
  if (openSurface === 'deny') throw forbidden('sign in to stop vehicles: the setting control.open_surface is deny');
  requireName(operator, 'stop vehicles');
}

function requireName(operator: string | undefined, what: string): void {
  if (operator === undefined) throw invalidInput(`'operator' is needed to ${what} without signing in`);
}

function onlyHold(verb: string): string {
  const rule =
    'this caller may use only the camera verbs, request_status, and hold for a vehicle that flies under an order of this service';
  return verb === 'hold' ? `${rule}; this vehicle flies under no order of this service` : `${rule}; ${verb} is refused`;
}
