import type { StreamSource } from '../../../src/app/shown_stream.ts';
import { samplePicture } from '../../../src/http/openapi/samples.ts';
import type { EventKind, Flush, StreamEvent } from '../../../src/model/event.ts';
import type { Picture } from '../../../src/model/picture.ts';

/** A stream's source as the picture room will be: numbers changes, flushes on demand, keeps a window of them. */
export type FakeStream = StreamSource & {
  /** Numbers a change; it is sent at the next flush. */
  change(kind: EventKind, body: object): void;
  flush(): void;
  /** Begins another epoch and flushes its first change. */
  newEpoch(epoch: string): void;
  readonly seq: number;
};

export function createFakeStream(window = 10_000, picture: () => Partial<Picture> = () => ({})): FakeStream {
  let epoch = 'e1';
  let seq = 0;
  let flushed = 0;
  let waiting: StreamEvent[] = [];
  let kept: StreamEvent[] = [];
  const callbacks = new Set<(flush: Flush) => void>();

  const stream: FakeStream = {
    get seq() {
      return seq;
    },
    change(kind, body) {
      waiting.push({ seq: ++seq, at: '2025-06-01T12:00:00.000Z', kind, body });
    },
    flush() {
      if (waiting.length === 0) return;
      const events = waiting;
      waiting = [];
      flushed = seq;
      kept = [...kept, ...events].slice(-window);
      for (const callback of callbacks) callback({ epoch, events });
    },
    newEpoch(name) {
      epoch = name;
      seq = 0;
      kept = [];
      waiting = [];
      stream.change('sim_state', samplePicture.sim);
      stream.flush();
    },
    snapshot: () => ({ ...samplePicture, ...picture(), epoch, seq: flushed }),
    now: () => ({ epoch, seq: flushed, at: '2025-06-01T12:00:00.000Z' }),
    since(of, after) {
      if (of !== epoch || after > flushed) return null;
      const oldest = kept[0]?.seq ?? flushed + 1;
      return after + 1 < oldest ? null : kept.filter((event) => event.seq > after);
    },
    follow(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
  return stream;
}
