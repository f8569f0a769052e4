/** The page at /reference: a header and Swagger UI. Its URLs are relative. */
export const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Patchbay API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference/swagger-ui.css">
<link rel="stylesheet" href="reference/reference.css">
</head>
<body>
<header>
<strong>Patchbay API</strong>
<nav aria-label="Version of the API"><a href="?api=v3.1">v3.1</a><a href="?api=v3">v3</a></nav>
<a id="document" href="openapi.json">openapi.json</a>
</header>
<main id="reference"><p class="message">Loading the reference …</p></main>
<noscript><p class="message">This page requires JavaScript. Without it, read <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/reference.js"></script>
</body>
</html>
`

// Runs in the browser. Calls go to the origin of the page, even if PUBLIC_URL differs: the page may call no
// other origin.
export const PAGE_SCRIPT = `const versions = ['v3.1', 'v3']
const asked = new URLSearchParams(location.search).get('api')
const version = versions.includes(asked) ? asked : versions[0]
const address = 'openapi.json?api=' + version
document.getElementById('document').href = address
for (const link of document.querySelectorAll('nav a')) if (link.textContent === version) link.setAttribute('aria-current', 'page')

fetch(address).then((answer) => {
  if (!answer.ok) throw new Error('HTTP ' + answer.status)
  return answer.json()
}).then((spec) => {
  spec.servers = [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }]
  SwaggerUIBundle({
    spec, dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, displayRequestDuration: true, defaultModelsExpandDepth: 0,
    persistAuthorization: false, validatorUrl: null, queryConfigEnabled: false, presets: [SwaggerUIBundle.presets.apis],
  })
}).catch((error) => {
  document.querySelector('#reference .message').textContent = 'Could not load the reference: ' + error.message
})
`

export const PAGE_STYLE = `body { margin: 0; background: #fff; color: #1b1f24; font-family: system-ui, sans-serif; }
header { display: flex; align-items: baseline; gap: 1.5rem; max-width: 1420px; margin: 0 auto; padding: 1.25rem 20px; box-sizing: border-box; }
header strong { font-size: 1.25rem; }
header nav { display: flex; gap: 0.25rem; flex: 1; }
header a { color: #0b57a4; text-decoration: none; padding: 0.2rem 0.6rem; border-radius: 4px; }
header a:hover { text-decoration: underline; }
header nav a[aria-current] { background: #1b1f24; color: #fff; }
.message { max-width: 1380px; margin: 0 auto; padding: 2rem 20px; }
.swagger-ui .info { margin: 1rem 0; }
.swagger-ui .info .title { display: none; }
.swagger-ui .scheme-container { box-shadow: none; border-bottom: 1px solid #d8dde3; padding: 1rem 0; }
`
