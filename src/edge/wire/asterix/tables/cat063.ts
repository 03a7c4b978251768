import type { CategoryTable } from '../notation.ts';

/** CAT 063, edition 1.7: status reports of the sensors behind a tracker. */
export const cat063: CategoryTable = {
  uap: '010 015 030 050 060 070 080 081 090 091 092 - RE SP',
  items: {
    '010': '(SAC:8 SIC:8)',
    '015': ':8',
    '030': ':u24*0.0078125s',
    '050': '(SAC:8 SIC:8)',
    '060':
      '[CON:2 PSR:1 SSR:1 MDS:1 ADS:1 MLT:1 | OPS:1 ODP:1 OXT:1 MSC:1 TSV:1 NPW:1 .1 | TTF(EP:1 VAL:1) SPO(EP:1 VAL:1) .3]',
    '070': ':i16*1ms',
    '080': '(SRG:i16*1e-05 SRB:i16*0.0078125NM)',
    '081': ':i16*0.0054931640625°',
    '090': '(PRG:i16*1e-05 PRB:i16*0.0078125NM)',
    '091': ':i16*0.0054931640625°',
    '092': ':i16*0.0054931640625°',
    RE: '=',
    SP: '=',
  },
};
