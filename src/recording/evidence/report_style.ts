/** Style of a report. It is black on white so that copies of copies stay readable; widths are for A4. */
export const reportStyle = `
@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { font: 10.5pt/1.4 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: #000; background: #fff;
  max-width: 180mm; margin: 0 auto; }
@media screen { body { padding: 12mm 0; } }
h1 { font-size: 16pt; margin: 0 0 1mm; }
h2 { font-size: 12pt; margin: 5mm 0 1.5mm; border-bottom: 0.3mm solid #000; break-after: avoid; }
p { margin: 0 0 2mm; }
header p { font-size: 9pt; }
.summary { border: 0.3mm solid #000; padding: 2.5mm 3mm; margin-top: 3mm; }
.stamp { border: 0.8mm solid #000; padding: 2mm; font-weight: bold; font-size: 14pt; text-align: center; }
table { border-collapse: collapse; width: 100%; font-size: 9.5pt; }
th, td { text-align: left; vertical-align: top; padding: 0.8mm 2mm 0.8mm 0; overflow-wrap: anywhere; }
.facts th { width: 46mm; font-weight: 600; }
.list th { border-bottom: 0.2mm solid #000; font-size: 8.5pt; overflow-wrap: normal; }
.list td { border-bottom: 0.1mm solid #999; }
.list { font-size: 8.5pt; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
.time { white-space: nowrap; }
.map { break-inside: avoid; }
svg { width: 100%; height: auto; border: 0.3mm solid #000; display: block; }
footer { margin-top: 6mm; border-top: 0.3mm solid #000; padding-top: 2mm; font-size: 8.5pt; break-inside: avoid; }
.id { font-family: "Liberation Mono", monospace; font-size: 8pt; }
`;
