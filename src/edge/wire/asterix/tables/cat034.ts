import type { CategoryTable } from '../notation.ts';

/** CAT 034, edition 1.29: service messages of one radar. */
export const cat034: CategoryTable = {
  uap: '010 000 030 020 041 050 060 070 100 110 120 090 RE SP',
  items: {
    '000': ':8',
    '010': '(SAC:8 SIC:8)',
    '020': ':u8*1.40625°',
    '030': ':u24*0.0078125s',
    '041': ':u16*0.0078125s',
    '050':
      '<COM(NOGO:1 RDPC:1 RDPR:1 OVLRDP:1 OVLXMT:1 MSC:1 TSV:1 .1) - - PSR(ANT:1 CHAB:2 OVL:1 MSC:1 .3) SSR(ANT:1 CHAB:2 OVL:1 MSC:1 .3) MDS(ANT:1 CHAB:2 OVLSUR:1 MSC:1 SCF:1 DLF:1 OVLSCF:1 OVLDLF:1 .7)>',
    '060': '<COM(.1 REDRDP:3 REDXMT:3 .1) - - PSR(POL:1 REDRAD:3 STC:2 .2) SSR(REDRAD:3 .5) MDS(REDRAD:3 CLU:1 .4)>',
    '070': '{(TYP:5 COUNT:u11)}',
    '090': '(RNG:i8*0.0078125NM AZM:i8*0.02197265625°)',
    '100':
      '(RHOST:u16*0.00390625NM RHOEND:u16*0.00390625NM THETAST:u16*0.0054931640625° THETAEND:u16*0.0054931640625°)',
    '110': ':8',
    '120': '(HGT:i16*1m LAT:i24*2.1457672119140625e-05° LON:i24*2.1457672119140625e-05°)',
    RE: '=',
    SP: '=',
  },
};
