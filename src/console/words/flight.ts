import type { Verb } from '../../model/verb.ts';

const verbNames: Readonly<Record<Verb, string>> = {
  hold: 'hold',
  return_home: 'return home',
  land: 'land',
  takeoff: 'take off',
  goto: 'go to',
  orbit: 'orbit',
  shadow: 'shadow',
  escort: 'escort',
  search: 'search',
  set_speed: 'set speed',
  look_at: 'look at',
  zoom: 'zoom',
  take_image: 'take image',
  start_video: 'start video',
  stop_video: 'stop video',
  set_mode: 'set mode',
  request_status: 'request status',
};

/** Name of a verb for a person. */
export const verbName = (verb: string): string => verbNames[verb as Verb] ?? verb.replaceAll('_', ' ');

/** Activity of a vehicle in a mode, by the modes' names in ArduPilot and PX4 (`fleet/modes.ts`). */
const modeNames: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['return home', 'RTL SMART_RTL AUTO_RTL QRTL'],
      ['land', 'LAND QLAND AUTO_LAND'],
      ['stand still', 'BRAKE'],
      ['stay in place', 'LOITER QLOITER AUTO_LOITER'],
      ['circle', 'CIRCLE'],
      ['follow orders', 'GUIDED GUIDED_NOGPS OFFBOARD'],
      ['fly its stored mission', 'AUTO AUTO_MISSION'],
      ['take off', 'TAKEOFF AUTO_TAKEOFF'],
      ['wait for an order', 'AUTO_READY'],
      [
        'flown by a pilot',
        'STABILIZE STABILIZED MANUAL ACRO ALT_HOLD ALTCTL POSHOLD POSCTL DRIFT SPORT THROW FLOWHOLD',
      ],
      ['flown by a pilot', 'ZIGZAG AUTOTUNE TRAINING FBWA FBWB CRUISE QSTABILIZE QHOVER'],
    ] as const
  ).flatMap(([says, modes]) => modes.split(' ').map((mode) => [mode, says])),
);

/** Tooltip of an autopilot mode, with its meaning. */
export function modeHint(mode: string | null): string {
  if (mode === null) return 'The vehicle has not said in which mode its autopilot is';
  const says = modeNames[mode];
  return says === undefined ? 'Mode of its autopilot, as the autopilot names it' : `Mode of its autopilot: ${says}`;
}

/** Timestamps of the interface, which a person reads without milliseconds. */
const timestamps = /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z/g;

const renamed = Object.entries(verbNames).flatMap(([verb, name]) => (verb === name ? [] : [verb]));
const verbIds = new RegExp(`(?<![\\w-])(${renamed.join('|')})(?![\\w-])`, 'g');
const modesInText = new RegExp(
  `\\b(in|acknowledged|no|the mode) (${Object.keys(modeNames).join('|')})( mode)?(?![\\w-])`,
  'g',
);

/** Replacements for "no" and "the mode" in front of a mode. After other words, "the mode" is inserted. */
const kindOf: Readonly<Record<string, string>> = { no: 'no mode', 'the mode': 'the mode' };

/**
 * A sentence of the daemon, for a person. The daemon names verbs and modes as its interface does; here they get the
 * words of the buttons. Everything else stays unchanged.
 */
export function spoken(sentence: string): string {
  return sentence
    .replace(verbIds, verbName)
    .replace(timestamps, '$1 $2Z')
    .replace(
      modesInText,
      (_all, before: string, mode: string) => `${kindOf[before] ?? `${before} the mode`} “${modeNames[mode]}”`,
    );
}
