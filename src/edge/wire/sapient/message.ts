import type { SapientPart } from './schema.ts';

export type Registration = SapientPart<'Registration'>;
export type StatusReport = SapientPart<'StatusReport'>;
export type DetectionReport = SapientPart<'DetectionReport'>;
export type Alert = SapientPart<'Alert'>;
export type Task = SapientPart<'Task'>;
export type Location = SapientPart<'Location'>;
export type RangeBearing = SapientPart<'RangeBearing'>;

/** Well-formed message of one node. */
export type SapientMessage = {
  kind: 'sapient';
  nodeId: string;
  /** Time of sending by the node's own clock, UTC ms. */
  sentMs: number;
  message: SapientPart<'SapientMessage'>;
};

/** Frame that was refused and counted; SAPIENT requires an answer to it. */
export type SapientRefusal = {
  kind: 'sapient_refused';
  /** First bytes of the refused message. */
  packet: Uint8Array;
  sentence: string;
  /** True if the rest of the stream cannot be decoded. */
  isLost: boolean;
};

/** Names of the fields that hold the content of a message. */
export const contents = [
  'registration',
  'registration_ack',
  'status_report',
  'detection_report',
  'task',
  'task_ack',
  'alert',
  'alert_ack',
  'error',
] as const;
export type ContentName = (typeof contents)[number];

export function contentOf({ message }: SapientMessage): ContentName | undefined {
  return contents.find((name) => message[name] !== undefined);
}
