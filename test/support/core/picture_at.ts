import { idleSim } from '../../../src/model/picture.ts';
import { formatTime } from '../../../src/model/time.ts';
import { PictureState } from '../../../src/picture/picture.ts';

/** A picture on a clock that a test moves. */
export function pictureAt(clock: { ms: number }): PictureState {
  return new PictureState(
    { epoch: 'e', workspaceId: 'wsp_x', trackHz: 4, environment: 'live' },
    {
      nowMs: () => clock.ms,
      publishMs: () => clock.ms,
      sim: () => idleSim,
      timeText: formatTime,
      mslOfHae: (hae) => hae - 48,
      groundAltHaeM: () => null,
      ...{ alerts: () => [], engagements: () => [] },
      provenance: 'live',
    },
  );
}
