import t from 'tap';
import type { Detection } from '../../src/model/detection.ts';
import type { Track } from '../../src/model/track.ts';
import { type GoldenLine, goldenLines, goldenMissing, type Normalised } from '../edge/wire/odid/golden.ts';
import { metresBetween } from '../support/basics/place.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { detections, linkOf, pilotOf, tracksOf } from '../support/daemon/watch.ts';
import { paced, type Send, udpSender } from '../support/links/senders.ts';

const options = { skip: goldenMissing };
const link = ['--link', 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink'];
const lines = goldenMissing ? [] : [...goldenLines('odid_frames.jsonl'), ...goldenLines('odid_packs.jsonl')];
const macOf = ({ si }: GoldenLine): string | undefined => (si?.id_or_mac as { mac?: string } | null)?.mac;

const typeOf: Record<number, string> = { 12900: 'basic_id', 12901: 'location', 12904: 'system', 12905: 'operator_id' };

/** The normalised messages of a line with their types, of a pack all of them. */
function messagesOf(line: GoldenLine): Normalised[] {
  if (line.messages_si) return line.messages_si;
  const type = typeOf[line.msgid ?? 0];
  return type && line.si && !line.out_of_range ? [{ ...line.si, type }] : [];
}

function only(messages: Normalised[], type: string): Normalised[] {
  return messages.filter((message) => message.type === type);
}

/** Sends lines as transmitters do, each more than once, and waits until the daemon has taken or refused them all. */
async function broadcast(daemon: Daemon, send: Send, sent: readonly GoldenLine[]): Promise<void> {
  const frames = sent.map(({ hex }) => Buffer.from(hex, 'hex'));
  await paced(frames.length * 2, 1, (turn) => send(frames[turn % frames.length] as Buffer));
  const bytes = 2 * Buffer.concat(frames).length;
  await until(async () => (await linkOf(daemon, 'rid')).rx_bytes >= bytes, 'every frame is received');
}

/**
 * Nearly all golden aircraft carry one serial, and would rightly be one track. These carry a name of their own, or
 * none; the first is the one with the common serial.
 */
const distinct = ['00:00', '00:10', '00:13', '00:16', '00:23', '00:24', '00:25', '00:27', '00:28', '00:34'];

t.test('golden aircraft stand in the picture as they describe themselves', options, async (t) => {
  const daemon = await startDaemon(t, { args: link });
  const macs = [...distinct.map((end) => `AA:BB:CC:00:${end}`), '12:34:56:78:9A:BC'];
  const chosen = lines.filter((line) => macs.includes(macOf(line) ?? ''));
  const startMs = performance.now();
  await broadcast(daemon, udpSender(t, await daemon.port('rid')), chosen);
  const sentForS = (performance.now() - startMs) / 1000;
  for (const mac of macs) {
    const own = chosen.filter((line) => macOf(line) === mac);
    const messages = own.flatMap(messagesOf);
    const named = `${mac}: ${own[0]?.case}`;
    const [track, ...more] = await until(async () => {
      const found = await tracksOf(daemon, mac);
      return found[0]?.identities.length === 1 + claimedBy(messages).length ? found : null;
    }, `${named} is a track with all its names`);
    t.equal(more.length, 0, named);
    if (!track) continue;
    t.same(carriedBy(track), claimedBy(messages), named);
    checkPlace(track, only(messages, 'location').at(-1), named);
    checkPilot(track, only(messages, 'system').at(-1), only(messages, 'operator_id').at(-1), named);
  }

  function claimedBy(messages: readonly Normalised[]): string[] {
    const values = messages.map(({ uas_id }) => uas_id).filter((value) => typeof value === 'string');
    return [...new Set(values)].sort();
  }

  function carriedBy({ identities }: Track): string[] {
    const named = identities.filter(({ type }) => type !== 'mac');
    return named.map(({ value }) => value).sort();
  }

  /**
   * Checks the place of a track. An aircraft that reports one place twice, with a speed, may be farther on by its speed
   * times the interval.
   */
  function checkPlace(track: Track, location: Normalised | undefined, named: string): void {
    if (!location || location.lat === null) {
      t.equal(track.position, null, `${named}: no place is invented`);
      return;
    }
    const { position } = track;
    const there = { lat: location.lat as number, lon: location.lon as number };
    const flownM = ((location.speed_h_ms as number | null) ?? 0) * sentForS;
    const climbedM = Math.abs((location.speed_v_ms as number | null) ?? 0) * sentForS;
    const highM = Math.abs((position?.alt_hae_m ?? Number.NaN) - (location.alt_geo_m as number));
    const awayM = position ? metresBetween(position, there) : Number.NaN;
    t.ok(
      awayM < 1 + flownM,
      `${named}: place, ${awayM.toFixed(1)} m away; flown in ${sentForS.toFixed(2)} s: ${flownM.toFixed(1)} m`,
    );
    t.ok(highM < 0.6 + climbedM, `${named}: altitude`);
    const height = location.height_ref === 0 ? position?.height_takeoff_m : position?.alt_agl_m;
    t.equal(height, location.height_m, `${named}: height`);
  }

  function checkPilot(track: Track, system?: Normalised, operator?: Normalised, named = ''): void {
    if (operator?.op_id) t.equal(track.operator?.operator_id, operator.op_id, `${named}: operator`);
    if (system?.op_lat == null) return;
    const there = { lat: system.op_lat as number, lon: system.op_lon as number };
    t.ok(metresBetween(pilotOf(track), there) < 0.1, `${named}: pilot`);
    t.equal(track.operator?.type, ['takeoff', 'live_gnss', 'fixed'][system.op_loc_type as number], `${named}: label`);
  }
});

t.test('every golden frame is taken, and every location in range is kept as it was sent', options, async (t) => {
  const daemon = await startDaemon(t, { args: link });
  await broadcast(daemon, udpSender(t, await daemon.port('rid')), lines);
  const { rejects, rx_msgs } = await linkOf(daemon, 'rid');
  const broken = lines.filter(({ pack_ok }) => pack_ok === false).length;
  t.ok(rejects.length + rejects.malformed >= 2 * (broken - 1), 'broken packs are counted');
  t.ok(rx_msgs >= 2 * (lines.length - broken), 'everything else is heard');
  t.ok(
    rejects.implausible >= 2 * lines.filter(({ out_of_range }) => out_of_range).length,
    'and the impossible is told of',
  );

  const wanted = lines.flatMap((line) =>
    only(messagesOf(line), 'location')
      .filter(({ lat }) => lat !== null && macOf(line))
      .map((location) => ({ mac: macOf(line) ?? '', location, named: line.case })),
  );
  const isOf = (row: Detection, mac: string): boolean => row.identity?.some(({ value }) => value === mac) ?? false;
  const rows = await until(async () => {
    const found = await detections(daemon, '');
    return wanted.every(({ mac }) => found.some((row) => row.position && isOf(row, mac))) ? found : null;
  }, 'the history holds a place of each aircraft');
  for (const { mac, location, named } of wanted) {
    const same = rows.some((row) => isOf(row, mac) && isSame(row, location));
    t.ok(same, `${mac} ${named}`);
  }
  const impossible = rows.filter((row) => isOf(row, 'AA:BB:CC:EE:EE:01'));
  t.ok(impossible.length > 0 && impossible.every(({ position }) => position === null), 'nothing impossible is placed');
  t.equal((await daemon.request('/api/health')).status, 200);
  t.equal((await tracksOf(daemon, 'AA:BB:CC:EE:EE:01'))[0]?.position, null);
});

/** Whether a detection says what the location says; what the track's document leaves out included. */
function isSame({ position, velocity }: Detection, l: Normalised): boolean {
  const near = (a: unknown, b: unknown, within: number): boolean =>
    a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= within);
  const height = l.height_ref === 0 ? position?.height_takeoff_m : position?.alt_agl_m;
  return (
    near(position?.lat, l.lat, 0) &&
    near(position?.lon, l.lon, 0) &&
    near(position?.alt_hae_m, l.alt_geo_m, 0.001) &&
    near(height, l.height_m, 0.001) &&
    near(velocity?.speed_mps ?? null, l.speed_h_ms, 0.001) &&
    near(velocity?.climb_mps ?? null, l.speed_v_ms, 0.001) &&
    near(velocity?.course_deg ?? null, l.direction_deg, 0.001)
  );
}
