import { ENGLISH, type PageText, type Translator } from '../language/index.ts'
import { html, type Markup, unescaped } from './html.ts'
import { safeHttpUrl } from './safe-url.ts'
import { STYLE, STYLE_HASH } from './style.ts'
import { contentHash, type PageTheme, themeLinks, themeStyle } from './theme.ts'

/** What a page shows around its content: the application, and the project with its look. */
export interface PageFrame {
  toolkit?: { slug: string; name: string } | undefined
  /** URL of the project's logo. */
  projectLogo?: string | null | undefined
  projectName?: string | null | undefined
  theme?: PageTheme | undefined
  /** `PUBLIC_URL` of this server, which has the logos of toolkits. */
  publicUrl: string
}

export interface PageLayout extends PageFrame {
  title: PageText
  /** Writes the page in the language of the reader. Default: English. */
  translator?: Translator | undefined
  /** The only script of the page; the content security policy names its hash. */
  script?: string | undefined
  /** Continues to this URL automatically, without a script. */
  continueTo?: { url: string; afterSeconds?: number } | undefined
}

/** Returns the fields of a page that its layout needs. */
export const frameOf = ({ toolkit, projectLogo, projectName, theme, publicUrl }: PageFrame): PageFrame => ({
  toolkit,
  projectLogo,
  projectName,
  theme,
  publicUrl,
})

/** Renders a complete page. */
export const renderLayout = (page: PageLayout, content: Markup): string => {
  const { translator = ENGLISH } = page
  return html`<!doctype html>
<html lang="${translator.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${translator.text(page.title)}</title>${
    page.continueTo !== undefined &&
    html`<meta http-equiv="refresh" content="${String(page.continueTo.afterSeconds ?? 0)};url=${page.continueTo.url}">`
  }<link rel="icon" href="data:,"><style>${unescaped(STYLE)}</style>${accentStyle(page)}</head>
<body><main>${logos(page)}${content}${themeLinks(page.theme, translator)}</main>${
    page.script !== undefined && html`<script>${unescaped(page.script)}</script>`
  }</body></html>
`.text
}

/** The policy of the page names the hash of this style, so it has nothing else in it. */
function accentStyle({ theme }: PageLayout): Markup | false {
  const style = themeStyle(theme?.accentColor)
  return style !== undefined && html`<style>${unescaped(style)}</style>`
}

/**
 * The project and the application, next to each other. Screen readers skip them: the names are in the text. The first
 * letter replaces a logo that a project does not have or that does not load.
 */
function logos({ toolkit, projectLogo, projectName, publicUrl }: PageLayout): Markup | false {
  if (!toolkit) return false
  const logoUrl = safeHttpUrl(projectLogo)
  const projectLogoOrLetter =
    logoUrl === undefined
      ? projectName && html`<span class="letter">${initial(projectName)}</span>`
      : html`<img src="${logoUrl}" alt="${initial(projectName)}">`
  const projectTile =
    projectLogoOrLetter &&
    html`<span class="logo own">${projectLogoOrLetter}</span><span class="dots"></span>`
  const toolkitLogoUrl = `${publicUrl}/logos/${toolkit.slug}.svg`
  const toolkitTile = html`<span class="logo"><img src="${toolkitLogoUrl}" alt="${initial(toolkit.name)}"></span>`
  return html`<div class="logos" aria-hidden="true">${projectTile}${toolkitTile}</div>
`
}

const initial = (name: string | null | undefined): string =>
  [...(name?.trim() ?? '')][0]?.toUpperCase() ?? '•'

/**
 * Whether a text is an origin or a scheme. The host of a URL may contain `;` and `,`, which would start another
 * directive or another policy.
 */
const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) || /^[a-z][a-z0-9+.-]*:$/.test(text)

/**
 * Makes the content security policy of a page: no scripts and no frames, and forms go to this server only,
 * unless the page has other targets. A page that leads elsewhere after a form is an interstitial page.
 */
export function contentSecurityPolicy(
  imageOrigins: readonly string[],
  formTargets: readonly string[] = [],
  accentColor?: string | null,
  script?: string,
): string {
  const images = [...new Set(["'self'", ...imageOrigins.filter(isOrigin)])].join(' ')
  const accent = themeStyle(accentColor)
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'${accent === undefined ? '' : ` ${contentHash(accent)}`}`,
    ...(script === undefined ? [] : [`script-src ${contentHash(script)}`]),
    `img-src ${images} data:`,
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets.filter(isOrigin)].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

export const imageOriginsOf = (...urls: (string | null | undefined)[]): string[] =>
  urls.flatMap((url) => {
    const image = safeHttpUrl(url)
    return image === undefined ? [] : [new URL(image).origin]
  })
