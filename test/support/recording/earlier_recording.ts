import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { segmentName } from '../../../src/recording/format.ts';

const file = new URL('../../../../test/fixtures/recordings/earlier_version.dunlinrec.gz', import.meta.url);

/** Puts a recording of an earlier version of the service into a folder: rows of every table, and two seconds of three links. */
export function writeEarlierRecording(folder: string): void {
  writeFileSync(join(folder, segmentName(1)), gunzipSync(readFileSync(file)));
}
