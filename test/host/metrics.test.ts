import fc from 'fast-check';
import t from 'tap';
import { createLoopDelay } from '../../src/host/loop_delay.ts';
import { addProcessMetrics, createMetrics, type Metrics } from '../../src/host/metrics.ts';
import { sized } from '../support/basics/size.ts';
import { parsePage, type Sample } from './exposition.ts';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
t.comment(`seed ${seed}`);

function samplesOf(metrics: Metrics, name: string): Sample[] {
  return parsePage(metrics.text()).samples.filter((sample) => sample.name === name);
}

function readValue(metrics: Metrics, name: string, labels: Record<string, string> = {}): number | undefined {
  return samplesOf(metrics, name).find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;
}

t.test('counters and gauges read back as they were set', async (t) => {
  const metrics = createMetrics();
  const frames = metrics.counter('frames_total', 'Frames.\nSecond \\ line', ['link', 'reason']);
  const tracks = metrics.gauge('tracks', 'Tracks.');
  t.equal(readValue(metrics, 'tracks'), 0, 'a metric without labels is there from the start');
  t.same(samplesOf(metrics, 'frames_total'), []);
  frames.add(1, { link: 'rid', reason: 'crc' });
  frames.add(2, { reason: 'crc', link: 'rid' });
  frames.add(undefined, { link: 'rid' });
  frames.add(-5, { link: 'rid', reason: 'crc' });
  tracks.set(7.5);
  const page = parsePage(metrics.text());
  t.equal(page.types.get('frames_total'), 'counter');
  t.equal(page.helps.get('frames_total'), 'Frames.\\nSecond \\\\ line');
  t.equal(readValue(metrics, 'frames_total', { link: 'rid', reason: 'crc' }), 3, 'a counter never falls');
  t.equal(readValue(metrics, 'frames_total', { link: 'rid', reason: '' }), 1);
  t.equal(readValue(metrics, 'tracks'), 7.5);
});

t.test('any label value and any number survives the page', async (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const row = fc.tuple(text, text, fc.double());
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: ([a, b]) => JSON.stringify([a, b]), maxLength: 20 }), (rows) => {
      const kept = rows.filter(([a, b]) => a !== 'other' || b !== 'other');
      const metrics = createMetrics();
      const gauge = metrics.gauge('g', 'h', ['a', 'b']);
      for (const [a, b, value] of kept) gauge.set(value, { a, b });
      return kept.every(([a, b, value]) => Object.is(Number(readValue(metrics, 'g', { a, b })) + 0, value + 0));
    }),
    { seed, numRuns: sized(300) },
  );
  t.pass('300 pages');
});

t.test('half a character cannot make two series of one name', async (t) => {
  const metrics = createMetrics();
  const gauge = metrics.gauge('g', 'h', ['a']);
  for (const a of ['\ud800', '\udfff', '\ufffd', `${'x'.repeat(119)}😀`, `${'x'.repeat(119)}😁`]) gauge.set(1, { a });
  t.equal(parsePage(Buffer.from(metrics.text()).toString()).samples.length, 2);
});

t.test('a metric has at most 1000 series, and what is over is counted under other', async (t) => {
  const metrics = createMetrics();
  const counter = metrics.counter('seen_total', 'Seen.', ['sender', 'link']);
  // Somebody really is called so: it must not become a second line of the same name.
  counter.add(1, { sender: 'other', link: 'other' });
  for (let i = 0; i < 5_000; i++) counter.add(1, { sender: `mac ${i}`, link: 'a' });
  counter.add(1, { sender: 'mac 0', link: 'a' });
  const samples = samplesOf(metrics, 'seen_total');
  t.equal(samples.length, 1_000);
  t.equal(
    samples.reduce((sum, { value }) => sum + value, 0),
    5_002,
    'nothing is lost',
  );
  t.equal(readValue(metrics, 'seen_total', { sender: 'mac 0', link: 'a' }), 2);
  t.equal(readValue(metrics, 'seen_total', { sender: 'other', link: 'other' }), 4_002);
  t.equal(readValue(metrics, 'dunlin_metrics_overflow_total', { metric: 'seen_total' }), 4_002);
});

t.test('a histogram counts into cumulative buckets with sum and count', async (t) => {
  const metrics = createMetrics();
  const histogram = metrics.histogram('wait_seconds', 'Wait.', [0.1, 1, 10], ['route']);
  for (const value of [0.05, 0.1, 0.5, 10, 11, 1_000]) histogram.observe(value, { route: '/a"b' });
  const buckets = samplesOf(metrics, 'wait_seconds_bucket').map(({ labels, value }) => [labels.le, value]);
  t.same(buckets, [
    ['0.1', 2],
    ['1', 3],
    ['10', 4],
    ['+Inf', 6],
  ]);
  t.equal(readValue(metrics, 'wait_seconds_count', { route: '/a"b' }), 6);
  t.ok(Math.abs(Number(readValue(metrics, 'wait_seconds_sum', { route: '/a"b' })) - 1_021.65) < 1e-9);
  t.equal(parsePage(metrics.text()).types.get('wait_seconds'), 'histogram');
});

