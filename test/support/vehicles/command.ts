import { type Fields, type Heard, numberOf } from './messages.ts';

/** MAV_RESULT. */
export const RESULT = {
  accepted: 0,
  temporarilyRejected: 1,
  denied: 2,
  unsupported: 3,
  failed: 4,
  inProgress: 5,
} as const;

export type Result = (typeof RESULT)[keyof typeof RESULT];

/** MAV_CMD. */
export const CMD = {
  waypoint: 16,
  loiterUnlimited: 17,
  returnToLaunch: 20,
  land: 21,
  takeoff: 22,
  orbit: 34,
  conditionYaw: 115,
  setMode: 176,
  setStandardMode: 262,
  changeSpeed: 178,
  changeAltitude: 186,
  flightTermination: 185,
  reposition: 192,
  pauseContinue: 193,
  roiLocation: 195,
  rebootShutdown: 246,
  missionStart: 300,
  armDisarm: 400,
  getHome: 410,
  getMessageInterval: 510,
  setMessageInterval: 511,
  requestMessage: 512,
  requestProtocolVersion: 519,
  requestCapabilities: 520,
  setZoom: 531,
  gimbalPitchYaw: 1000,
  gimbalConfigure: 1001,
  imageStart: 2000,
  videoStart: 2500,
  videoStop: 2501,
  guidedChangeSpeed: 43_000,
  guidedChangeAltitude: 43_001,
} as const;

export type Command = {
  id: number;
  kind: 'long' | 'int';
  /** Of COMMAND_INT only. */
  frame: number;
  /** As they came: parameters 1 to 7, a COMMAND_INT's x and y as the integers they are. */
  p: [number, number, number, number, number, number, number];
  /** Parameters 5 to 7 as a place. */
  lat: number;
  lon: number;
  alt: number;
  from: { sysid: number; compid: number };
};

export function commandOf(heard: Heard): Command | null {
  if (heard.name !== 'COMMAND_LONG' && heard.name !== 'COMMAND_INT') return null;
  const isInt = heard.name === 'COMMAND_INT';
  const { fields } = heard;
  const [p5, p6, p7] = isInt ? ['x', 'y', 'z'] : ['param5', 'param6', 'param7'];
  const p: Command['p'] = [
    numberOf(fields, 'param1'),
    numberOf(fields, 'param2'),
    numberOf(fields, 'param3'),
    numberOf(fields, 'param4'),
    numberOf(fields, p5 ?? ''),
    numberOf(fields, p6 ?? ''),
    numberOf(fields, p7 ?? ''),
  ];
  const scale = isInt ? 1e7 : 1;
  return {
    id: numberOf(fields, 'command'),
    kind: isInt ? 'int' : 'long',
    frame: isInt ? numberOf(fields, 'frame') : 3,
    p,
    lat: p[4] / scale,
    lon: p[5] / scale,
    alt: p[6],
    from: { sysid: heard.sysid, compid: heard.compid },
  };
}

/** An acknowledgement a test wants: the command is done when it says ACCEPTED. */
export type ScriptedAnswer = { result: number; afterS?: number; progress?: number };

export function acknowledgement(command: Command, result: number): Fields {
  const { sysid, compid } = command.from;
  return { command: command.id, result, target_system: sysid, target_component: compid };
}
