/** Strict: the page holds no script, and its one style is named by hash in the header that goes with it. */
const STYLE = `
:root{color-scheme:light dark;--ink:#16181d;--soft:#5b6270;--ground:#f5f6f8;--card:#fff;--line:#e3e6eb}
@media (prefers-color-scheme:dark){:root{--ink:#eef0f4;--soft:#a3abba;--ground:#101216;--card:#191c22;--line:#2a2f38}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{box-sizing:border-box;width:min(28rem,calc(100vw - 2rem));padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 .6rem;font-size:1.3rem;line-height:1.3}p{margin:0;color:var(--soft);overflow-wrap:anywhere}`

export const PAGE_STYLE = STYLE

/** A page with one message, for browsers that have nowhere else to go. Every text is escaped. */
export const messagePage = (title: string, text: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body></html>
`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