t.test('the buckets of a histogram hold exactly the values at most their bound', async (t) => {
  const bounds = fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(bounds, fc.array(fc.integer({ min: -60, max: 60 })), (unsorted, values) => {
      const sorted = [...unsorted].sort((a, b) => a - b);
      const metrics = createMetrics();
      const histogram = metrics.histogram('h', 'h', sorted);
      for (const value of values) histogram.observe(value);
      return samplesOf(metrics, 'h_bucket').every(({ labels, value }) => {
        const bound = labels.le === '+Inf' ? Infinity : Number(labels.le);
        return value === values.filter((observed) => observed <= bound).length;
      });
    }),
    { seed, numRuns: sized(200) },
  );
  t.pass('200 histograms');
});

t.test('a metric that somebody else keeps is read when the page is asked for', async (t) => {
  const metrics = createMetrics();
  let links = ['a', 'b'];
  metrics.read('gauge', 'link_up', 'Up.', ['link'], (put) => links.forEach((link, i) => void put(i, { link })));
  t.same(
    samplesOf(metrics, 'link_up').map(({ labels, value }) => [labels.link, value]),
    [
      ['a', 0],
      ['b', 1],
    ],
  );
  links = ['c'];
  t.same(
    samplesOf(metrics, 'link_up').map(({ labels }) => labels.link),
    ['c'],
  );
});

t.test('a source that throws is left out and counted; the others stand', async (t) => {
  const metrics = createMetrics();
  metrics.read('gauge', 'broken', 'Broken.', [], () => {
    throw new Error('gone');
  });
  metrics.gauge('fine', 'Fine.').set(1);
  t.same(samplesOf(metrics, 'broken'), []);
  t.equal(readValue(metrics, 'fine'), 1);
  t.ok(Number(readValue(metrics, 'dunlin_metrics_failed_total', { metric: 'broken' })) >= 2);
});

t.test('a removed series of a gauge is gone, and makes room', async (t) => {
  const metrics = createMetrics();
  const gauge = metrics.gauge('g', 'h', ['link']);
  for (let i = 0; i < 10_000; i++) {
    gauge.set(i, { link: `${i}` });
    gauge.remove({ link: `${i}` });
  }
  t.same(samplesOf(metrics, 'g'), []);
  t.equal(readValue(metrics, 'dunlin_metrics_overflow_total', { metric: 'g' }), undefined);
});

t.test('a name that is none, or taken, and buckets that do not rise are refused at once', async (t) => {
  const metrics = createMetrics();
  metrics.gauge('g', 'h');
  t.throws(() => metrics.counter('g', 'h'), { message: 'the metric g is declared twice' });
  t.throws(() => metrics.counter('a-b', 'h'), TypeError);
  t.throws(() => metrics.counter('c', 'h', ['le"']), TypeError);
  t.throws(() => metrics.histogram('h', 'h', [1, 1]), TypeError);
  t.throws(() => metrics.histogram('h', 'h', []), TypeError);
  t.throws(() => metrics.histogram('h', 'h', [Infinity]), TypeError);
});

t.test('the process says what it costs', async (t) => {
  const metrics = createMetrics();
  const delay = createLoopDelay();
  delay.start();
  t.teardown(() => delay.stop());
  addProcessMetrics(metrics, delay);
  t.ok(Number(readValue(metrics, 'process_cpu_seconds_total')) > 0);
  t.ok(Number(readValue(metrics, 'process_resident_memory_bytes')) > 1e7);
  t.ok(Number(readValue(metrics, 'process_open_fds')) > 2);
  const started = Number(readValue(metrics, 'process_start_time_seconds'));
  t.ok(Math.abs(Date.now() / 1_000 - process.uptime() - started) < 5);
  t.ok(Number(readValue(metrics, 'nodejs_eventloop_delay_p99_seconds')) >= 0);
});

t.test('a blocked event loop shows in its delay', async (t) => {
  const delay = createLoopDelay();
  t.equal(delay.p99Ms(), 0);
  delay.start();
  t.teardown(() => delay.stop());
  const deadline = performance.now() + 10_000;
  while (delay.p99Ms() < 100 && performance.now() < deadline) {
    // Longer than the interval of samples, so that each block holds one back.
    const until = performance.now() + 600;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  t.ok(delay.p99Ms() >= 100, `${Math.round(delay.p99Ms())} ms`);
  delay.stop();
  t.equal(delay.p99Ms(), 0);
});
