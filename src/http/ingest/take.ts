import { setImmediate } from 'node:timers/promises';
import { parseObservation } from '../../edge/wire/obs_json/parse.ts';
import type { ObservationDocument } from '../../model/observation.ts';
import type { IngestAnswer, Service } from '../service.ts';
import type { Row } from './rows.ts';

/** Rows judged between two turns of the event loop: 500 take a few milliseconds, 10 000 would hold up every stream. */
const sliceRows = 500;

/** Judges rows one by one and hands the good ones on; what is not valid, or not wanted, is told of by its index. */
export async function takeRows(rows: readonly Row[], from: string, service: Service): Promise<IngestAnswer> {
  const answer: IngestAnswer = { accepted: 0, duplicates: 0, rejected: [] };
  for (let start = 0; start < rows.length; start += sliceRows) {
    if (start > 0) await setImmediate();
    const good: ObservationDocument[] = [];
    const indexes: number[] = [];
    for (const [offset, row] of rows.slice(start, start + sliceRows).entries()) {
      const judged = judge(row);
      if ('error' in judged) answer.rejected.push({ index: start + offset, error: judged.error });
      else {
        good.push(judged.observation);
        indexes.push(start + offset);
      }
    }
    if (good.length === 0) continue;
    const taken = await service.ingest(good, from);
    answer.accepted += taken.accepted;
    answer.duplicates += taken.duplicates;
    for (const { index, error } of taken.rejected) answer.rejected.push({ index: indexes[index] ?? start, error });
  }
  answer.rejected.sort((a, b) => a.index - b.index);
  return answer;
}

function judge(row: Row): { observation: ObservationDocument } | { error: string } {
  if ('error' in row) return row;
  const parsed = parseObservation(row.value);
  return 'row' in parsed ? { observation: parsed.row } : { error: parsed.error };
}
