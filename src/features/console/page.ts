import type { ConsoleBundle } from './assets.ts'

/**
 * Only files of this server run, nothing inline; and no text becomes markup, because no Trusted Types policy exists.
 * https://www.w3.org/TR/CSP3/, https://www.w3.org/TR/trusted-types/
 */
export const CONSOLE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The only HTML document of the console. Everything else is loaded by its script.
 * @param prefix path of PUBLIC_URL, without a slash at the end
 */
export function renderPage({ script, style, preload }: ConsoleBundle, prefix: string): string {
  const url = (file: string) => escape(`${prefix}/console/assets/${file}`)
  return `<!DOCTYPE html>
<html lang="en" data-prefix="${escape(prefix)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Patchbay</title>
<link rel="icon" href="data:,">
${style === undefined ? '' : `<link rel="stylesheet" href="${url(style)}">\n`}${preload
    .map((file) => `<link rel="modulepreload" href="${url(file)}">\n`)
    .join('')}<script type="module" src="${url(script)}"></script>
</head>
<body>
<div id="root"></div>
<noscript>
<p>The console requires JavaScript. The command line does everything that the console does: patchbay --help</p>
</noscript>
</body>
</html>
`
}

/** Shown while the console is built for the first time after an update. The browser loads it again. */
export const PREPARING_PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1">
<title>Preparing the console – Patchbay</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>Preparing the console</h1>
<p>This takes a few seconds after an update. The page reloads automatically.</p>
</main>
</body>
</html>
`
