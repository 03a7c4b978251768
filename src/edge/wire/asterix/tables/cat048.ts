import type { CategoryTable } from '../notation.ts';

/** CAT 048, edition 1.32: target reports of one radar. */
export const cat048: CategoryTable = {
  uap: '010 140 020 040 070 090 130 220 240 250 161 042 200 170 210 030 080 100 110 120 230 260 055 050 065 060 SP RE',
  items: {
    '010': '(SAC:8 SIC:8)',
    '020':
      '[TYP:3 SIM:1 RDP:1 SPI:1 RAB:1 | TST:1 ERR:1 XPP:1 ME:1 MI:1 FOEFRI:2 | ADSB(EP:1 VAL:1) SCN(EP:1 VAL:1) PAI(EP:1 VAL:1) .1 | ACASXV(EP:1 VAL:4) POXPR(EP:1 VAL:1) | POACT(EP:1 VAL:1) DTFXPR(EP:1 VAL:1) DTFACT(EP:1 VAL:1) .1 | IRMXPR(EP:1 VAL:1) IRMACT(EP:1 VAL:1) .3]',
    '030': '^{:7}',
    '040': '(RHO:u16*0.00390625NM THETA:u16*0.0054931640625°)',
    '042': '(X:i16*0.0078125NM Y:i16*0.0078125NM)',
    '050': '(V:1 G:1 L:1 .1 MODE2:o12)',
    '055': '(V:1 G:1 L:1 MODE1:5)',
    '060': '(.4 QA4:1 QA2:1 QA1:1 QB4:1 QB2:1 QB1:1 QC4:1 QC2:1 QC1:1 QD4:1 QD2:1 QD1:1)',
    '065': '(.3 QA4:1 QA2:1 QA1:1 QB2:1 QB1:1)',
    '070': '(V:1 G:1 L:1 .1 MODE3A:o12)',
    '080': '(.4 QA4:1 QA2:1 QA1:1 QB4:1 QB2:1 QB1:1 QC4:1 QC2:1 QC1:1 QD4:1 QD2:1 QD1:1)',
    '090': '(V:1 G:1 FL:i14*0.25FL)',
    '100': '(V:1 G:1 .2 MODEC:12 .4 QC1:1 QA1:1 QC2:1 QA2:1 QC4:1 QA4:1 QB1:1 QD1:1 QB2:1 QD2:1 QB4:1 QD4:1)',
    '110': '(.2 3DH:i14*25ft)',
    '120': '<CAL(D:1 .5 CAL:i10*1m/s) RDS{(DOP:u16*1m/s AMB:u16*1m/s FRQ:u16*1MHz)}>',
    '130':
      '<SRL:u8*0.0439453125° SRR:u8 SAM:i8*1dBm PRL:u8*0.0439453125° PAM:i8*1dBm RPD:i8*0.00390625NM APD:i8*0.02197265625°>',
    '140': ':u24*0.0078125s',
    '161': '(.4 TRN:12)',
    '170': '[CNF:1 RAD:2 DOU:1 MAH:1 CDM:2 | TRE:1 GHO:1 SUP:1 TCC:1 .3]',
    '200': '(GSP:u16*6.103515625e-05NM/s HDG:u16*0.0054931640625°)',
    '210': '(SIGX:u8*0.0078125NM SIGY:u8*0.0078125NM SIGV:u8*6.103515625e-05NM/s SIGH:u8*0.087890625°)',
    '220': ':24',
    '230': '(COM:3 STAT:3 SI:1 .1 MSSC:1 ARC:1 AIC:1 B1A:1 B1B:4)',
    '240': ':t48',
    '250': '{(MBDATA:56 BDS1:4 BDS2:4)}',
    '260': ':56',
    RE: '=',
    SP: '=',
  },
};
