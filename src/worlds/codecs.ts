import type { Codec } from '../edge/wire/codec.ts';
import { createMavlinkCodec, type MavlinkSigning } from '../edge/wire/mavlink/codec.ts';
import type { WireMessage } from '../edge/wire/message.ts';
import { createNmeaCodec } from '../edge/wire/nmea/codec.ts';
import { createObsJsonCodec } from '../edge/wire/obs_json/codec.ts';
import { createOdidRawCodec } from '../edge/wire/odid/codec.ts';
import { createOdidJsonCodec } from '../edge/wire/odid_json/codec.ts';
import { createSbsCodec } from '../edge/wire/sbs/codec.ts';
import type { LinkSpec } from '../model/link.ts';

/** The decoder of a link: one entry for each protocol. */
export function codecOf(spec: LinkSpec, signing: MavlinkSigning): Codec<WireMessage> {
  const datagrams = spec.transport === 'udp';
  switch (spec.protocol) {
    case 'mavlink':
      return createMavlinkCodec({ datagrams, signing });
    case 'odid_raw':
      return createOdidRawCodec({ datagrams });
    case 'odid_json':
      return createOdidJsonCodec({ datagrams });
    case 'sbs':
      return createSbsCodec({ datagrams });
    case 'nmea':
      return createNmeaCodec({ datagrams });
    case 'obs_json':
      return createObsJsonCodec({ datagrams });
  }
}
