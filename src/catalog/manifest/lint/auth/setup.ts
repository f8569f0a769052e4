import { type DiagnosticReporter, pointerSegment } from '../../diagnostics.ts'
import type { AuthSchemeManifest } from '../../format/index.ts'
import type { ScopesManifest } from '../../format/oauth2.ts'
import { SETUP_PLACES } from '../../format/setup.ts'

const PLACE = /\{([^{}]*)\}/g
/** Schemes whose app at the vendor needs the redirect URI of this server. */
const WITH_REDIRECT = ['OAUTH2', 'DCR_OAUTH', 'OAUTH1']

/** Checks the set-up steps of a scheme, and that its descriptions are of scopes that it knows. */
export function checkSetup(scheme: AuthSchemeManifest, path: string, report: DiagnosticReporter): void {
  scheme.setup?.steps.forEach((step, index) => {
    for (const [, name = ''] of step.matchAll(PLACE)) {
      const at = `${path}/setup/steps/${index}`
      if (!(SETUP_PLACES as readonly string[]).includes(name))
        report.add(
          at,
          `\`{${name.slice(0, 60)}}\` is unknown; use ${SETUP_PLACES.map((one) => `{${one}}`).join(' or ')}.`,
        )
      else if (name === 'redirect_uri' && !WITH_REDIRECT.includes(scheme.scheme))
        report.add(at, `\`{redirect_uri}\` is not allowed: ${scheme.scheme} has no redirect.`)
      else if (name === 'scopes' && !('scopes' in scheme && scheme.scopes))
        report.add(at, '`{scopes}` is not allowed: the scheme declares no scopes.')
    }
  })
  const scopes: ScopesManifest | undefined = 'scopes' in scheme ? scheme.scopes : undefined
  if (!scopes?.available) return
  const known = new Set([...scopes.available, ...(scopes.default ?? []), ...(scopes.user_default ?? [])])
  for (const scope of Object.keys(scopes.descriptions ?? {}))
    if (!known.has(scope))
      report.add(
        `${path}/scopes/descriptions${pointerSegment(scope)}`,
        'describes a scope that `available` does not list.',
      )
}
