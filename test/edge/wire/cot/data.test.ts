import t from 'tap';
import { createCotCodec } from '../../../../src/edge/wire/cot/codec.ts';
import type { CotMessage } from '../../../../src/edge/wire/message.ts';
import { type CotCase, cotCases, cotDataMissing, type ExpectedEvent } from '../../../support/links/cot_cases.ts';

function decode({ transport, chunks }: CotCase) {
  const codec = createCotCodec({ datagrams: transport === 'udp' });
  const events: CotMessage[] = [];
  for (const chunk of chunks) codec.decode(chunk, 'peer', 0, (event) => events.push(event));
  const counted = Object.entries(codec.rejects).filter(([, count]) => count > 0);
  return { events, rejects: Object.fromEntries(counted) };
}

function asExpected(event: CotMessage): Omit<ExpectedEvent, 'claimed' | 'remarks'> {
  return {
    ...{ uid: event.uid, type: event.type, how: event.how, lat: event.latDeg, lon: event.lonDeg },
    ...{ hae_m: event.altHaeM, ce_m: event.ceM, le_m: event.leM },
    ...{ course_deg: event.courseDeg, speed_mps: event.speedMps, callsign: event.callsign },
    time: new Date(event.timeMs).toISOString(),
    stale: new Date(event.staleMs).toISOString(),
  };
}

t.test('each case of the data of the format is read as it says', { skip: cotDataMissing }, async (t) => {
  for (const one of cotCases()) {
    const { events = [], reject, rejects } = one.expect;
    const read = decode(one);
    const expected = events.map(({ claimed, remarks, ...event }) => event);
    t.strictSame(read.events.map(asExpected), expected, one.id);
    t.strictSame(read.rejects, rejects ?? (reject === undefined ? {} : { [reject]: 1 }), `${one.id}: what is refused`);
    events.forEach(({ remarks }, i) => {
      if (remarks !== undefined) t.equal(read.events[i]?.remarks, remarks, `${one.id}: its remarks`);
    });
  }
});
