/** The messages a vehicle sends by itself, each at its own interval. */
export class Streams {
  readonly #streams = new Map<string, { everyS: number; nextS: number }>();

  /** None or zero seconds between two stops the message. */
  set(name: string, everyS: number | null, nowS: number): void {
    if (everyS === null || everyS <= 0) this.#streams.delete(name);
    else this.#streams.set(name, { everyS, nextS: nowS + everyS });
  }

  everyS(name: string): number | null {
    return this.#streams.get(name)?.everyS ?? null;
  }

  get size(): number {
    return this.#streams.size;
  }

  clear(): void {
    this.#streams.clear();
  }

  /** What is to be sent now; never twice for one moment, so a slow vehicle does not catch up in a burst. */
  due(nowS: number): string[] {
    const names: string[] = [];
    for (const [name, stream] of this.#streams) {
      if (stream.nextS > nowS + 1e-9) continue;
      names.push(name);
      stream.nextS = Math.max(stream.nextS + stream.everyS, nowS);
    }
    return names;
  }
}

/** What the legacy stream ids of REQUEST_DATA_STREAM stand for. */
export const DATA_STREAMS: Record<number, string[]> = {
  0: [
    'SYS_STATUS',
    'GPS_RAW_INT',
    'GLOBAL_POSITION_INT',
    'EXTENDED_SYS_STATE',
    'ATTITUDE',
    'VFR_HUD',
    'BATTERY_STATUS',
  ],
  2: ['SYS_STATUS', 'GPS_RAW_INT'],
  6: ['GLOBAL_POSITION_INT'],
  10: ['ATTITUDE'],
  11: ['VFR_HUD'],
  12: ['BATTERY_STATUS', 'EKF_STATUS_REPORT'],
};
