import type { CategoryTable } from '../notation.ts';

/** CAT 023, edition 1.3: status reports of ADS-B ground stations and their services. */
export const cat023: CategoryTable = {
  uap: '010 000 015 070 100 101 200 110 120 - - - RE SP',
  items: {
    '000': ':8',
    '010': '(SAC:8 SIC:8)',
    '015': '(SID:4 STYP:4)',
    '070': ':u24*0.0078125s',
    '100': '[NOGO:1 ODP:1 OXT:1 MSC:1 TSV:1 SPO:1 RN:1 | GSSP:u7*1s]',
    '101': '[RP:u8*0.5s SC:3 .4 | SSRP:u7*1s]',
    '110': '[.4 STAT:3]',
    '120': '{(TYPE:8 REF:1 .7 CV:32)}',
    '200': ':u8*1NM',
    RE: '=',
    SP: '=',
  },
};
