import type { RejectReason } from '../../../model/link.ts';
import { decodeMessage25, MESSAGE_SIZE } from '../odid/decode25.ts';
import { fieldsOf } from '../odid/fields.ts';
import type { OdidMessage } from '../odid/message.ts';
import { decodePack } from '../odid/pack.ts';
import type { DjiDroneId, DjiPurpose, FrenchBeacon, RadioBroadcast, RadioReport } from './broadcast.ts';

/** Remote ID of one radio frame with decoded messages. */
type OdidRadioReport = Omit<RadioBroadcast, 'messages'> & { messages: OdidMessage[] };

/** Message about one aircraft that a radio received. */
export type RadioMessage = OdidRadioReport | DjiDroneId | DjiPurpose | FrenchBeacon;

/** Decodes the message of a report, or returns the reason why its content cannot be read. */
export function radioMessageOf(report: RadioReport): RadioMessage | RejectReason {
  if (report.kind !== 'odid') return report;
  const messages = messagesOf(report);
  return typeof messages === 'string' ? messages : { ...report, messages };
}

function messagesOf({ pack, messages: bytes }: RadioBroadcast): OdidMessage[] | RejectReason {
  const fields = fieldsOf(bytes);
  if (pack) return decodePack(fields, 0, MESSAGE_SIZE, bytes.length / MESSAGE_SIZE);
  const message = decodeMessage25(fields, 0);
  return typeof message === 'string' ? message : [message];
}
