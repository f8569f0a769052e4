import { renderUrl } from '../../compile/template/url.ts'
import type { AuthSchemeManifest, ToolkitManifest, VariantManifest } from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'
import { compileTemplate } from '../../compile/template/templates.ts'

const VALUE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/
const CHOICE_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u

/** Names for templates that a choice brings. */
export const variantValueNames = ({ values }: VariantManifest): string[] => [
  ...new Set(Object.values(values).flatMap((brought) => Object.keys(brought))),
]

/** Rules about named choices. `taken` are the names that something else supplies. */
export function checkVariants(
  scheme: AuthSchemeManifest,
  toolkit: ToolkitManifest,
  reserved: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  const seen = new Map<string, string>()
  const choosers = new Set<string>()
  scheme.variants?.forEach((variant, index) => {
    const at = `${path}/variants${pointerSegment(index)}`
    if (choosers.has(variant.by)) report.add(`${at}/by`, `\`${variant.by}\` selects two variants; keep one.`)
    choosers.add(variant.by)
    checkChooser(scheme, variant, `${at}/by`, path, report)
    const { default: preset, values } = variant
    if (preset !== undefined && !Object.hasOwn(values, preset))
      report.add(`${at}/default`, `must be one of ${Object.keys(values).join(', ')}.`)
    const names = variantValueNames(variant)
    if (!names.length) report.add(`${at}/values`, 'must have at least one value.')
    for (const name of names) {
      if (!VALUE_NAME.test(name))
        report.add(
          `${at}/values`,
          `\`${name}\` is not a valid name for templates: use letters, digits, \`_\` and \`-\`.`,
        )
      if (reserved.has(name) || name === variant.by || seen.has(name))
        report.add(`${at}/values`, `\`${name}\` is already the name of another value. Rename it.`)
      seen.set(name, at)
    }
    for (const [choice, brought] of Object.entries(values)) {
      const here = `${at}/values${pointerSegment(choice)}`
      if (!CHOICE_NAME.test(choice))
        report.add(here, 'must be a short text without special characters, which a person can select.')
      for (const name of names)
        if (!Object.hasOwn(brought, name))
          report.add(here, `\`${name}\` is missing; the other choices have it.`)
      for (const [name, text] of Object.entries(brought))
        if (text === '' || text.includes('{'))
          report.add(here + pointerSegment(name), 'must be a non-empty text without placeholders.')
    }
    checkUrlValues(scheme, toolkit, variant, at, report)
  })
}

/** The field that chooses is asked once, and its list is that of the values. */
function checkChooser(
  scheme: AuthSchemeManifest,
  { by }: VariantManifest,
  at: string,
  path: string,
  report: DiagnosticReporter,
): void {
  const own = SCHEME_FIELDS[scheme.scheme]!
  if (
    [...own.auth_config_creation, ...own.connected_account_initiation].some(({ name }) => name === by) ||
    own.supplies.includes(by)
  )
    report.add(at, `\`${by}\` is a field of ${scheme.scheme}. Select with another field.`)
  const stages = (['auth_config_creation', 'connected_account_initiation'] as const).filter((stage) =>
    scheme.fields?.[stage]?.some(({ name }) => name === by),
  )
  if (stages.length > 1)
    report.add(at, `\`${by}\` is a field of the auth config and of the connection; keep one.`)
  for (const stage of stages) {
    const index = scheme.fields![stage]!.findIndex(({ name }) => name === by)
    const field = scheme.fields![stage]![index]!
    const wrong = (['enum', 'pattern', 'default', 'prefix', 'suffix', 'secret'] as const).filter(
      (name) => field[name] !== undefined && field[name] !== null && field[name] !== false,
    )
    for (const name of [...wrong, ...((field.type ?? 'string') === 'string' ? [] : ['type'])])
      report.add(
        `${path}/fields/${stage}${pointerSegment(index)}/${name}`,
        `is not allowed: \`${by}\` has the choices of \`variants\`. Remove it.`,
      )
  }
}

/**
 * Every choice must fit where an address begins or names its host: a wrong one would be found by the first
 * user of that region.
 */
function checkUrlValues(
  scheme: AuthSchemeManifest,
  toolkit: ToolkitManifest,
  { values }: VariantManifest,
  at: string,
  report: DiagnosticReporter,
): void {
  for (const text of urlTexts(scheme, toolkit)) {
    for (const part of templateParts(text)) {
      if (typeof part === 'string' || (part.position !== 'start' && part.position !== 'host')) continue
      const name = part.alternatives
        .flatMap((one) => ('name' in one ? [one.name] : []))
        .find((one) => Object.values(values).some((brought) => Object.hasOwn(brought, one)))
      if (name === undefined) continue
      for (const [choice, brought] of Object.entries(values)) {
        try {
          renderUrl({ source: text, parts: [part], names: [name], required: [name] }, () => brought[name])
        } catch (error) {
          report.add(
            `${at}/values${pointerSegment(choice)}${pointerSegment(name)}`,
            `does not fit \`${text}\`: ${(error as Error).message}`,
          )
        }
      }
    }
  }
}

/** Texts of a scheme that are addresses, whatever scheme it is. */
function urlTexts(scheme: AuthSchemeManifest, toolkit: ToolkitManifest): string[] {
  const parts = Object.values(scheme).filter(
    (part): part is { url?: unknown; path?: unknown } => typeof part === 'object' && part !== null,
  )
  return [scheme.base_url ?? toolkit.base_url, ...parts.flatMap(({ url, path }) => [url, path])].filter(
    (text): text is string => typeof text === 'string',
  )
}

function templateParts(text: string) {
  try {
    return compileTemplate(text).parts
  } catch {
    return [] // Told where the template is checked.
  }
}
