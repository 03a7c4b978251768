import { randomUUID } from 'node:crypto';
import { ulidOf } from './answers.ts';
import { sapientFrame, sapientTime } from './encode.ts';
import type { SapientPart } from './schema.ts';

/** Content of a message, without its sender and its time. */
export type SapientContent = Omit<SapientPart<'SapientMessage'>, 'timestamp' | 'node_id' | 'destination_id'>;

/** A message of a node as a frame; `to` is the node that it answers. */
export function nodeFrame(nodeId: string, utcMs: number, content: SapientContent, to: string | null): Uint8Array {
  const destination = to === null ? {} : { destination_id: to };
  return sapientFrame({ timestamp: sapientTime(utcMs), node_id: nodeId, ...destination, ...content });
}

/** A new id of a report. Its time part is random too: BSI Flex 335 wants the form alone. */
export function newUlid(): string {
  return ulidOf(randomUUID());
}
