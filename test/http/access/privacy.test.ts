import { get } from 'node:http';
import t from 'tap';
import { sampleDetection, sampleTrack } from '../../../src/http/openapi/samples.ts';
import { withoutPilot } from '../../../src/http/privacy.ts';
import { waitFor } from '../../support/basics/wait.ts';
import { parseEvents } from '../../support/http/event_parser.ts';
import { keyOf, person } from '../../support/http/person.ts';
import { ask, type Rig, startRig } from '../../support/http/server.ts';

/** What tells of a pilot in the documents of this file. */
const pilot = /"operator":\{|"takeoff":\{|operator_id":"|AUT-OP/;
const operator = { lat: 48.2, lon: 16.3, type: 'live_gnss', operator_id: 'AUT-OP-1' } as const;
const takeoff = { lat: 48.2, lon: 16.3 };

function textOfStream(t: { teardown(stop: () => unknown): unknown }, rig: Rig, headers: Record<string, string>) {
  const seen = { text: '' };
  const request = get(`${rig.url}/v1/stream?world=live`, { agent: false, headers }, (response) => {
    response.setEncoding('utf8').on('error', () => {});
    response.on('data', (piece) => {
      seen.text += piece;
    });
  });
  request.on('error', () => {});
  t.teardown(() => request.destroy());
  return seen;
}

const eventsOf = (seen: { text: string }) => parseEvents(seen.text).events;

t.test('where the owner says so, a viewer is told of no pilot, and everybody else is', async (t) => {
  const rig = await startRig(t, { privacy: { viewerSeesPilot: false } });
  const viewers = [(await person(rig, 'vera', 'viewer')).headers, { 'x-api-key': keyOf(rig, 'viewer').secret }];
  const others = [(await person(rig, 'otto', 'operator')).headers, { 'x-api-key': keyOf(rig, 'owner').secret }];
  const paths = ['/picture', '/picture?world=live', '/tracks', `/tracks/${sampleTrack.id}`, '/detections'];
  for (const path of paths) {
    for (const headers of viewers) {
      const { status, text } = await ask(`${rig.url}/v1${path}`, { headers });
      t.equal(status, 200);
      t.notMatch(text, pilot, path);
    }
    if (path === '/detections') continue;
    for (const headers of others) t.match((await ask(`${rig.url}/api${path}`, { headers })).text, pilot, path);
  }
  t.match((await ask(`${rig.url}/api/picture`)).text, pilot, 'the open surface as an owner');
});

t.test('the same holds of streams, from the first event to the last', async (t) => {
  const rig = await startRig(t, { privacy: { viewerSeesPilot: false } });
  const vera = textOfStream(t, rig, (await person(rig, 'vera', 'viewer')).headers);
  const otto = textOfStream(t, rig, (await person(rig, 'otto', 'operator')).headers);
  await waitFor(() => eventsOf(vera).length === 1 && eventsOf(otto).length === 1);
  rig.service.feed.change('track_new', { ...sampleTrack, operator, takeoff });
  rig.service.feed.change('track_update', { id: sampleTrack.id, operator });
  rig.service.feed.change('track_update', { id: sampleTrack.id, takeoff });
  rig.service.feed.change('track_update', { id: sampleTrack.id, quality: 3 });
  rig.service.feed.change('assignment_update', { id: sampleTrack.id, operator: 'police' });
  rig.service.feed.flush();
  await waitFor(() => eventsOf(vera).length === 6 && eventsOf(otto).length === 6);
  t.notMatch(vera.text, pilot);
  t.match(otto.text, pilot);
  const bodies = eventsOf(vera).map(({ body }) => body as Record<string, unknown>);
  t.same(bodies[2], { id: sampleTrack.id, operator: null });
  t.same(bodies[3], { id: sampleTrack.id, takeoff: null });
  t.same(bodies[4], { id: sampleTrack.id, quality: 3 }, 'what was not told is not made known as null');
  t.equal(bodies[5]?.operator, 'police', 'who operates our own aircraft is another matter');
  t.same(
    eventsOf(vera).map(({ id }) => id),
    eventsOf(otto).map(({ id }) => id),
    'the numbers are the same',
  );
  const headers = (await person(rig, 'vic', 'viewer')).headers;
  const back = await new Promise<string>((resolve) => {
    const request = get(`${rig.url}/v1/stream?last_event_id=e1:0`, { agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', () => {});
      response.on('data', (piece) => {
        text += piece;
        if (parseEvents(text).events.length === 6) {
          request.destroy();
          resolve(text);
        }
      });
    });
    request.on('error', () => {});
  });
  t.notMatch(back, pilot, 'what was missed is told without pilots too');
});

t.test('by default a viewer sees what everybody sees', async (t) => {
  const rig = await startRig(t);
  const { headers } = await person(rig, 'vera', 'viewer');
  t.match((await ask(`${rig.url}/v1/tracks`, { headers })).text, pilot);
});

t.test('no distance of the pilot and no identity that repeats the operator id reaches a viewer', async (t) => {
  const at = sampleTrack.last_seen_at;
  const identities = [
    ...sampleTrack.identities,
    {
      type: 'caa' as const,
      value: operator.operator_id,
      transport: 'bt5' as const,
      first_seen_at: at,
      last_seen_at: at,
    },
  ];
  const object = { sensor_id: sampleTrack.id, node_id: 'n', object_id: null, derived_from: [], at };
  const lineage = [{ ...object, identity: operator.operator_id }];
  const far = { id: 'operator_far' as const, text: 'the position that it reports for its pilot is 23.4 km away' };
  const integrity = { verdict: 'suspect' as const, score: 0.2, reasons: [far] };
  const rig = await startRig(t, { privacy: { viewerSeesPilot: false } });
  const vera = textOfStream(t, rig, (await person(rig, 'vera', 'viewer')).headers);
  await waitFor(() => eventsOf(vera).length === 1);
  rig.service.feed.change('track_update', { id: sampleTrack.id, operator, identities, lineage });
  rig.service.feed.change('track_update', { id: sampleTrack.id, integrity });
  rig.service.feed.flush();
  await waitFor(() => eventsOf(vera).length === 3);
  const [, named, judged] = eventsOf(vera).map(({ body }) => body);
  t.same(named, {
    ...{ id: sampleTrack.id, operator: null, identities: sampleTrack.identities },
    lineage: [{ ...object, identity: null }],
  });
  const text = 'the position that it reports for its pilot is too far away';
  const shown = { ...integrity, reasons: [{ id: 'operator_far', text }] };
  t.same(judged, { id: sampleTrack.id, integrity: shown });
  t.match(withoutPilot({ ...sampleTrack, operator: null, takeoff: null, integrity }), { integrity: shown });
  const observed = { ...sampleDetection, operator, identity: identities };
  t.match(withoutPilot(observed), { operator: null, identity: sampleTrack.identities });
  t.notMatch(JSON.stringify(withoutPilot(observed)), pilot);
});
