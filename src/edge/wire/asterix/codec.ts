import { noRejects, type Rejects } from '../../../model/link.ts';
import { type AsterixOptions, asterixOptionsSchema, type LinkOptions } from '../../../model/link_options.ts';
import type { Codec } from '../codec.ts';
import { type BlockSink, BlockStream, readDatagram } from './blocks.ts';
import type { AsterixMessage } from './message.ts';
import type { Category } from './notation.ts';
import { readPlot } from './plot.ts';
import { type DecodedRecord, readRecord } from './read_item.ts';
import { readRadarService, readSensorService, readStationService, readTrackerService } from './service.ts';
import { readStation } from './station.ts';
import { readSystemTrack } from './system_track.ts';
import { categories } from './tables/index.ts';
import type { Verdict } from './verdict.ts';

/** Greatest number of connections whose incomplete blocks are kept. */
const MOST_STREAMS = 256;

const readers: Readonly<Record<number, (record: DecodedRecord) => Verdict<AsterixMessage>>> = {
  21: readStation,
  23: readStationService,
  34: readRadarService,
  48: readPlot,
  62: readSystemTrack,
  63: readSensorService,
  65: readTrackerService,
};

type AsterixCodecOptions = { datagrams: boolean; options?: LinkOptions };

/**
 * Creates the codec of ASTERIX (EUROCONTROL): blocks of records of one category, in datagrams or in a byte stream.
 *
 * A record that does not fit its category ends its block, since nothing marks where the next record begins. The rest of
 * the block then counts as one reject `malformed`. A wrong length of a block counts as `length`, and a block of a
 * category that is not in `readers` as `unknown_type`. A target marked as simulated, as a test or as a fixed monitor
 * transponder counts as `not_allowed`.
 */
export function createAsterixCodec({ datagrams, options = {} }: AsterixCodecOptions): Codec<AsterixMessage> {
  return new AsterixCodec(datagrams, asterixOptionsSchema.parse(options));
}

class AsterixCodec implements Codec<AsterixMessage>, BlockSink {
  readonly rejects: Rejects = noRejects();
  readonly sequenceGaps = 0;
  messages = 0;
  readonly #datagrams: boolean;
  readonly #categories: ReadonlyMap<number, Category>;
  readonly #streams = new Map<string, BlockStream>();
  #emit: (message: AsterixMessage) => void = () => {};

  constructor(datagrams: boolean, { editions }: AsterixOptions) {
    this.#datagrams = datagrams;
    this.#categories = categories(editions);
  }

  decode(bytes: Uint8Array, from: string, _atMs: number, emit: (message: AsterixMessage) => void): void {
    this.#emit = emit;
    if (this.#datagrams) readDatagram(bytes, this);
    else this.#streamOf(from).push(bytes, this);
  }

  forget(from: string): void {
    if (this.#streams.get(from)?.isPending) this.rejects.length++;
    this.#streams.delete(from);
  }

  block(category: number, bytes: Uint8Array, from: number, to: number): boolean {
    const items = this.#categories.get(category);
    const read = readers[category];
    if (!items || !read) {
      this.rejects.unknown_type++;
      return true;
    }
    for (let at = from; at < to; ) {
      const found = readRecord(items, bytes, at, to);
      if (found === null) {
        this.rejects.malformed++;
        return false;
      }
      this.#judge(read(found.record));
      at = found.next;
    }
    return true;
  }

  lost(): void {
    this.rejects.length++;
  }

  #judge(verdict: Verdict<AsterixMessage>): void {
    if (typeof verdict === 'string') {
      this.rejects[verdict]++;
      return;
    }
    this.messages++;
    this.#emit(verdict);
  }

  #streamOf(from: string): BlockStream {
    const known = this.#streams.get(from);
    if (known) return known;
    const [oldest] = this.#streams.keys();
    if (this.#streams.size >= MOST_STREAMS && oldest !== undefined) this.forget(oldest);
    const stream = new BlockStream((category) => this.#categories.has(category));
    this.#streams.set(from, stream);
    return stream;
  }
}
