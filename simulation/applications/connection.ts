import {
  type CompiledScheme,
  type JsonSchema,
  mergeSchemeFields,
  type Toolkit,
  type ToolManifest,
} from '../../src/catalog/index.ts'
import { propertiesOf } from './read-arguments.ts'
import { mintedLike } from './values.ts'

/** The simplest to make up first: what needs a signature, a certificate or a walk of the browser comes last. */
const ORDER = ['NO_AUTH', 'BEARER_TOKEN', 'API_KEY', 'BASIC', 'OAUTH2', 'S2S_OAUTH2']

/**
 * A connection to the simulation of a toolkit: every value that a request may need, and none that is
 * anybody's secret.
 */
export function simulatedConnection(
  toolkit: Toolkit,
  manifests: readonly ToolManifest[],
): { authScheme: string; toolkitSlug: string; val: Record<string, unknown> } | undefined {
  if (toolkit.noAuth) return undefined
  const scheme = [...toolkit.schemes].sort((a, b) => rank(a) - rank(b))[0]!
  return { authScheme: scheme.mode, toolkitSlug: toolkit.slug, val: valuesFor(scheme, toolkit, manifests) }
}

/** Values with which OAuth 1 signs requests. */
const OAUTH1_NAMES = ['oauth_token', 'oauth_token_secret', 'consumer_key', 'consumer_secret']

const rank = ({ mode, manifest }: CompiledScheme): number =>
  (ORDER.includes(mode) ? ORDER.indexOf(mode) : ORDER.length) +
  (manifest.apply?.sign || manifest.apply?.mint ? 100 : 0)

function valuesFor(
  scheme: CompiledScheme,
  toolkit: Toolkit,
  manifests: readonly ToolManifest[],
): Record<string, unknown> {
  const { manifest, headers, query, body, basic, baseUrl } = scheme
  const templates = [...headers, ...query, ...body, ...toolkit.headers]
    .map(({ value }) => value)
    .concat(basic ? [basic.username, basic.password] : [], baseUrl ?? [], toolkit.baseUrl ?? [])
  const own = manifests.flatMap(({ request, input }) =>
    [...JSON.stringify(request ?? null).matchAll(/\{\+?([A-Za-z_][\w]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !Object.hasOwn(propertiesOf(input as JsonSchema), name)),
  )
  const fields = [
    ...mergeSchemeFields(manifest, 'connected_account_initiation'),
    ...mergeSchemeFields(manifest, 'auth_config_creation'),
  ]
  // Triggers use values that requests after the connection save.
  const lookups = (manifest as { post_connect?: { save?: Readonly<Record<string, string>> }[] }).post_connect
  const names = new Set([
    ...templates.flatMap(({ names: all }) => all),
    ...own,
    ...(scheme.mode === 'OAUTH1' ? OAUTH1_NAMES : []),
    ...(lookups ?? []).flatMap(({ save = {} }) => Object.keys(save)),
    ...fields.map(({ name }) => name),
  ])
  const variants = manifest.variants ?? []
  const brought = new Set(
    variants.flatMap(({ values }) => Object.values(values).flatMap((one) => Object.keys(one))),
  )
  const chosen = Object.fromEntries(
    variants.map(({ by, default: preset, values }) => [by, preset ?? Object.keys(values)[0]]),
  )
  // `{base_uri}/restapi` begins with a value that is a URL, whatever its name is.
  const wholeUrls = new Set(
    [toolkit.baseUrl, baseUrl].flatMap((url) => /^\{(\w+)/.exec(url?.source ?? '')?.[1] ?? []),
  )
  const made = [...names]
    .filter((name) => !brought.has(name))
    .map((name) => {
      const field = fields.find((one) => one.name === name)
      return [
        name,
        field?.default ??
          field?.enum?.[0] ??
          (/url$/.test(name) ? undefined : field?.example) ??
          madeUp(name, toolkit.slug, wholeUrls.has(name)),
      ]
    })
  return { ...Object.fromEntries(made), ...chosen }
}

function madeUp(name: string, slug: string, isUrl: boolean): string {
  if (isUrl || /url$/.test(name)) return `https://${slug.replaceAll('_', '-')}.example.com`
  if (/key$/.test(name)) return `${mintedLike('10000000', slug, 1)}:simulated-key`
  return `simulated-${name.replaceAll('_', '-')}`
}
