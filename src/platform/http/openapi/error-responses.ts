import { ERRORS, type ErrorSlug, SHARED_ERRORS } from '../../../contract/errors/index.ts'
import type { Route } from '../../../contract/route.ts'
import type { JsonObject } from './shared-schemas.ts'

type ByStatus = Map<number, ErrorSlug[]>

const ENVELOPE = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } }
const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

/** Returns the error responses of a route: one for each status, which lists its errors with slug and code. */
export function errorResponses(route: Route): JsonObject {
  const shared = byStatus(SHARED_ERRORS)
  const all = byStatus(new Set([...route.errors, ...SHARED_ERRORS]))
  return Object.fromEntries(
    [...all].map(([status, slugs]) => [
      status,
      slugs.length === shared.get(status)?.length
        ? { $ref: `#/components/responses/Error${status}` }
        : errorResponse(status, slugs),
    ]),
  )
}

/** Returns the error responses that every operation shares. */
export function sharedErrorResponses(): JsonObject {
  return Object.fromEntries(
    [...byStatus(SHARED_ERRORS)].map(([status, slugs]) => [`Error${status}`, errorResponse(status, slugs)]),
  )
}

function errorResponse(status: number, slugs: readonly ErrorSlug[]): JsonObject {
  const waits =
    status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}
  return {
    description: slugs.map((slug) => `- \`${slug}\` (${ERRORS[slug].code}): ${ERRORS[slug].fix}`).join('\n'),
    headers: { ...REQUEST_ID, ...waits },
    content: ENVELOPE,
  }
}

function byStatus(slugs: Iterable<ErrorSlug>): ByStatus {
  const groups: ByStatus = new Map()
  for (const slug of slugs)
    groups.set(ERRORS[slug].status, [...(groups.get(ERRORS[slug].status) ?? []), slug])
  return new Map([...groups].sort(([one], [other]) => one - other))
}
