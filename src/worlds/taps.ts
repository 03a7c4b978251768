import type { CoreBeginning, ToCore } from '../core/messages.ts';
import type { Chunk } from '../edge/link/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { LinkRunner } from './link_runner.ts';

/** Who hears everything that enters a world and decides its picture, while it enters: a recording. Nothing here may throw or wait. */
export type WorldTap = {
  chunk(linkId: string, chunk: Chunk): void;
  /** A sender of a link is gone, and with it what was half received of it. */
  gone(linkId: string, from: string): void;
  ingest(rows: readonly ObservationDocument[], atMs: number): void;
  /** A link is new, another, or in another state. */
  link(link: LinkRunner): void;
  linkRemoved(linkId: string): void;
  rows(list: RegistryList, rows: readonly { id: string }[]): void;
  removed(list: RegistryList, id: string): void;
  doctrine(): void;
  /** What the core is told, before it is told. */
  told(message: ToCore): void;
  /** A core is begun anew. */
  begun(beginning: CoreBeginning): void;
};

/** Where a world says what enters it: to nobody, but while it is recorded. */
export class Taps {
  tap: WorldTap | null = null;
  /** What the ids of the core that runs are made of. */
  seed: Uint8Array = new Uint8Array();

  begun(beginning: CoreBeginning): CoreBeginning {
    this.seed = beginning.seed;
    this.tap?.begun(beginning);
    return beginning;
  }
}
