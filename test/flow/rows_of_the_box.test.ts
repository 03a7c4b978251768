import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';
import { StreamClient, type StreamEvent } from '../support/http/stream_client.ts';

takeTime(t, 120);

const isLevel = ({ event, data }: StreamEvent): boolean => event === 'log' && data.body.kind === 'log.level';

t.test(
  'only owners read the log rows about the whole box in the stream; no number is missing for others',
  async (t) => {
    const daemon = await startDaemon(t);
    const anna = await firstOwner(t, daemon);
    const ben = await anna.member('ben', 'operator');
    const streamOf = (member: Member, query = ''): Promise<StreamClient> =>
      StreamClient.open(t, daemon, query, member.headers());
    const [ofAnna, ofBen] = [await streamOf(anna), await streamOf(ben)];
    const lightOfBen = await streamOf(ben, '?profile=light');
    const before = ofBen.events.at(-1)?.id;
    await anna.get('PUT', '/v1/log-level', { level: 'debug' });
    const [whole, bare] = [await ofAnna.next(isLevel), await ofBen.next(isLevel)];
    t.match(whole.data.body, { actor: { name: 'anna' }, before: { level: 'info' }, after: { level: 'debug' } });
    const { id, seq, at, kind, severity } = whole.data.body;
    t.match(bare, {
      id: whole.id,
      data: { seq: whole.data.seq, at: whole.data.at, body: { id, seq, at, kind, severity } },
    });
    t.match(bare.data.body, {
      ...{ text: 'An event of the whole box, which only owners may read.', actor: { type: 'system' } },
      ...{ subject: null, before: null, after: null, reason: null, correlation_id: null, hash: null, prev_hash: null },
    });
    t.notMatch(JSON.stringify(bare), /anna|debug/);
    t.same((await lightOfBen.next(isLevel)).data, bare.data);

    const again = await (await streamOf(ben, `?last_event_id=${before}`)).next(isLevel);
    t.same(again, bare, 'a client that comes back is sent no more');
    const own = await (await streamOf(anna, `?last_event_id=${before}`)).next(isLevel);
    t.same(own, whole);

    await anna.get('POST', '/v1/zones', {
      ...{ name: 'apron', kind: 'warning' },
      geometry: { type: 'Point', coordinates: [8.5, 47.4], radius_m: 100 },
    });
    const zone = await ofBen.next(({ event }) => event === 'zone_update');
    t.match(zone.data.body, { name: 'apron' }, 'other rows stay whole');
  },
);
