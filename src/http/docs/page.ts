import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Page of `GET /docs`: Swagger UI, served by the box itself. The page has no inline script, and requests only the
 * OpenAPI document and its own files.
 */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dunlin: HTTP interface</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/docs.js" defer></script>
</head>
<body>
<main id="main"></main>
<noscript><p>This page draws <a href="/api/openapi.json">the OpenAPI document</a> with a script, and scripts are off.</p></noscript>
</body>
</html>
`;

/**
 * Shows the document for reading only. The page sends no other requests, accepts no credential, and calls no external
 * validator.
 */
export const docsScript = `'use strict';

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#main',
  deepLinking: true,
  filter: true,
  showExtensions: true,
  showCommonExtensions: true,
  validatorUrl: null,
  supportedSubmitMethods: [],
  plugins: [() => ({ wrapComponents: { authorizeBtn: () => () => null } })],
});
`;

const require = createRequire(import.meta.url);
const read = new Map<string, string>();

/**
 * Returns a file of Swagger UI. It is read at its first request, because the bundle has 1.7 MB and many boxes never
 * show the page.
 */
export function docsAsset(name: 'swagger-ui.css' | 'swagger-ui-bundle.js'): string {
  const known = read.get(name) ?? readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8');
  read.set(name, known);
  return known;
}
