import t from 'tap';
import { decodeSapient, SapientFault } from '../../../../src/edge/wire/sapient/decode.ts';
import { sapientFrame } from '../../../../src/edge/wire/sapient/encode.ts';
import { sapientCases, sapientDataMissing } from '../../../support/sapient/shared_messages.ts';

const skip = sapientDataMissing;

/** `late` and `ahead` are well formed: their time is judged by the feed. */
const isOfTime = (id: string): boolean => /\.(?:late|ahead)$/.test(id);

t.test('every message is taken or refused as the reference validator does', { skip }, async (t) => {
  const cases = sapientCases();
  t.ok(cases.length > 150, `${cases.length} messages`);
  for (const { id, frame, valid, apex } of cases) {
    const sentence = refusalOf(Buffer.from(frame, 'base64'));
    if (valid || isOfTime(id)) t.equal(sentence, null, id);
    else t.type(sentence, 'string', `${id}: ${apex[0]}`);
  }
});

t.test('a refusal names the field that the reference validator names', { skip }, async (t) => {
  for (const { id, frame, valid, apex } of sapientCases()) {
    const named = apex.map((text) => text.replace(/ .*/, '').replace(/\.\d+(?=\.|$)/g, '')).at(-1);
    if (valid || isOfTime(id) || named === undefined || named === 'crash:') continue;
    const path = refusalOf(Buffer.from(frame, 'base64'))?.replace(/: .*/, '');
    t.equal(path, named === '(root)' ? 'message' : named, id);
  }
});

t.test('every good message says what its JSON says, and is encoded to the same bytes', { skip }, async (t) => {
  for (const { id, frame, json } of sapientCases()) {
    if (json === undefined) continue;
    const bytes = Buffer.from(frame, 'base64');
    const message = decodeSapient(bytes);
    t.same(plain(message), plainJson(json), id);
    t.same(Buffer.from(sapientFrame(message)).subarray(4).toString('hex'), bytes.toString('hex'), `${id}, encoded`);
  }
});

function refusalOf(bytes: Uint8Array): string | null {
  try {
    decodeSapient(bytes);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof SapientFault)) throw thrown;
    return thrown.message;
  }
}

/** A decoded message with times as text, and 32-bit numbers as JSON has them. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(7));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('seconds' in value) return timeText(value as { seconds: number; nanos?: number });
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

const timeText = ({ seconds, nanos = 0 }: { seconds: number; nanos?: number }): string =>
  new Date(seconds * 1000 + nanos / 1e6).toISOString();

const prefix =
  /^(?:NODE_TYPE|TIME_UNITS|LOCATION_COORDINATE_SYSTEM|RANGE_BEARING_COORDINATE_SYSTEM|LOCATION_DATUM|RANGE_BEARING_DATUM|STATUS_REPORT_CATEGORY|MODE_TYPE|SCAN_TYPE|TRACKING_TYPE|DETECTION_REPORT_CATEGORY|CONFIDENCE_DEFINITION|SPEED_UNITS|REGION_TYPE|OPERATOR|COMMAND_TYPE|SYSTEM|INFO|CONTROL|DISCRETE_THRESHOLD|TASK_STATUS|ALERT_TYPE|ALERT_STATUS|DISCRETE_PRIORITY|ALERT_ACK_STATUS|STATUS_LEVEL|STATUS_TYPE|ASSOCIATION_RELATION)_/;

function plainJson(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(7));
  if (typeof value === 'string') return value.replace(prefix, '');
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainJson(one)]));
}
