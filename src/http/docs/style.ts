/** The style of the documentation page: quiet, by day and by night. */
export const docsStyle = `:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b57a4, #8ab8f0); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template: auto 1fr / 17rem minmax(0, 1fr); }
header { grid-column: 1 / 3; position: sticky; top: 0; z-index: 1; display: flex; gap: 0.75rem; align-items: center;
  padding: 0.5rem 1rem; background: Canvas; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.1rem; margin: 0 auto 0 0; }
input { font: inherit; padding: 0.25rem 0.5rem; width: 18rem; max-width: 40vw; }
nav { padding: 0.5rem 1rem 2rem; border-right: 1px solid var(--line); position: sticky; top: 3rem; height: calc(100vh - 3rem);
  overflow: auto; font-size: 0.85rem; }
nav ul { list-style: none; margin: 0 0 0.75rem; padding: 0; }
nav h2 { font-size: 0.85rem; margin: 0.5rem 0 0.25rem; }
main { padding: 0.5rem 1.5rem 4rem; max-width: 70rem; }
a { color: var(--link); }
.about { white-space: pre-line; }
section.group > h2 { margin-top: 2rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 4px; margin: 0.5rem 0; scroll-margin-top: 4rem; }
summary { padding: 0.4rem 0.75rem; cursor: pointer; }
summary:focus-visible, a:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
details > :not(summary) { margin-left: 0.75rem; margin-right: 0.75rem; }
.method { font: bold 0.8rem ui-monospace, monospace; display: inline-block; width: 4.5rem; }
.path { font-family: ui-monospace, monospace; margin-right: 0.75rem; }
.hint { opacity: 0.75; }
h3 { font-size: 0.95rem; margin: 1rem 0 0.25rem; }
table { border-collapse: collapse; width: calc(100% - 1.5rem); margin-bottom: 0.75rem; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--line); }
code, pre { font-family: ui-monospace, monospace; font-size: 0.85rem; }
pre { background: var(--soft); padding: 0.5rem; overflow: auto; max-height: 24rem; }
[hidden] { display: none; }
@media (max-width: 50rem) { body { display: block; } nav { display: none; } }
`;
