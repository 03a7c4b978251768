import type { CoreBeginning, ToCore } from '../core/messages.ts';
import type { Chunk } from '../edge/link/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { LinkRunner } from './link_runner.ts';

/**
 * Interface of a recorder: it receives all input that decides a world's picture, as that enters. No method may throw or
 * wait.
 */
export type WorldTap = {
  chunk(linkId: string, chunk: Chunk): void;
  /** A sender of a link is gone, with its half-received frames. */
  gone(linkId: string, from: string): void;
  ingest(rows: readonly ObservationDocument[], atMs: number): void;
  /** A link is new, changed, or in another state. */
  link(link: LinkRunner): void;
  linkRemoved(linkId: string): void;
  rows(list: RegistryList, rows: readonly { id: string }[]): void;
  removed(list: RegistryList, id: string): void;
  doctrine(): void;
  /** A message to the core, before it is sent. */
  configured(message: ToCore): void;
  /** A core begins. */
  begun(beginning: CoreBeginning): void;
};

/** Hook through which a world passes its input to a recorder, while it is recorded. */
export class RecorderHook {
  recorder: WorldTap | null = null;
  /** Seed of the ids of the present core. */
  seed: Uint8Array = new Uint8Array();

  begun(beginning: CoreBeginning): CoreBeginning {
    this.seed = beginning.seed;
    this.recorder?.begun(beginning);
    return beginning;
  }
}
