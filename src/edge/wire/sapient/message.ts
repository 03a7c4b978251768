import type { SapientPart } from './schema.ts';

export type Registration = SapientPart<'Registration'>;
export type StatusReport = SapientPart<'StatusReport'>;
export type DetectionReport = SapientPart<'DetectionReport'>;
export type Alert = SapientPart<'Alert'>;
export type Task = SapientPart<'Task'>;
export type Location = SapientPart<'Location'>;
export type RangeBearing = SapientPart<'RangeBearing'>;

/** A well-formed message of one node. */
export type SapientMessage = {
  kind: 'sapient';
  nodeId: string;
  /** Time at which the node sent it, by its own clock, UTC milliseconds. */
  sentMs: number;
  message: SapientPart<'SapientMessage'>;
};

/** A frame that was refused and counted, for the answer that SAPIENT wants. */
export type SapientRefusal = {
  kind: 'sapient_refused';
  /** Its first bytes. */
  packet: Uint8Array;
  sentence: string;
  /** True where the stream cannot be followed any more. */
  isLost: boolean;
};

/** Names of the contents of a message. */
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
