/** The page of `GET /docs`. It brings nothing inline and asks nothing of the network but the document itself. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dunlin: HTTP interface</title>
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<header>
<h1 id="title">HTTP interface</h1>
<label for="filter">Filter</label>
<input id="filter" type="search" placeholder="path, word or tag" autocomplete="off">
<span id="count" role="status" aria-live="polite"></span>
</header>
<nav id="contents" aria-label="Contents"></nav>
<main id="main"><p>Loading the document …</p></main>
<noscript><p>This page draws <a href="/api/openapi.json">the OpenAPI document</a> with a script, and scripts are off.</p></noscript>
</body>
</html>
`;
