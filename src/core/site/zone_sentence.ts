import type { ZoneEvent } from '../../model/firing.ts';

const basis = {
  altitude: '',
  takeoff: ', judged by its height above its take-off point',
  unknown: ', although its height is unknown',
} as const;

/** Sentence for the log about a transition. `label` is the track's label. */
export function zoneSentence(event: ZoneEvent, label: string, zoneName: string): string {
  return `${label} ${whatHappened(event, zoneName)}${basis[event.height]}.`;
}

function whatHappened({ transition, because, etaS }: ZoneEvent, zone: string): string {
  switch (transition) {
    case 'approach':
      return `will enter ${zone} in ${Math.round(etaS ?? 0)} s on its present course`;
    case 'dwell':
      return `stays in ${zone}`;
    case 'enter':
      if (because === 'zone') return `is in ${zone}, which was changed or became active`;
      return because === 'flown' ? `entered ${zone}` : `was found in ${zone}`;
    case 'exit':
      return exitOf(because, zone);
  }
}

function exitOf(because: ZoneEvent['because'], zone: string): string {
  switch (because) {
    case 'flown':
      return `left ${zone}`;
    case 'zone':
      return `is no longer in ${zone}, which was changed or is no longer active`;
    case 'track':
      return `is no longer subject to ${zone}, because its affiliation changed, or the kinds of sensors that report it`;
    case 'closed':
      return `was last seen in ${zone} and is no longer tracked`;
    case 'dropped':
      return `was dropped while in ${zone}`;
    case 'merged':
      return `was merged into another track while in ${zone}`;
  }
}
