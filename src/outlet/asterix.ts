import { joinedBlocks } from '../edge/wire/asterix/write_block.ts';
import { endBlock, type SentTrack, statusBlock, trackBlock } from '../edge/wire/asterix/write_track.ts';
import type { AsterixOutOptions } from '../model/outlet_options.ts';
import type { TrackView } from '../model/outlet_view.ts';
import { type Modality, modalityTraits } from '../model/sensor.ts';
import { TEST_NUMBER, TrackNumbers } from './asterix_numbers.ts';
import { beats } from './beats.ts';
import type { OutletEncoder } from './kinds.ts';

/** Greatest length of a block, bytes. Such a block fits an Ethernet frame together with its headers. */
const MOST_BYTES = 1_400;
/** Time for which a track counts as observed by this box after the last report of a sensor of the box, ms. */
const OWN_HOLDS_MS = 10_000;
const TEST_IDENT = 'test';

/**
 * Encoder of ASTERIX: system tracks (CAT 062) and the status of the system (CAT 065). The format has no alerts. Each
 * message is a block of one record; blocks that are sent together are joined.
 */
export function asterixEncoder({ sac, sic }: AsterixOutOptions): OutletEncoder {
  const source = { sac, sic };
  const numbers = new TrackNumbers();
  return {
    track(view) {
      const { id, number } = view.track;
      const sent = sentTrack(view);
      if (sent === null) return [];
      return [{ uid: id, bytes: trackBlock(source, { ...sent, track: numbers.of(id, number) }) }];
    },
    end: ({ track }, _uids, utcMs) => [
      { uid: track.id, bytes: endBlock(source, numbers.of(track.id, track.number), utcMs) },
    ],
    withdraw: () => [],
    alert: () => [],
    test(place, utcMs) {
      const status = { uid: 'status', bytes: statusBlock(source, utcMs) };
      if (place === null) return [];
      const { lat: latDeg, lon: lonDeg, altHaeM } = place;
      return [status, { uid: TEST_IDENT, bytes: trackBlock(source, { ...testTrack, utcMs, latDeg, lonDeg, altHaeM }) }];
    },
    joined: (messages) =>
      joinedBlocks(
        messages.map(({ bytes }) => bytes),
        MOST_BYTES,
      ).map((bytes) => ({ uid: 'block', bytes })),
    presence: null,
    session: () => beats((utcMs) => ({ uid: 'status', bytes: statusBlock(source, utcMs) })),
  };
}

/**
 * Fields of the test item, except its position. It is marked as simulated, so that receivers do not take it for an
 * aircraft.
 */
const testTrack: Omit<SentTrack, 'utcMs' | 'latDeg' | 'lonDeg' | 'altHaeM'> = {
  ...{ track: TEST_NUMBER, eastMps: 0, northMps: 0, climbMps: 0, sigmaEastM: null, sigmaNorthM: null, sigmaVM: null },
  ...{ ageS: 0, isMonosensor: true, isTentative: false, isSimulated: true, isDoubtful: false, isCoasting: false },
  ...{ heightFrom: 'unknown', ident: { text: 'DUNLIN', isReceived: false } },
};

/** Converts a track of the picture, with the time to which its state belongs. Null without a position. */
function sentTrack(view: TrackView): Omit<SentTrack, 'track'> | null {
  const { position, uncertainty, velocity, state, integrity, contributors, ...track } = view.track;
  if (position === null) return null;
  const [utcMs, firstMs] = [Date.parse(track.updated_at), Date.parse(track.first_seen_at)];
  return {
    ...{ utcMs, latDeg: position.lat, lonDeg: position.lon, altHaeM: position.alt_hae_m },
    ...directions(velocity),
    climbMps: velocity?.climb_mps ?? null,
    ...sigmas(uncertainty),
    ageS: (utcMs - firstMs) / 1_000,
    isMonosensor: contributors.length <= 1,
    isTentative: state === 'tentative',
    isSimulated: false,
    isDoubtful: integrity.verdict === 'suspect',
    isCoasting: state === 'coasting' || isSecondHand(view),
    heightFrom: heightSourceOf(view.sensors.map(({ modality }) => modality)),
    ident: identOf(view),
  };
}

/**
 * Returns true if another system reports a track and the sensors of this box no longer do. Such a track is sent as
 * coasting, which receivers do not treat as an observation. Otherwise two boxes that exchange tracks would keep each
 * other's tracks alive, or duplicate them.
 */
function isSecondHand({ track, sensors }: TrackView): boolean {
  const isOfOther = (id: string): boolean => sensors.some((one) => one.id === id && modalityTraits[one.modality].fused);
  if (!track.contributors.some(({ sensor_id }) => isOfOther(sensor_id))) return false;
  const own = track.contributors.filter(({ sensor_id }) => !isOfOther(sensor_id));
  return own.every(({ last_at }) => Date.parse(track.updated_at) - Date.parse(last_at) > OWN_HOLDS_MS);
}

/**
 * Returns the velocity along the axes, m/s. A track without a course moves too slowly to have one, so its velocity is
 * zero.
 */
function directions(velocity: TrackView['track']['velocity']): Pick<SentTrack, 'eastMps' | 'northMps'> {
  const { speed_mps: speed = null, course_deg: course = null } = velocity ?? {};
  if (speed === null) return { eastMps: null, northMps: null };
  if (course === null) return { eastMps: 0, northMps: 0 };
  const rad = (course * Math.PI) / 180;
  return { eastMps: speed * Math.sin(rad), northMps: speed * Math.cos(rad) };
}

/** Returns the standard deviations along the axes of the format, m, from the error ellipse. */
function sigmas(
  uncertainty: TrackView['track']['uncertainty'],
): Pick<SentTrack, 'sigmaEastM' | 'sigmaNorthM' | 'sigmaVM'> {
  if (uncertainty === null) return { sigmaEastM: null, sigmaNorthM: null, sigmaVM: null };
  const { major_m: major, minor_m: minor, orientation_deg: deg } = uncertainty.ellipse;
  const [sin, cos] = [Math.sin((deg * Math.PI) / 180), Math.cos((deg * Math.PI) / 180)];
  const sigmaEastM = Math.hypot(major * sin, minor * cos);
  return { sigmaEastM, sigmaNorthM: Math.hypot(major * cos, minor * sin), sigmaVM: uncertainty.v_m };
}

/**
 * Returns the source of a track's height. Cooperative aircraft report GNSS heights. The source of another system's
 * heights is unknown.
 */
function heightSourceOf(modalities: readonly Modality[]): SentTrack['heightFrom'] {
  const isOwn = (modality: Modality): boolean =>
    modalityTraits[modality].cooperative && !modalityTraits[modality].fused;
  if (modalities.some(isOwn)) return 'gnss';
  return modalities.includes('radar') ? 'radar' : 'unknown';
}

/**
 * Returns the callsign that an aircraft transmits, unless it is redacted; otherwise the track's number, as operators
 * use it.
 */
function identOf({ track }: TrackView): SentTrack['ident'] {
  const callsign = track.identities.find(({ type }) => type === 'callsign')?.value;
  const text = (callsign ?? track.number).toUpperCase().replace(/[^A-Z0-9]/g, '');
  return { text, isReceived: callsign !== undefined };
}
