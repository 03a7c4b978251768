import { join } from 'node:path';
import { type FoundBackup, newestBackup } from '../../store/backups_found.ts';
import { DAY_MS, listDays } from '../../store/log/days.ts';
import { systemctl } from './box_checks.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The timer makes a backup each night. One night may be missed by a box that was off. */
const OLD_DAYS = 2;

/** Returns the findings about the backups of a data folder; empty for a box that is too new to have one. */
export function checkBackups(dataDir: string, nowMs: number): Finding[] {
  const timer = systemctl('is-enabled', 'dunlin-backup.timer');
  const findings = hasService() && timer !== 'enabled' ? [noTimer()] : [];
  return [...findings, ...ageOfNewest(dataDir, nowMs, timer === 'enabled')];
}

function hasService(): boolean {
  const enabled = systemctl('is-enabled', 'dunlin.service');
  return enabled !== null && enabled !== 'not-found';
}

function noTimer(): Finding {
  const advice = 'systemctl enable --now dunlin-backup.timer';
  return warning('backups', 'no backups are made automatically', advice);
}

function ageOfNewest(dataDir: string, nowMs: number, hasTimer: boolean): Finding[] {
  const newest = newestBackup(dataDir);
  const days = newest === null ? historyDays(dataDir, nowMs) : (nowMs - Date.parse(newest.madeAt)) / DAY_MS;
  if (days <= OLD_DAYS) return newest === null ? [] : [ok('backups', described(newest))];
  const text = newest === null ? 'no backup of the data was found' : described(newest);
  const make = `make a backup: dunlin backup TO --data ${dataDir}`;
  return [warning('backups', text, hasTimer ? `read the reason: journalctl -u dunlin-backup -e; then ${make}` : make)];
}

function described({ path, madeAt }: FoundBackup): string {
  return `the newest backup is ${path}, of ${madeAt}`;
}

/** Returns the age of the oldest day of the history, in days; 0 if there is none. */
function historyDays(dataDir: string, nowMs: number): number {
  try {
    const first = listDays(join(dataDir, 'history'))[0];
    return first === undefined ? 0 : (nowMs - Date.parse(first)) / DAY_MS;
  } catch {
    return 0;
  }
}
