import t from 'tap';
import { checkTime, sourceFinding, type TimeBox } from '../../../src/cli/doctor/time_checks.ts';

const now = Date.UTC(2026, 10, 27, 12);

/** A box with the output of programs and the content of files that a test gives. */
function box(programs: Record<string, string>, files: Record<string, string>, pulses: string[] = []): TimeBox {
  return {
    run: (program) => programs[program] ?? null,
    read: (path) => files[path] ?? null,
    list: () => pulses,
    nowMs: () => now,
  };
}

const http = { listen: '127.0.0.1:0', tls: null };
const look = async (of: TimeBox) =>
  Object.fromEntries(
    (await checkTime(http, false, of)).map(({ check, state, text, advice }) => [check, { state, text, advice }]),
  );

t.test('chrony, battery clock, pulse and boot are told with their offsets', async (t) => {
  const tracking = '50505300,PPS,1,1795780800.1,-0.000000123,0.0,0.0,-3.1,0.0,0.01,0.000001,0.00002,16.1,Normal\n';
  const good = box(
    { chronyc: tracking },
    { '/sys/class/rtc/rtc0/since_epoch': `${now / 1_000 - 2}\n`, '/proc/uptime': '7200.5 100.1\n' },
    ['pps0'],
  );
  t.match(await look(good), {
    'time source': { state: 'unknown' },
    'time server': { state: 'ok', text: 'chrony follows PPS (stratum 1); the system clock is 0.000000 s off' },
    'battery clock': { state: 'ok', text: 'rtc0 shows 2026-11-27T11:59:58.000Z, 2 s behind the system clock' },
    'pulse per second': { state: 'ok', text: /the system clock is the better source/ },
    boot: { state: 'ok', text: 'booted at 2026-11-27T09:59:59.500Z by the present clock, 2.0 h ago' },
  });
});

t.test('a box that nothing keeps right is told what to do', async (t) => {
  const shown = 'NTP=no\nNTPSynchronized=no\n';
  const poor = box({ timedatectl: shown }, { '/sys/class/rtc/rtc0/since_epoch': `${now / 1_000 + 3_600}` }, ['pps0']);
  t.match(await look(poor), {
    'time server': {
      state: 'warning',
      text: /the kernel reports the system clock as not synchronised/,
      advice: /set-ntp true/,
    },
    'battery clock': { state: 'warning', text: /3600 s ahead of/, advice: /hwclock --systohc/ },
    'pulse per second': {
      state: 'warning',
      text: /up to 1 s late/,
      advice: 'let chrony use the pulse: refclock PPS /dev/pps0',
    },
    boot: { state: 'unknown' },
  });
  t.match(await look(box({ timedatectl: 'NTP=yes\nNTPSynchronized=yes\n' }, {})), {
    'time server': { state: 'ok', text: /systemd-timesyncd is on/ },
    'battery clock': { state: 'unknown', text: /there is no battery clock/ },
  });
  t.match(await look(box({}, {})), { 'time server': { state: 'unknown' } });
  t.notOk('pulse per second' in (await look(box({}, {}))));
});

t.test('what the daemon believes comes from its metrics', async (t) => {
  const page = (trust: string, ...lines: string[]): string =>
    [`dunlin_clock_trust{trust="none"} 0`, `dunlin_clock_trust{trust="${trust}"} 1`, ...lines, ''].join('\n');
  t.match(sourceFinding(page('ntp', 'dunlin_clock_fault 0')), {
    state: 'ok',
    text: "the daemon trusts its time as 'ntp'; no GPS time was received; the system clock made no step since the daemon started",
  });
  const lines = [
    'dunlin_clock_uses_gps 1',
    'dunlin_clock_system_minus_gps_seconds -3600.25',
    'dunlin_clock_gps_age_seconds 0.7',
    'dunlin_clock_last_step_seconds -3600',
    'dunlin_clock_last_step_age_seconds 90',
  ];
  t.match(sourceFinding(page('gps', 'dunlin_clock_fault 0', ...lines)), {
    state: 'warning',
    text: /uses GPS time, not the system clock; the system clock is 3600\.3 s behind GPS time of 1 s ago; the last step .* -3600\.0 s, 90 s ago/,
    advice: /set the system clock/,
  });
  t.match(sourceFinding(page('rtc', 'dunlin_clock_fault 1')), { state: 'warning', advice: /dunlin health shows/ });
  t.match(sourceFinding('dunlin_up 1\n'), { state: 'unknown' });
});
