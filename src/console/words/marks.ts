import type { Alert } from '../../model/alert.ts';
import type { Threat } from '../../model/threat.ts';

/** Symbol of each level, so that levels are never distinguished by colour alone. */
export const levelMark: Record<Threat['level'], string> = {
  critical: '◆',
  high: '▲',
  medium: '●',
  low: '○',
  none: '·',
};
export const severityMark: Record<Alert['severity'], string> = { critical: '◆', warning: '▲', notice: '●', info: '○' };
export const trendMark: Record<Threat['trend'], string> = { rising: '↗', steady: '→', falling: '↘' };
export const trendWord: Record<Threat['trend'], string> = { rising: 'rising', steady: 'steady', falling: 'falling' };
