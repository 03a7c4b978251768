import type { Role } from '../../model/actor.ts';
import type { LinkState } from '../stream/messages.ts';

/**
 * Kinds of actions. `safer` stops a vehicle, brings it home, or rejects or cancels plans. `see` acknowledges or saves
 * evidence. `own` needs the role owner.
 */
export type Act = 'safer' | 'see' | 'move' | 'approve' | 'write' | 'own';

export type Standing = { link: LinkState['state']; role: Role; mode: 'live' | 'sim' | 'replay'; isNamed: boolean };

const needsCurrentPicture: ReadonlySet<Act> = new Set(['move', 'approve', 'write', 'own']);

/**
 * Reason why an action is not permitted now, as a sentence for the disabled control; null where it is. The daemon
 * decides again; this check only spares the operator a refusal.
 */
export function whyNot(act: Act, { link, role, mode, isNamed }: Standing): string | null {
  if (role === 'viewer') return 'Your role is viewer: it reads and changes nothing.';
  if (act === 'own' && role !== 'owner') return 'This needs the role owner.';
  if (mode === 'replay' && act !== 'safer' && act !== 'see')
    return 'A replay is shown: it is over and cannot be changed.';
  if (!needsCurrentPicture.has(act)) return null;
  if (link === 'connecting') return 'The picture is not here yet.';
  if (link === 'stale') return 'The picture is stale: what you see may have changed.';
  if (link === 'no_link') return 'There is no link to the box: what you see is old.';
  if (!isNamed && (act === 'move' || act === 'approve'))
    return 'Type your name first, in the field at the top: the log names the person.';
  return null;
}
