import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { sensorRows } from '../../src/store/sensors.ts';
import { openState } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';

// A program of its own: inserts sensors for ever, every second one unsynced, and prints the id of each when the write has returned.
const state = openState(process.argv[2] ?? '');
const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
const rows = sensorRows(state);
for (let turn = 0; ; turn++) {
  const id = randomUUID();
  const insert = (): void =>
    rows.insert({
      id,
      workspaceId,
      environment: 'live',
      name: id,
      modality: 'radar',
      placement: null,
      heartbeatS: 60,
      quietOk: false,
      detection: null,
      declaredBy: 'manual',
      linkId: null,
      version: 1,
      createdAt: '2026-03-04T12:00:00.000Z',
      updatedAt: '2026-03-04T12:00:00.000Z',
    });
  if (turn % 2 === 0) state.write('The sensor', insert);
  else state.writeUnsynced('The sensor', insert);
  writeSync(1, `${id}\n`);
}
