import type { LinkSpec, Phy, Protocol } from '../../model/link.ts';
import type { LinkOptions } from '../../model/link_options.ts';
import type { Modality } from '../../model/sensor.ts';
import { createAsterixCodec } from '../wire/asterix/codec.ts';
import { createCaptureCodec } from '../wire/capture/codec.ts';
import type { Codec } from '../wire/codec.ts';
import { createCotCodec } from '../wire/cot/codec.ts';
import { createMavlinkCodec, type MavlinkSigning } from '../wire/mavlink/codec.ts';
import { createMqttCodec } from '../wire/mqtt/codec.ts';
import { createNmeaCodec } from '../wire/nmea/codec.ts';
import { createObsJsonCodec } from '../wire/obs_json/codec.ts';
import { createOdidRawCodec } from '../wire/odid/codec.ts';
import { createOdidJsonCodec } from '../wire/odid_json/codec.ts';
import { createHciH4Codec } from '../wire/radio/h4_codec.ts';
import { createSniffleCodec } from '../wire/radio/sniffle_codec.ts';
import { createReadsbJsonCodec } from '../wire/readsb_json/codec.ts';
import { createSapientCodec } from '../wire/sapient/codec.ts';
import { createSbsCodec } from '../wire/sbs/codec.ts';
import { adsbFeed } from './adsb.ts';
import { AsterixFeed } from './asterix.ts';
import { cotFeed } from './cot.ts';
import { esp32Feed } from './esp32.ts';
import type { LinkFeed } from './link_feed.ts';
import { MavlinkFeed } from './mavlink.ts';
import { mqttFeed } from './mqtt.ts';
import { nmeaFeed, OWN_POSITION } from './nmea.ts';
import { obsJsonFeed } from './obs_json.ts';
import { odidRawFeed } from './odid_raw.ts';
import { radioFeed } from './radio.ts';
import { SapientFeed } from './sapient.ts';

/**
 * Converts messages of one protocol on one link into observations. It calls `LinkFeed.admit` before it makes an
 * observation of a message.
 */
export type ProtocolFeed<Message> = {
  take(message: Message, from: string, atMs: number): void;
  /** Forgets a sender whose connection ended. */
  forget?(from: string): void;
  /** Returns a sentence about a problem of a working link; null without one. */
  trouble?(nowMs: number): string | null;
};

type CodecOptions = { datagrams: boolean; signing: MavlinkSigning; phy: Phy; options: LinkOptions };
/** A link's own sensor row, which exists before any receiver on the link is known. */
type OwnRow = { receiver: string; modality: Modality };
type Entry<Message> = {
  own: OwnRow;
  codec: (options: CodecOptions) => Codec<Message>;
  feed: (link: LinkFeed, nowMs: number) => ProtocolFeed<Message>;
};

/**
 * Returns its argument. Its parameter type makes the compiler check that a protocol's feed accepts the messages of its
 * codec.
 */
function entry<Message>(of: Entry<Message>): Entry<Message> {
  return of;
}

const remoteId: OwnRow = { receiver: '', modality: 'remote_id' };
const adsb: OwnRow = { receiver: '', modality: 'adsb' };
const position: OwnRow = { receiver: OWN_POSITION, modality: 'telemetry' };
const nodes: OwnRow = { receiver: '', modality: 'external' };
const radar: OwnRow = { receiver: '', modality: 'radar' };
const rows: OwnRow = { receiver: '', modality: 'telemetry' };

/** Codec, feed and own sensor row for each protocol. */
const protocolTable = {
  mavlink: entry({ own: remoteId, codec: createMavlinkCodec, feed: (link, nowMs) => new MavlinkFeed(link, nowMs) }),
  odid_raw: entry({ own: remoteId, codec: createOdidRawCodec, feed: odidRawFeed }),
  odid_json: entry({ own: remoteId, codec: createOdidJsonCodec, feed: esp32Feed }),
  sbs: entry({ own: adsb, codec: createSbsCodec, feed: adsbFeed }),
  nmea: entry({ own: position, codec: createNmeaCodec, feed: nmeaFeed }),
  obs_json: entry({ own: rows, codec: createObsJsonCodec, feed: obsJsonFeed }),
  capture: entry({ own: remoteId, codec: createCaptureCodec, feed: radioFeed }),
  hci_h4: entry({ own: remoteId, codec: createHciH4Codec, feed: radioFeed }),
  mqtt: entry({ own: remoteId, codec: createMqttCodec, feed: mqttFeed }),
  sniffle: entry({ own: remoteId, codec: createSniffleCodec, feed: radioFeed }),
  sapient: entry({ own: nodes, codec: createSapientCodec, feed: (link) => new SapientFeed(link) }),
  asterix: entry({ own: radar, codec: createAsterixCodec, feed: (link) => new AsterixFeed(link) }),
  readsb_json: entry({ own: adsb, codec: createReadsbJsonCodec, feed: adsbFeed }),
  cot: entry({ own: nodes, codec: createCotCodec, feed: cotFeed }),
} satisfies Record<Protocol, unknown>;

type MessageOf<E> = E extends Entry<infer Message> ? Message : never;
/** Decoded message of any protocol. */
export type WireMessage = MessageOf<(typeof protocolTable)[Protocol]>;

export function codecOf(
  { protocol, transport, phy = 'coded', options }: LinkSpec,
  signing: MavlinkSigning,
): Codec<WireMessage> {
  return protocolTable[protocol].codec({ datagrams: transport === 'udp', signing, phy, options });
}

export function protocolFeedOf(protocol: Protocol, link: LinkFeed, nowMs: number): ProtocolFeed<WireMessage> {
  return protocolTable[protocol].feed(link, nowMs);
}

/**
 * Returns the own row of a link. It has the modality `telemetry` on MAVLink links that command vehicles or belong to
 * an asset.
 */
export function ownRowOf({ protocol, command }: LinkSpec, isForAsset: boolean): OwnRow {
  const { own } = protocolTable[protocol];
  return protocol === 'mavlink' && (command === 'allow' || isForAsset) ? { ...own, modality: 'telemetry' } : own;
}
