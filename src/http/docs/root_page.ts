import { createHash } from 'node:crypto';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#1b1f23;background:#fff}
h1{margin-bottom:0}li{margin:.4rem 0}.well{color:#1a6b2f}.ill{color:#a11212;font-weight:bold}code{background:#f0f1f3;padding:0 .2rem}
@media(prefers-color-scheme:dark){body{color:#e6e8ea;background:#14171a}a{color:#8ab8ff}.well{color:#7ed491}.ill{color:#ff8f8f}code{background:#23282d}}`;

/** Content security policy of the page: its own style by hash, but no scripts, frames, forms or external content. */
export const rootPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Builds the page of `GET /` for browsers: name and health of the service, and links to its parts. */
export function rootPage(of: {
  name: string;
  version: string;
  mode: string;
  healthy: boolean;
  startedAt: string;
}): string {
  const mode = of.mode === 'live' ? 'It shows the live world.' : `It shows a ${of.mode} world, not the live one.`;
  const health = of.healthy
    ? '<p class="well">All parts that its main job needs are up.</p>'
    : '<p class="ill">A part that its main job needs is down: <a href="/api/health">health</a> names it.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dunlin</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Dunlin</h1>
<p>A counter-UAS (drone detection) command and control service, version ${escaped(of.version)}, up since ${escaped(of.startedAt)}. ${escaped(mode)}</p>
${health}
<ul>
<li><a href="/console/">Console</a>: the picture, alerts, sensors and vehicles, for operators</li>
<li><a href="/docs">Documentation of the interface</a>, and <a href="/api/openapi.json">the same for programs</a></li>
<li><a href="/api/health">Health</a>, part by part, and <a href="/metrics">metrics</a></li>
</ul>
<p>A program gets a banner here: <code>curl -s ADDRESS/</code></p>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
