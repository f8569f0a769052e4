import { quoted, ImportRejected } from '../import-rejected.ts'

const ADDRESS_MAX = 2_000
/** Names of a query under which servers take a secret. */
const SECRET =
  /(^|[_-])(api[_-]?key|apikey|key|token|secret|password|passwd|auth|authorization|sig|signature|credential)s?$/i

/** Reads the URL of a server, and the same URL without the secrets in its query. @throws ImportRejected */
export function readAddress(serverUrl: string): { address: string; plain: string; secrets: string[] } {
  const url = serverUrl.length <= ADDRESS_MAX ? URL.parse(serverUrl.trim()) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ImportRejected(
      'no_address',
      `${quoted(serverUrl)} is no address of a server. Give one such as https://mcp.example.com/mcp.`,
    )
  if (url.username || url.password)
    throw new ImportRejected(
      'no_address',
      'The address holds a user or a password. Give them as a header: `Authorization: Basic …`.',
    )
  url.hash = ''
  const address = url.href
  const secrets = [...new Set(url.searchParams.keys())].filter((name) => SECRET.test(name))
  for (const name of secrets) url.searchParams.delete(name)
  return { address, plain: url.href, secrets }
}
