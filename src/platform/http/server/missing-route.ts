import type { FastifyReply, FastifyRequest } from 'fastify'
import { nearestName } from '../../nearest-name.ts'
import { ApiError } from '../api-error.ts'
import { pathOf } from './path-of.ts'

/** The method and the path of a route, to recognize requests with another method or a misspelt path. */
export interface RegisteredRoute {
  method: string
  /** Path without the version, such as `/tools/:tool_slug`. */
  path: string
}

/** Operations of the API before version 3. */
const LEGACY_PATH = /^\/api\/v[12](\/|$)/
/** A path without its version, or with one that does not exist. */
const OTHER_VERSION = /^(\/api)?(\/v\d{1,3}(\.\d{1,3})?)?(?=\/)/
/**
 * Operations of other servers that need the key of a member, and the operation for the same question here. This
 * server issues keys of projects and of organizations only.
 */
export const OPERATIONS_OF_USER_KEYS: Readonly<Record<string, string>> = {
  '/org/list':
    'Use GET /api/v3.1/auth/session/info with a project key: its response has the organization of the key.',
  '/org/project/list':
    'Use GET /api/v3.1/org/owner/project/list with the key of the organization in the header x-org-api-key.',
}
const DEFAULT_PREFIX = '/api/v3.1'

/** Returns the error for a URL without a route, with the allowed methods if the path has one. */
export function routeNotFound(
  known: readonly RegisteredRoute[],
  request: FastifyRequest,
  reply: FastifyReply,
): ApiError {
  const path = pathOf(request.url)
  if (LEGACY_PATH.test(path))
    return new ApiError(
      'HTTP_Gone',
      `${path} belongs to an earlier API, which was removed. Use /api/v3.1 instead.`,
    )
  const others = [...new Set(known.filter((route) => matchesPath(route, path)).map(({ method }) => method))]
  if (!others.length) return unknownPath(known, path)
  reply.header('allow', others.join(', '))
  return new ApiError(
    'HTTP_MethodNotAllowed',
    `${request.method} is not possible on ${path}; use ${others.join(' or ')}.`,
  )
}

/** Made by the first request without a route, so that a start is short. */
const patterns = new WeakMap<RegisteredRoute, RegExp>()

function matchesPath(route: RegisteredRoute, path: string): boolean {
  let pattern = patterns.get(route)
  if (!pattern) {
    pattern = new RegExp(`^/api/v3(\\.1)?${route.path.replace(/:\w+/g, '[^/]+')}/?$`)
    patterns.set(route, pattern)
  }
  return pattern.test(path)
}

function unknownPath(known: readonly RegisteredRoute[], path: string): ApiError {
  const operation = path.replace(/^\/api\/v3(\.1)?(?=\/)/, '')
  const replacement = Object.hasOwn(OPERATIONS_OF_USER_KEYS, operation) && OPERATIONS_OF_USER_KEYS[operation]
  if (replacement)
    return new ApiError('HTTP_NotFound', `${path} needs a user key, and this server issues none.`, {
      fix: replacement,
    })
  const nearest = nearestPath(known, path)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return new ApiError('HTTP_NotFound', `There is nothing at ${path}.${hint}`, {
    fix: 'Compare the path with the operations in /openapi.json or /reference. Paths start with /api/v3.1.',
  })
}

/** Returns the path that lacks or has a wrong version, or whose misspelt part has a near name. */
function nearestPath(known: readonly RegisteredRoute[], path: string): string | undefined {
  const hasVersion = /^\/api\/v3(\.1)?\//.test(path)
  const prefix = hasVersion ? path.slice(0, path.indexOf('/', 5)) : DEFAULT_PREFIX
  const rest = hasVersion ? path.slice(prefix.length) : path.replace(OTHER_VERSION, '')
  const full = prefix + rest
  if (!hasVersion && known.some((route) => matchesPath(route, full))) return full
  const segments = rest.split('/')
  const misspelt = known.map((route) => misspeltPart(route.path.split('/'), segments))
  for (const at of segments.keys()) {
    const names = misspelt.flatMap((part) => (part?.at === at ? [part.name] : []))
    const nearest = nearestName(segments[at]!, new Set(names))
    if (nearest !== undefined) return prefix + segments.with(at, nearest).join('/')
  }
  return undefined
}

/** Returns the only fixed part in which a path differs from a route, or undefined if that is not one. */
function misspeltPart(route: string[], segments: string[]): { at: number; name: string } | undefined {
  if (route.length !== segments.length) return undefined
  const differing = [...route.keys()].filter(
    (at) => !route[at]!.startsWith(':') && route[at] !== segments[at],
  )
  const at = differing[0]
  return at === undefined || differing.length > 1 ? undefined : { at, name: route[at]! }
}
