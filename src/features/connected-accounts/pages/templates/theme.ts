import { createHash } from 'node:crypto'
import { accentColors, type Scheme } from '../../../../contract/theme-colors.ts'
import type { Translator } from '../language/index.ts'
import { html, type Markup } from './html.ts'
import { safeHttpUrl } from './safe-url.ts'

/** What a project changes on its hosted pages. */
export interface PageTheme {
  /** `#rrggbb` */
  accentColor: string | null
  supportUrl: string | null
  privacyUrl: string | null
}

const ACCENT = /^#[0-9A-Fa-f]{6}$/

/** Returns the style of an accent colour; undefined for none, and for one that was stored before it was validated. */
export function themeStyle(accent: string | null | undefined): string | undefined {
  if (!accent || !ACCENT.test(accent)) return undefined
  const variables = (scheme: Scheme) => {
    const colors = accentColors(accent, scheme)
    return `:root{--accent:${colors.accent};--on-accent:${colors.onAccent}}`
  }
  return `${variables('light')}@media (prefers-color-scheme:dark){${variables('dark')}}`
}

/** Returns the source of an inline style or script for the content security policy. */
export const contentHash = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** Renders the links of the project below a page. */
export function themeLinks(theme: PageTheme | undefined, { markup }: Translator): Markup | false {
  const links = [
    [markup('support'), safeHttpUrl(theme?.supportUrl)],
    [markup('privacy'), safeHttpUrl(theme?.privacyUrl)],
  ].filter(([, url]) => url !== undefined)
  const anchors = links.map(
    ([label, url]) => html`<a href="${url}" target="_blank" rel="noopener noreferrer">${label}</a> `,
  )
  return (
    links.length > 0 &&
    html`
<footer class="links">${anchors}</footer>`
  )
}
