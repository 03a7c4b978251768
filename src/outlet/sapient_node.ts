import type { Registration } from '../edge/wire/sapient/message.ts';
import type { SapientPart } from '../edge/wire/sapient/schema.ts';
import { visible } from '../edge/wire/sapient/visible.ts';
import type { EncoderDeps } from './kinds.ts';

/** This box as the node of an outlet. */
export type OutletNode = EncoderDeps & {
  registration(): Registration;
  /** Parent node; the id is null until that node has answered. */
  parent: { id: string | null };
};

/**
 * Returns the ids of the nodes below this box. The id of the parent node is left out, even if a node below has the same
 * id. Otherwise the parent node would refuse this box as an echo of itself.
 */
export function dependentsOf({ picture, parent }: Pick<OutletNode, 'picture' | 'parent'>): string[] {
  return picture.sapientNodes().filter((id) => id !== parent.id);
}

type Message = SapientPart<'SapientMessage'>;

/** Limit of a peer's text that is shown, characters. */
const MOST_TEXT = 400;

/** Joins the reasons that a peer gave on one line. */
export function reasonsOf(texts: readonly string[] | undefined): string {
  return visible(texts?.join('; '), MOST_TEXT) || 'no reason given';
}

/** Returns true for messages to this node. A middleware also passes on messages to other nodes. */
export function isFor({ destination_id: to }: Message, nodeId: string): boolean {
  return to === undefined || to === nodeId;
}
