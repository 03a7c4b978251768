import type { Fleet } from '../fleet/fleet.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { LogKind, LogVerb } from '../model/log_kind.ts';
import type { PictureState } from '../picture/picture.ts';
import type { LinkRunner } from './link_runner.ts';
import type { RecorderHook } from './recorder_hook.ts';
import type { KeyMap } from './signing/key_map.ts';

/** Shortest time between two log lines about the same counter of a link, ms. */
const FLOOD_EVERY_MS = 5_000;

type Counted = { count: number; atMs: number };

type LinkWatchDeps = {
  picture: PictureState;
  recorderHook: RecorderHook;
  fleet: Fleet;
  signing: KeyMap;
  note(kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject']): void;
};

/**
 * Shows the links of a world. Logs a link that opens or goes down, and any growth of its counters `sourcesUnplaced` and
 * `receiverConflicts`, each at most every 5 s.
 */
export class LinkWatch {
  readonly #deps: LinkWatchDeps;
  readonly #noted = new Map<string, 'up' | 'down'>();
  readonly #full = new Map<string, Counted>();
  readonly #contested = new Map<string, Counted>();

  constructor(deps: LinkWatchDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes the document of a link, and logs messages whose source got no sensor, or that named a proven receiver and
   * came from another host. Call this once per second of world time.
   */
  evaluate(link: LinkRunner, nowMs: number): void {
    this.#deps.picture.listed.setLink(link.document(), nowMs);
    const { name } = link.spec;
    const full = growth(this.#full, link.id, link.sourcesUnplaced, nowMs);
    const fullText = `link ${name}: ${full} messages came from unproven sources without a sensor: the link has its maximum number of sources`;
    if (full > 0) this.#note(link, 'sources_full', 'warning', fullText);
    const contested = growth(this.#contested, link.id, link.receiverConflicts, nowMs);
    const last = link.lastConflict;
    if (contested === 0 || last === null) return;
    const text = `link ${name}: ${contested} messages named a proven receiver and came from another host, the last one ${last.receiver} from ${last.host}: they do not count as received from that receiver`;
    this.#note(link, 'receiver_conflict', 'warning', text);
  }

  changed(link: LinkRunner, nowMs: number): void {
    const { recorderHook, picture } = this.#deps;
    recorderHook.recorder?.link(link);
    picture.listed.setLink(link.document(), nowMs);
    const { state, lastError } = link.status();
    const now = state === 'open' ? 'up' : state === 'backoff' || state === 'failed' ? 'down' : null;
    // Retries of a link that is down write no further line.
    if (now === null || this.#noted.get(link.id) === now) return;
    this.#noted.set(link.id, now);
    const { name } = link.spec;
    if (now === 'up') this.#note(link, 'up', 'notice', `link ${name} is open`);
    else this.#note(link, 'down', 'warning', `link ${name} is down: ${lastError ?? state}`);
  }

  removed(id: string): void {
    const { recorderHook, fleet, signing, picture } = this.#deps;
    recorderHook.recorder?.linkRemoved(id);
    for (const map of [this.#noted, this.#full, this.#contested]) map.delete(id);
    fleet.forgetLink(id);
    signing.forget(id);
    picture.listed.removeLink(id);
  }

  #note({ id, spec }: LinkRunner, what: LogVerb<'link'>, severity: Severity, text: string): void {
    this.#deps.note(`link.${what}`, severity, text, { type: 'link', id, label: spec.name });
  }
}

/** Returns how much a counter grew since the last log line about it; 0 while that line is less than 5 s old. */
function growth(noted: Map<string, Counted>, id: string, count: number, nowMs: number): number {
  const before = noted.get(id) ?? { count: 0, atMs: Number.NEGATIVE_INFINITY };
  if (count === before.count || nowMs - before.atMs < FLOOD_EVERY_MS) return 0;
  noted.set(id, { count, atMs: nowMs });
  return count - before.count;
}
