import type { ToolkitManifest } from '../format/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'
import { checkRateLimit } from './limits.ts'

/** Rules about a toolkit as a whole that the schema cannot say. */
export function checkToolkit(toolkit: ToolkitManifest, folder: string, report: DiagnosticReporter): void {
  if (toolkit.slug !== folder)
    report.add('/slug', `must be the name of its folder, \`${folder.slice(0, 60)}\`.`)
  // `__proto__` fits the pattern of slugs. `_21risk` is a slug of the API, whose names cannot begin with a digit.
  if (!/^_?[a-z0-9]/.test(toolkit.slug))
    report.add('/slug', 'must begin with a letter, a digit, or `_` and one of them.')
  if (new Set(toolkit.categories).size < toolkit.categories.length)
    report.add('/categories', 'lists a category twice.')
  if (!isDate(toolkit.created)) report.add('/created', 'is not a date.')
  toolkit.releases.forEach(({ version }, index) => {
    const at = `/releases/${index}/version`
    if (!isDate(version.replace(/^(\d{4})(\d{2})(\d{2})_\d{2}$/, '$1-$2-$3')))
      report.add(at, 'must begin with a date, YYYYMMDD.')
    const newer = toolkit.releases[index - 1]
    if (newer && newer.version <= version)
      report.add(at, 'must be older than the release before it in the list.')
  })
  checkRateLimit(toolkit, report)
  if (toolkit.local && toolkit.base_url !== undefined)
    report.add('/base_url', 'is not allowed for a local toolkit, which has no network access.')
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** An icon is served to browsers as it is, so it must not run or fetch anything. */
export function checkIcon(svg: string, report: DiagnosticReporter): void {
  if (!/^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s/>]/.test(svg))
    report.add('', 'is not an SVG image.')
  if (
    /<\s*(script|foreignObject|iframe|use|image|style|!ENTITY|!DOCTYPE)\b/i.test(svg) ||
    /\son[a-z]+\s*=/i.test(svg)
  )
    report.add('', 'must not contain scripts, styles, event handlers or embedded content.')
  if (/(href|src)\s*=|url\(\s*['"]?(?!#)|javascript:/i.test(svg))
    report.add('', 'must not refer to external content.')
}
