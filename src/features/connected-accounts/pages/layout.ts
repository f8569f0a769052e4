import { asIs, html, type Markup } from './html.ts'
import { STYLE, STYLE_HASH } from './style.ts'

export interface Look {
  title: string
  toolkit?: { slug: string; name: string } | undefined
  /** Address of the project's own logo. */
  projectLogo?: string | null | undefined
  projectName?: string | null | undefined
  /** Where icons of toolkits are: `PUBLIC_URL`. */
  publicUrl: string
  /** Goes on by itself, without a script. */
  onward?: { url: string; afterSeconds?: number } | undefined
}

/** A whole page around its content. */
export const layout = (look: Look, content: Markup): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${look.title}</title>${
    look.onward !== undefined &&
    html`<meta http-equiv="refresh" content="${String(look.onward.afterSeconds ?? 0)};url=${look.onward.url}">`
  }<link rel="icon" href="data:,"><style>${asIs(STYLE)}</style></head>
<body><main>${logos(look)}${content}</main></body></html>
`.text

/** Names stand in the text beside them, so screen readers skip the pictures; the first letter stands in for one that does not load. */
function logos({ toolkit, projectLogo, projectName, publicUrl }: Look): Markup | false {
  if (!toolkit) return false
  const own = safeImage(projectLogo)
  return html`<div class="logos" aria-hidden="true">${own !== undefined && html`<span class="logo own"><img src="${own}" alt="${initial(projectName)}"></span><span class="dots"></span>`}<span class="logo"><img src="${publicUrl}/logos/${toolkit.slug}.svg" alt="${initial(toolkit.name)}"></span></div>
`
}

const initial = (name: string | null | undefined): string => [...(name?.trim() ?? '')][0] ?? '•'

/** http and https only, whatever a project stored before that was checked. */
export function safeImage(address: string | null | undefined): string | undefined {
  const url = address ? URL.parse(address) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** Nothing runs, nothing is framed, and forms go back to this server only, unless the page names where its one leads: what leads elsewhere is a page of its own that goes on. */
export function policyFor(imageOrigins: readonly string[], formTargets: readonly string[] = []): string {
  const images = [...new Set(["'self'", ...imageOrigins])].join(' ')
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src ${images} data:; base-uri 'none'; form-action ${["'self'", ...formTargets].join(' ')}; frame-ancestors 'none'`
}

export const originsOf = (...addresses: (string | null | undefined)[]): string[] =>
  addresses.flatMap((address) => {
    const image = safeImage(address)
    return image === undefined ? [] : [new URL(image).origin]
  })
