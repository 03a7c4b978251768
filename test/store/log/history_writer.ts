import { writeSync } from 'node:fs';
import { createHistoryLog } from '../../../src/store/log/history.ts';
import { detectionAt, detectionRow, eventAt } from '../../support/store/history_rows.ts';

// A program of its own: appends rows for ever and prints how many events are committed.
const log = createHistoryLog({
  dataDir: process.argv[2] ?? '',
  retention: { prunedBefore: null, bytes: 1e9 },
  onFault: (fault) => writeSync(2, `${fault.message}\n`),
});
await log.start();
let seq = await log.lastEventSeq();
for (;;) {
  for (let i = 0; i < 300; i++) {
    log.append('detection', detectionRow(detectionAt(Date.now())));
    log.append('event', eventAt(Date.now(), ++seq));
  }
  // An answer to a question says that everything before it is committed.
  writeSync(1, `${await log.lastEventSeq()}\n`);
}
