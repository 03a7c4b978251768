import type { Registration } from '../edge/wire/sapient/message.ts';
import type { SapientPart } from '../edge/wire/sapient/schema.ts';
import { visible } from '../edge/wire/sapient/visible.ts';
import type { EncoderDeps } from './kinds.ts';

/** This box as the node of an outlet. */
export type OutletNode = EncoderDeps & {
  registration(): Registration;
  /** Node above, once it has answered; it is never named as one that this box depends on. */
  parent: { id: string | null };
};

/** Nodes below this one. A node that takes the id of the node above would make it refuse this box as an echo. */
export function dependentsOf({ picture, parent }: Pick<OutletNode, 'picture' | 'parent'>): string[] {
  return picture.sapientNodes().filter((id) => id !== parent.id);
}

type Message = SapientPart<'SapientMessage'>;

/** Longest text of a peer that is shown, characters. */
const MOST_TEXT = 400;

/** Reasons of a peer on one line. */
export function reasonsOf(texts: readonly string[] | undefined): string {
  return visible(texts?.join('; '), MOST_TEXT) || 'no reason given';
}

/** True for messages to this node. A middleware also passes on messages to others. */
export function isFor({ destination_id: to }: Message, nodeId: string): boolean {
  return to === undefined || to === nodeId;
}
