/** What a vehicle is told, read at its end: by the simulated ones. Payloads are zero-filled to their full length. */

const viewOf = (payload: Uint8Array): DataView => new DataView(payload.buffer, payload.byteOffset, payload.byteLength);

/** Metres; what it is above says `frame`, a MAV_FRAME, where the command is a COMMAND_INT. */
export type HeardPlace = { latDeg: number; lonDeg: number; altM: number; frame: number | null };

/** COMMAND_LONG or COMMAND_INT. What the sender left out is as it was sent: zero, or a number that is none. */
export type HeardCommand = {
  command: number;
  targetSystem: number;
  targetComponent: number;
  params: readonly [number, number, number, number];
  /** Parameters 5 to 7, of which only commands with a place make one. */
  place: HeardPlace;
};

export function readCommandLong(payload: Uint8Array): HeardCommand {
  const view = viewOf(payload);
  return {
    ...addressOf(view),
    place: {
      latDeg: view.getFloat32(16, true),
      lonDeg: view.getFloat32(20, true),
      altM: view.getFloat32(24, true),
      frame: null,
    },
  };
}

export function readCommandInt(payload: Uint8Array): HeardCommand {
  const view = viewOf(payload);
  return {
    ...addressOf(view),
    place: {
      latDeg: view.getInt32(16, true) / 1e7,
      lonDeg: view.getInt32(20, true) / 1e7,
      altM: view.getFloat32(24, true),
      frame: view.getUint8(32),
    },
  };
}

/** Both have these at the same places. */
function addressOf(view: DataView): Omit<HeardCommand, 'place'> {
  return {
    command: view.getUint16(28, true),
    targetSystem: view.getUint8(30),
    targetComponent: view.getUint8(31),
    params: [view.getFloat32(0, true), view.getFloat32(4, true), view.getFloat32(8, true), view.getFloat32(12, true)],
  };
}

/** SET_MODE, which is older than the command protocol and is answered by nobody. */
export function readSetMode(payload: Uint8Array): { customMode: number; targetSystem: number } {
  const view = viewOf(payload);
  return { customMode: view.getUint32(0, true), targetSystem: view.getUint8(4) };
}
