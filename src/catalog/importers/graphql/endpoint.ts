import type { AuthSchemeManifest, FieldManifest } from '../../manifest/format/index.ts'
import type { Json } from '../json.ts'
import type { ImportOptions } from '../imported.ts'
import { nameOfHost } from '../host-name.ts'
import { readAddress } from '../mcp/address.ts'
import type { Endpoint } from './tool.ts'

const FIELD: FieldManifest = {
  name: 'endpoint',
  display_name: 'Endpoint',
  description: 'Whole address of the GraphQL endpoint.',
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  example: 'https://api.example.com/graphql',
}

/** The endpoint, the API name derived from it, and the usual auth schemes. @throws ImportRejected */
export function endpointOf({
  server,
  address,
}: ImportOptions): Endpoint & { base: string; name: string; auth: readonly AuthSchemeManifest[] } {
  const endpointUrl = server ?? address
  if (endpointUrl === undefined) {
    const fields = { connected_account_initiation: [FIELD] }
    // Each connection names its own endpoint.
    return {
      base: '{endpoint}',
      path: '{endpoint}',
      query: {},
      reserved: ['endpoint'],
      name: 'GraphQL API',
      auth: usual.slice(0, 2).map((scheme) => ({ ...scheme, fields })),
    }
  }
  // A key in the query belongs to one user: each connection supplies its own.
  const {
    plain,
    secrets: [secret],
  } = readAddress(endpointUrl)
  const url = new URL(plain)
  const query: Json = Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [name, value.replaceAll('{', '{{')]),
  )
  const auth =
    secret === undefined
      ? usual
      : [{ scheme: 'API_KEY' as const, apply: { query: { [secret]: '{generic_api_key}' } } }, usual[0]!]
  return {
    base: url.origin,
    path: url.pathname.replaceAll('{', '{{'),
    query,
    reserved: [],
    name: nameOfHost(url.hostname) ?? 'GraphQL API',
    auth,
  }
}

const usual: readonly AuthSchemeManifest[] = [
  { scheme: 'BEARER_TOKEN' },
  {
    scheme: 'API_KEY',
    name: 'Key as the whole header',
    apply: { headers: { authorization: '{generic_api_key}' } },
  },
  { scheme: 'NO_AUTH' },
]
