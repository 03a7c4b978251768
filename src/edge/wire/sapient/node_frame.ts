import { randomUUID } from 'node:crypto';
import { ulidOf } from './answers.ts';
import { sapientFrame, sapientTime } from './encode.ts';
import type { SapientPart } from './schema.ts';

/** Content of a message, without its sender, addressee and time. */
export type SapientContent = Omit<SapientPart<'SapientMessage'>, 'timestamp' | 'node_id' | 'destination_id'>;

/** Encodes a message of a node as a frame. `to` is the id of the node that it answers; null for none. */
export function nodeFrame(nodeId: string, utcMs: number, content: SapientContent, to: string | null): Uint8Array {
  const destination = to === null ? {} : { destination_id: to };
  return sapientFrame({ timestamp: sapientTime(utcMs), node_id: nodeId, ...destination, ...content });
}

/** Creates the id of a report. Its time part is random too, because BSI Flex 335 prescribes only the form. */
export function newUlid(): string {
  return ulidOf(randomUUID());
}
