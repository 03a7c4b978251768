import t from 'tap';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { idleSim } from '../../src/model/picture.ts';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { formatTime } from '../../src/model/time.ts';
import type { Track } from '../../src/model/track.ts';
import { ROW_WIDTH, stateCodes } from '../../src/model/track_row.ts';
import { PictureState } from '../../src/picture/picture.ts';
import { LogCounter } from '../../src/store/log_counter.ts';
import { EventLog } from '../../src/world/event_log.ts';
import { TrackNews } from '../../src/world/track_news.ts';

/** The log rows of a restored track when its first row arrives. `know` is false for a track that was not logged yet. */
function logged(track: Track, know: boolean): LogEvent[] {
  const rows: LogEvent[] = [];
  const picture = new PictureState(
    { epoch: 'e', workspaceId: 'wsp_x', trackHz: 1, environment: 'live', unwatched: false },
    {
      ...{ nowMs: () => 0, publishMs: () => 0, sim: () => idleSim, timeText: formatTime, mslOfHae: (hae) => hae },
      ...{ groundAltHaeM: () => null, alerts: () => [], engagements: () => [], provenance: 'live' },
    },
  );
  const events = new EventLog(
    new LogCounter(0),
    () => 0,
    'live',
    (event) => rows.push(event),
  );
  const news = new TrackNews(events, picture);
  picture.restore(1, track);
  if (know) news.know(1, { ...track, integrity: { verdict: 'unchecked', score: 0.5, reasons: [] } });
  const row = new Float64Array(ROW_WIDTH);
  row[TRACK.number] = 1;
  row[TRACK.state] = stateCodes.indexOf('lost');
  row[TRACK.verdict] = 2;
  news.take({ rows: row, cards: [], removed: [], received: new Float64Array(), nowMs: 0 } as never, []);
  return rows;
}

const far = { id: 'operator_far' as const, text: 'the position that it reports for its pilot is 23.4 km away' };
const suspect: Track = { ...sampleTrack, integrity: { verdict: 'suspect', score: 0.2, reasons: [far] } };

t.test('no log row about a track contains the distance of its pilot', (t) => {
  const text = 'the position that it reports for its pilot is too far away';
  const after = { verdict: 'suspect', reasons: [{ id: 'operator_far', text }] };
  t.match(logged(suspect, true), [{ kind: 'track.integrity', text: new RegExp(text), after }]);
  t.match(logged(suspect, false), [{}, { kind: 'track.confirmed', after: { integrity: after } }]);
  t.notMatch(JSON.stringify([logged(suspect, true), logged(suspect, false)]), /23\.4/);
  t.end();
});

t.test('no log row about a track is named by an identity that repeats the operator id', (t) => {
  const [first] = sampleTrack.identities;
  const operator = { lat: null, lon: null, type: 'fixed', operator_id: first?.value ?? '' } as const;
  const rows = logged({ ...sampleTrack, operator, identities: first ? [first] : [] }, false);
  t.match(rows[0], { kind: 'track.new', text: /it reports no identity/ });
  t.notMatch(JSON.stringify(rows), new RegExp(operator.operator_id));
  t.end();
});
