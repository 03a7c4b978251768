import { Claims } from '../../../src/edge/link/claims.ts';
import type { Deps as LinkDeps } from '../../../src/edge/link/deps.ts';
import type { Credentials } from '../../../src/edge/link/tls/credentials.ts';
import { noCredentials } from '../../../src/edge/link/tls/holder.ts';
import { sampleTrack } from '../../../src/http/openapi/samples.ts';
import { type OutletSpec, outletSpecSchema } from '../../../src/model/outlet.ts';
import type { OutletMessage } from '../../../src/model/outlet_view.ts';
import type { Threat } from '../../../src/model/threat.ts';
import type { Track } from '../../../src/model/track.ts';
import type { OutletEncoder } from '../../../src/outlet/kinds.ts';
import { OutletRunner } from '../../../src/outlet/outlet.ts';
import type { PeerDeps } from '../../../src/outlet/peer.ts';
import type { OutletPicture } from '../../../src/outlet/views.ts';
import type { Owner } from '../basics/owner.ts';
import { emptyPicture } from './pictures.ts';

/** A confirmed live track with a position, its pilot and its number. */
export function outletTrack(number: number, changes: Partial<Track> = {}): Track {
  return {
    ...sampleTrack,
    id: `5e0f6a52-0d3c-8a11-9c55-${String(number).padStart(12, '0')}`,
    number: `T-${String(number).padStart(4, '0')}`,
    state: 'confirmed',
    provenance: 'live',
    last_seen_at: new Date().toISOString(),
    position: { lat: 47.2, lon: 8.7, alt_hae_m: 600, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null },
    classification: [{ type: 'multirotor', confidence: 0.9 }],
    operator: { lat: 47.1961, lon: 8.7288, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' },
    takeoff: { lat: 47.1962, lon: 8.7289 },
    ...changes,
  };
}

/** An encoder that writes words, and a peer's dependencies by a clock of the test. */
export function wordPeer(tracks: Map<string, Track>, pace: Partial<OutletSpec['pace']> = {}) {
  const word = (text: string): OutletMessage => ({ uid: text, bytes: Buffer.from(text) });
  const encoder: OutletEncoder = {
    track: () => [],
    end: () => [],
    withdraw: (uids) => uids.map((uid) => word(`withdraw ${uid}`)),
    alert: ({ id, severity }) => [word(`alert ${id} ${severity}`)],
    test: () => [],
    presence: null,
    session: () => null,
  };
  const dropped = { rate: 0, blocked: 0, no_position: 0 };
  const ranks = new Map<string, number>();
  const deps: PeerDeps = {
    encoder: () => encoder,
    track(id) {
      const track = tracks.get(id);
      if (track === undefined) return null;
      return { track, messages: [{ uid: id, bytes: Buffer.from(`${id} ${track.number}`) }] };
    },
    end: (_track, uids) => uids.map((uid) => word(`end ${uid}`)),
    rankOf: (id) => ranks.get(id) ?? 0,
    alert: () => null,
    activeAlerts: () => [],
    dropped: (reason, count) => {
      dropped[reason] += count;
    },
    pace: () => ({ track_s: 1, keep_s: 10, max_msgs_per_s: 200, ...pace }),
    utcMs: (nowMs) => nowMs,
  };
  return { deps, dropped, ranks };
}

export type RunnerRig = {
  runner: OutletRunner;
  tracks: Map<string, Track>;
  threats: Map<string, Threat>;
  notes: string[];
  /** Difference of the box's clock from that of the test, and time that its monotonic clock is ahead, ms. */
  clock: { aheadMs: number; leapMs: number };
  /** Puts a track into the picture and gives the news of it. */
  put(track: Track): void;
  end(trackId: string): void;
};

/** A running outlet with a picture in memory and real sockets. */
export function startRunner(
  t: Owner,
  given: object,
  picture: Partial<OutletPicture> = {},
  credentials: Credentials | null = null,
  link: Partial<LinkDeps> = {},
): RunnerRig {
  const spec = outletSpecSchema.parse({ name: 'tak', kind: 'cot', ...given });
  const tracks = new Map<string, Track>();
  const threats = new Map<string, Threat>();
  const notes: string[] = [];
  const clock = { aheadMs: 0, leapMs: 0 };
  const at = new Date().toISOString();
  const declared = { id: 'o', spec, ofFile: false, version: 1, createdAt: at, updatedAt: at };
  const runner = new OutletRunner(declared, {
    picture: {
      ...emptyPicture,
      tracks: () => [...tracks.values()],
      track: (id) => tracks.get(id),
      threat: (id) => threats.get(id),
      ...picture,
    },
    box: { nodeId: '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f', version: '0.1.0' },
    link: { nowMs: () => performance.now() + clock.leapMs, claims: new Claims(), ...link },
    credentials: () => ({ ...noCredentials, read: () => credentials }),
    utcMs: () => Date.now(),
    believedMs: () => Date.now() + clock.aheadMs,
    note: (verb, severity, text) => void notes.push(`${verb} ${severity} ${text}`),
    changed: () => {},
  });
  t.teardown(() => runner.stop());
  runner.start();
  return {
    ...{ runner, tracks, threats, notes, clock },
    put(track) {
      tracks.set(track.id, track);
      runner.mark(new Map([[track.id, true]]));
    },
    end(trackId) {
      tracks.delete(trackId);
      runner.end(trackId);
    },
  };
}
