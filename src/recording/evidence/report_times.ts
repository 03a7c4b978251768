import { parseTime } from '../../model/time.ts';

/** Formats times in the time zone of the site, with UTC beside them. */
export class ReportTimes {
  readonly timeZone: string;
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
    this.#format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', timeZoneName: 'short' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  }

  /** Returns date and time at the site: `2026-03-04 13:00:05 CET`. */
  local(text: string): string {
    const parts = this.#partsOf(text);
    return `${parts.year}-${parts.month}-${parts.day} ${this.clock(text)} ${parts.timeZoneName}`;
  }

  /** Returns the time at the site followed by UTC, each without a line break inside. */
  both(text: string): string {
    return `<span class="time">${this.local(text)}</span> <span class="time">(${this.utc(text)})</span>`;
  }

  /** Returns `13:00:05 (12:00:05 UTC)`, for use where the date is given elsewhere. */
  shortBoth(text: string): string {
    return `<span class="time">${this.clock(text)}</span> <span class="time">(${text.slice(11, 19)} UTC)</span>`;
  }

  /** Returns `13:00:05`, the time at the site, for use where the date is given elsewhere. */
  clock(text: string): string {
    const { hour, minute, second } = this.#partsOf(text);
    return `${hour}:${minute}:${second}`;
  }

  /** Returns `2026-03-04 12:00:05 UTC`. */
  utc(text: string): string {
    return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`;
  }

  #partsOf(text: string): Record<string, string> {
    const parts = this.#format.formatToParts(parseTime(text) ?? 0);
    return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  }
}

/** Returns a duration as `1 h 02 min 05 s`. */
export function durationText(fromText: string, toText: string): string {
  const seconds = Math.max(0, Math.round(((parseTime(toText) ?? 0) - (parseTime(fromText) ?? 0)) / 1_000));
  const [h, min, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  if (h > 0) return `${h} h ${two(min)} min ${two(s)} s`;
  return min > 0 ? `${min} min ${two(s)} s` : `${s} s`;
}
