import type { Service, StreamSource, World } from '../../http/service.ts';
import type { SimState } from '../../model/picture.ts';
import type { Stage } from './stage.ts';

/** What requests see of a workspace: the theatre that is shown, or the live one where they ask for it by name. */
export function shownService(stage: Stage, sim: () => SimState): Service {
  const live = stage.live.service;
  const shown = (): Service => stage.shown.service;
  const of = (world?: World): Service => (world === 'live' ? live : shown());
  const stream = streamOf(stage);
  return {
    // Of the box and its workspace, whatever is shown.
    about: live.about,
    manifest: () => live.manifest(),
    links: live.links,
    stored: () => live.stored(),
    health: () => live.health(),
    metricsText: () => live.metricsText(),
    // What comes from outside is of the live world alone.
    ingest: (rows, from) => live.ingest(rows, from),
    dryRunRule: (rule, sinceMs, untilMs) => live.dryRunRule(rule, sinceMs, untilMs),
    sim,
    picture: (world) => of(world).picture(),
    get tracks() {
      return {
        ...shown().tracks,
        list: (world?: World) => of(world).tracks.list(),
        get: (id: string, world?: World) => of(world).tracks.get(id),
      };
    },
    get threats() {
      return shown().threats;
    },
    get sensors() {
      return shown().sensors;
    },
    detections: (query) => shown().detections(query),
    events: (query) => shown().events(query),
    evidence: (trackId, by) => shown().evidence(trackId, by),
    stream: (world) => (world === 'live' ? live.stream() : stream),
  };
}

/** The changes of whatever is shown. That another is shown is an epoch of its own without a change: clients begin anew. */
function streamOf(stage: Stage): StreamSource {
  const source = (): StreamSource => stage.shown.service.stream();
  return {
    snapshot: () => source().snapshot(),
    since: (epoch, seq) => source().since(epoch, seq),
    onFlush(callback) {
      let leave = source().onFlush(callback);
      const stay = stage.switched.add(() => {
        leave();
        // What it had not told yet belongs to what clients begin with.
        stage.shown.world.flush();
        leave = source().onFlush(callback);
        callback({ epoch: stage.shown.world.epoch, events: [] });
      });
      return () => {
        stay();
        leave();
      };
    },
  };
}
