import { findPatternFault, matchesPattern } from '../../../../platform/safe-pattern/index.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'
import { type DiagnosticReporter, pointerSegment } from '../../diagnostics.ts'
import type { AuthSchemeManifest } from '../../format/index.ts'

/** Checks the fields that a scheme declares for auth configs and connections. */
export function checkFields(scheme: AuthSchemeManifest, path: string, report: DiagnosticReporter): void {
  const own = SCHEME_FIELDS[scheme.scheme]!
  const ownNames = new Set(
    [...own.auth_config_creation, ...own.connected_account_initiation].map(({ name }) => name),
  )
  for (const name of scheme.fields?.omit ?? [])
    if (!ownNames.has(name))
      report.add(`${path}/fields/omit`, `\`${name}\` is not a field of ${scheme.scheme}.`)
  for (const stage of ['auth_config_creation', 'connected_account_initiation'] as const) {
    const seen = new Set<string>()
    scheme.fields?.[stage]?.forEach((field, index) => {
      const at = `${path}/fields/${stage}${pointerSegment(index)}`
      if (seen.has(field.name)) report.add(at, `field \`${field.name}\` is declared twice; keep one.`)
      seen.add(field.name)
      if (
        field.multiline &&
        (field.enum ?? field.prefix ?? field.suffix ?? (field.type === 'string' ? undefined : field.type)) !==
          undefined
      )
        report.add(
          `${at}/multiline`,
          'is for free text only, not for a field with `enum`, `prefix`, `suffix` or another type.',
        )
      if (field.pattern === undefined) return
      const fault = findPatternFault(field.pattern)
      if (fault) report.add(`${at}/pattern`, `${fault}.`)
      else if (field.example !== undefined && !matchesPattern(field.pattern, field.example))
        report.add(`${at}/example`, 'does not match `pattern`.')
    })
  }
}
