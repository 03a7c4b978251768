import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type Config, parseHostPort } from '../../host/config.ts';
import { ask } from './ask.ts';
import { type Finding, ok, unknown, warning } from './finding.ts';

/** Access to the box for the checks of its time. Tests replace it. */
export type TimeBox = {
  /** Runs a program, and returns its output; null if the program is missing or fails. */
  run(program: string, ...words: string[]): string | null;
  /** Returns the content of a file; null if it cannot be read. */
  read(path: string): string | null;
  /** Returns the names in a folder; empty if it cannot be read. */
  list(path: string): string[];
  nowMs(): number;
};

export const thisBox: TimeBox = {
  run(program, ...words) {
    const { status, stdout } = spawnSync(program, words, { encoding: 'utf8', timeout: 3_000 });
    return status === 0 ? stdout : null;
  },
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  },
  list(path) {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  nowMs: () => Date.now(),
};

/** Greatest differences from the system clock that cause no warning, s: of the battery clock, and of GPS time. */
const RTC_OFF_S = 60;
const GPS_OFF_S = 2;

/** Checks the time of the box: time source of the daemon, time servers, battery clock, pulse per second, boot time. */
export async function checkTime(
  http: Config['http'],
  running: boolean | null,
  box: TimeBox = thisBox,
): Promise<Finding[]> {
  const chrony = chronyOf(box);
  return [
    await checkSource(http, running),
    checkTimeServer(box, chrony),
    checkRtc(box),
    ...checkPulse(box, chrony),
    checkBoot(box),
  ];
}

async function checkSource({ listen, tls }: Config['http'], running: boolean | null): Promise<Finding> {
  const check = 'time source';
  const place = parseHostPort(listen);
  if (!running || place === null || place.port === 0)
    return unknown(check, 'the daemon cannot be asked: it does not run on this box, or listens on another address');
  const answer = await ask(place, tls !== null, '/metrics');
  if ('failed' in answer || answer.status !== 200)
    return unknown(check, 'the daemon does not show its metrics without a credential');
  return sourceFinding(answer.body);
}

/** Returns the finding about the daemon's time source, from the text of its metrics. */
export function sourceFinding(metrics: string): Finding {
  const check = 'time source';
  const value = (name: string): number | null => {
    const found = new RegExp(`^dunlin_clock_${name} (-?[\\d.e+-]+)$`, 'm').exec(metrics);
    return found === null ? null : Number(found[1]);
  };
  const trust = /^dunlin_clock_trust\{trust="(\w+)"\} 1$/m.exec(metrics)?.[1];
  if (trust === undefined)
    return unknown(check, 'the daemon does not report its time source: it is an earlier version');
  const [offS, ageS] = [value('system_minus_gps_seconds'), value('gps_age_seconds')];
  const [stepS, stepAgeS] = [value('last_step_seconds'), value('last_step_age_seconds')];
  const text = [
    `the daemon trusts its time as '${trust}'${value('uses_gps') === 1 ? ' and uses GPS time, not the system clock' : ''}`,
    offS === null
      ? 'no GPS time was received'
      : `the system clock is ${Math.abs(offS).toFixed(1)} s ${offS < 0 ? 'behind' : 'ahead of'} GPS time${ageS === null ? '' : ` of ${ageS.toFixed(0)} s ago`}`,
    stepS === null
      ? 'the system clock made no step since the daemon started'
      : `the last step of the system clock was ${stepS.toFixed(1)} s, ${(stepAgeS ?? 0).toFixed(0)} s ago`,
  ].join('; ');
  if (value('fault') === 1)
    return warning(
      check,
      text,
      'dunlin health shows why the time may be wrong; check the GPS receivers and their antennas',
    );
  if (trust === 'none')
    return warning(
      check,
      text,
      'set the clock, connect a time server, or add a link of a GPS receiver (protocol nmea)',
    );
  if (offS !== null && Math.abs(offS) > GPS_OFF_S)
    return warning(
      check,
      text,
      'set the system clock; chrony can set it from the receiver, so that the logs of the system have the right time too',
    );
  return ok(check, text);
}

