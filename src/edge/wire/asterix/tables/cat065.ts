import type { CategoryTable } from '../notation.ts';

/** CAT 065, edition 1.6: service status reports of a surveillance data processing system (SDPS). */
export const cat065: CategoryTable = {
  uap: '010 000 015 030 020 040 050 - - - - - RE SP',
  items: {
    '000': ':8',
    '010': '(SAC:8 SIC:8)',
    '015': ':8',
    '020': ':u8',
    '030': ':u24*0.0078125s',
    '040': '(NOGO:2 OVL:1 TSV:1 PSS:2 STTN:1 .1)',
    '050': ':8',
    RE: '=',
    SP: '=',
  },
};
