import type { AuthSchemeManifest, CompiledScheme, Toolkit } from '../../catalog/index.ts'
import type { SchemeSetup } from '../../contract/toolkits/index.ts'
import { managedSchemesOf, redirectUriOf, type ToolkitPresenterDeps } from './present.ts'

type Scopes = Extract<AuthSchemeManifest, { scheme: 'OAUTH2' }>['scopes']
type RedirectRules = Extract<AuthSchemeManifest, { scheme: 'OAUTH2' }>['redirect_rules']

const WITH_REDIRECT = ['OAUTH2', 'DCR_OAUTH', 'OAUTH1']
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Presents how each scheme of a toolkit is set up at the vendor. */
export function presentSetup(toolkit: Toolkit, deps: ToolkitPresenterDeps) {
  const managed = managedSchemesOf(toolkit, deps.managedSchemes)
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    schemes: toolkit.schemes.map((scheme) =>
      presentSchemeSetup(toolkit, scheme, deps.publicUrl, managed.includes(scheme.mode)),
    ),
  }
}

function presentSchemeSetup(
  toolkit: Toolkit,
  { mode, manifest }: CompiledScheme,
  publicUrl: string,
  managed: boolean,
): SchemeSetup {
  const redirectUri = WITH_REDIRECT.includes(mode) ? redirectUriOf(toolkit, manifest, publicUrl) : null
  const rules = 'redirect_rules' in manifest ? manifest.redirect_rules : undefined
  const scopes: Scopes = 'scopes' in manifest ? manifest.scopes : undefined
  const tokenUrl =
    'token' in manifest && manifest.token && 'url' in manifest.token ? manifest.token.url : null
  const defaults = scopes?.default ?? []
  const fill = (step: string) =>
    step
      .replaceAll('{redirect_uri}', () => redirectUri ?? '')
      .replaceAll('{scopes}', () => defaults.join(', '))
  return {
    mode,
    name: manifest.name ?? mode,
    redirect_uri: redirectUri,
    needs_https: rules?.https_only ?? false,
    redirect_uri_accepted: redirectUri === null || isAccepted(redirectUri, rules),
    console_url: manifest.setup?.console_url ?? manifest.hint_url ?? null,
    token_url: typeof tokenUrl === 'string' ? tokenUrl : null,
    default_scopes: defaults.map((scope) => ({ scope, description: scopes?.descriptions?.[scope] ?? null })),
    managed,
    steps: (manifest.setup?.steps ?? generalSteps(toolkit, mode, defaults.length > 0)).map(fill),
    source: manifest.setup?.source ?? manifest.hint_url ?? toolkit.docsUrl ?? null,
  }
}

function isAccepted(redirectUri: string, rules: RedirectRules): boolean {
  if (!rules?.https_only) return true
  const url = URL.parse(redirectUri)
  if (url?.protocol === 'https:') return true
  return Boolean(rules.localhost_allowed && url && LOCAL_HOSTS.includes(url.hostname))
}

/** Steps of a scheme whose manifest has none. */
function generalSteps({ name }: Toolkit, mode: string, hasScopes: boolean): string[] {
  switch (mode) {
    case 'NO_AUTH':
      return []
    case 'OAUTH2':
    case 'OAUTH1':
      return [
        `Open the developer settings of ${name} and create an OAuth app.`,
        'Register this redirect URI: {redirect_uri}',
        ...(hasScopes ? ['Allow these scopes: {scopes}'] : []),
        'Copy the client ID and the client secret into the form.',
      ]
    case 'DCR_OAUTH':
      return ['No app is needed: this server registers itself when the first user connects.']
    default:
      return [
        `Sign in to ${name} and create the credentials in its settings.`,
        'Copy them into the form; they are verified before the account becomes active.',
      ]
  }
}
