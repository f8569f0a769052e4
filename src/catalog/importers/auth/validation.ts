import type { AuthSchemeManifest, ToolManifest } from '../../manifest/format/index.ts'
import { type Json, list } from '../json.ts'

/** Paths at which APIs return the owner of the credentials. */
const CURRENT_USER =
  /^(\/(api|rest))?(\/v\d+(\.\d+)?)?\/(me|whoami|self|myself|viewer|user|account|profile|(user|users|auth|account|accounts)\/(me|self|current|user|whoami)|current[-_]?user)(\.json)?\/?$/i
/** Schemes whose credentials a user enters. The others are proven by their authorization flow. */
const ENTERED: readonly string[] = ['API_KEY', 'BEARER_TOKEN', 'BASIC']

/**
 * Finds a request that only reads the owner of the credentials, by its path. Lists are not used: a valid key may lack
 * the permission to read them, and would be rejected.
 */
export function findValidation(tools: readonly ToolManifest[]): string | undefined {
  const paths = tools
    .filter(
      ({ effect, request, input, no_auth: isOpen }) =>
        effect === 'read' &&
        !isOpen &&
        request?.method === 'GET' &&
        list((input as Json)['required']).length === 0,
    )
    .map(({ request }) => request!.path)
    .filter((path) => CURRENT_USER.test(path))
  return paths.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
}

/** Adds the request to the schemes whose credentials it can validate. */
export const withValidation = (
  schemes: readonly AuthSchemeManifest[],
  path: string | undefined,
): AuthSchemeManifest[] =>
  schemes.map((one) =>
    path === undefined || !ENTERED.includes(one.scheme) || one.validate
      ? one
      : { ...one, validate: { path } },
  )
