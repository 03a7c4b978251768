import type { CoreBeginning, ToCore } from '../core/messages.ts';
import type { Chunk } from '../edge/link/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { LinkRunner } from './link_runner.ts';

/**
 * Interface of a recorder. It receives all input that determines a world's picture, at the moment of arrival. No method
 * may throw or block.
 */
export type WorldTap = {
  chunk(linkId: string, chunk: Chunk): void;
  /** A sender of a link is gone, and its incomplete frames were discarded. */
  gone(linkId: string, from: string): void;
  ingest(rows: readonly ObservationDocument[], atMs: number): void;
  /** A link was added or changed, or its state changed. */
  link(link: LinkRunner): void;
  linkRemoved(linkId: string): void;
  rows(list: RegistryList, rows: readonly { id: string }[]): void;
  removed(list: RegistryList, id: string): void;
  doctrine(): void;
  /** A message to the core, before it is sent. */
  configured(message: ToCore): void;
  /** A core starts with this configuration. */
  begun(beginning: CoreBeginning): void;
};

/** Passes the input of a world to a recorder. `recorder` is null while the world is not recorded. */
export class RecorderHook {
  recorder: WorldTap | null = null;
  /** Seed from which the current core derives its ids. */
  seed: Uint8Array = new Uint8Array();

  begun(beginning: CoreBeginning): CoreBeginning {
    this.seed = beginning.seed;
    this.recorder?.begun(beginning);
    return beginning;
  }
}