type Chrony = { source: string; stratum: number; offsetS: number; isSynchronised: boolean };

/**
 * Reads the state of chrony; null if chrony does not answer. The fields of `chronyc -c tracking` are: id, name,
 * stratum, reference time, offset of the system clock in s, …, leap status.
 */
function chronyOf(box: TimeBox): Chrony | null {
  const fields = box.run('chronyc', '-c', 'tracking')?.trim().split(',');
  if (fields === undefined || fields.length < 14) return null;
  const [, source = '', stratum, , offsetS] = fields;
  return {
    source,
    stratum: Number(stratum),
    offsetS: Number(offsetS),
    isSynchronised: fields.at(-1) !== 'Not synchronised',
  };
}

function checkTimeServer(box: TimeBox, chrony: Chrony | null): Finding {
  const check = 'time server';
  const advice = 'timedatectl set-ntp true, or set up chrony with a server or a GPS receiver';
  if (chrony !== null) {
    const text = `chrony follows ${chrony.source || 'nothing'} (stratum ${chrony.stratum}); the system clock is ${Math.abs(chrony.offsetS).toFixed(6)} s off`;
    return chrony.isSynchronised ? ok(check, text) : warning(check, 'chrony runs, but it is not synchronised', advice);
  }
  // NTPSynchronized is the state of the kernel from adjtimex(2).
  const shown = box.run('timedatectl', 'show', '--property=NTP', '--property=NTPSynchronized');
  if (shown === null)
    return unknown(
      check,
      'neither chronyc nor timedatectl answers, so it is unknown whether the clock is synchronised',
    );
  const isOn = /^NTP=yes$/m.test(shown);
  const server = isOn ? 'systemd-timesyncd is on' : 'no time server is used';
  if (/^NTPSynchronized=yes$/m.test(shown))
    return ok(check, `${server}; the kernel reports the system clock as synchronised`);
  return warning(check, `${server}; the kernel reports the system clock as not synchronised`, advice);
}

function checkRtc(box: TimeBox): Finding {
  const check = 'battery clock';
  const sinceS = Number(box.read('/sys/class/rtc/rtc0/since_epoch') ?? Number.NaN);
  if (!Number.isFinite(sinceS))
    return unknown(
      check,
      'there is no battery clock: after a power cut the time is unknown until a time server or a receiver provides it',
    );
  const offS = sinceS - box.nowMs() / 1_000;
  const text = `rtc0 shows ${new Date(sinceS * 1_000).toISOString()}, ${Math.abs(offS).toFixed(0)} s ${offS < 0 ? 'behind' : 'ahead of'} the system clock`;
  return Math.abs(offS) > RTC_OFF_S
    ? warning(check, text, 'once the system clock is right: hwclock --systohc --utc')
    : ok(check, text);
}

/**
 * Warns if there is a pulse per second, but chrony does not run. With the pulse, chrony makes the system clock more
 * accurate than GPS time from NMEA sentences.
 */
function checkPulse(box: TimeBox, chrony: Chrony | null): Finding[] {
  const check = 'pulse per second';
  const pulses = box.list('/sys/class/pps');
  if (pulses.length === 0) return [];
  if (chrony !== null)
    return [ok(check, `${pulses.join(', ')}; chrony runs: with this pulse, the system clock is the better source`)];
  const text = `${pulses.join(', ')} is available, but chrony does not run; GPS time from NMEA sentences alone is up to 1 s late`;
  return [warning(check, text, `let chrony use the pulse: refclock PPS /dev/${pulses[0]}`)];
}

function checkBoot(box: TimeBox): Finding {
  const upS = Number.parseFloat(box.read('/proc/uptime') ?? '');
  if (!Number.isFinite(upS)) return unknown('boot', 'the time of the boot is not known');
  return ok(
    'boot',
    `booted at ${new Date(box.nowMs() - upS * 1_000).toISOString()} by the present clock, ${(upS / 3_600).toFixed(1)} h ago`,
  );
}
