import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../../platform/http/api-error.ts'
import { isObject } from '../../../platform/json-object.ts'
import { createFailedKeyLimit } from './failed-key-limit.ts'
import { type LeakedKeyDeps, type LeakReport, revokeLeakedKey } from './leaked-keys.ts'

const BODY_BYTES_MAX = 65_536
const REPORTS_MAX = 100
const PLACE_CHARACTERS_MAX = 500
/** Keys of every version, and those that an administrator has chosen. Other texts are not looked up. */
const KEY = /^o?ak_[A-Za-z0-9_-]{16,128}$/

/**
 * Registers the endpoint that revokes published keys. Requests and responses have the form of GitHub's secret
 * scanning partner program: `[{ token, type, url, source }]`, and for each token whether it was a key.
 */
export function leakedKeyRoutes(app: FastifyInstance, deps: LeakedKeyDeps): void {
  const limit = createFailedKeyLimit(deps.clock)
  app.post<{ Body: unknown }>('/leaked-keys', { bodyLimit: BODY_BYTES_MAX }, async ({ body, ip }) => {
    const labels: object[] = []
    for (const report of readReports(body)) {
      const { token } = report
      const isLookedUp = KEY.test(token)
      if (isLookedUp) limit.check(token, ip)
      const isKey = isLookedUp && (await revokeLeakedKey(deps, report, ip))
      if (isLookedUp) limit.record(token, ip, isKey)
      labels.push({
        token_hash: createHash('sha256').update(token).digest('base64'),
        token_type: 'patchbay_api_key',
        label: isKey ? 'true_positive' : 'false_positive',
      })
    }
    return labels
  })
}

/** @throws ApiError 400 that names the field */
function readReports(body: unknown): LeakReport[] {
  if (!Array.isArray(body) || body.length === 0 || body.length > REPORTS_MAX)
    throw badRequest(`Error in payload: must be a list of 1 to ${REPORTS_MAX} reports`)
  return body.map((entry: unknown, index) => {
    if (!isObject(entry) || typeof entry['token'] !== 'string')
      throw badRequest(`Error in payload.${index}.token: must be a text`)
    return { token: entry['token'], url: placeOf(entry['url']), source: placeOf(entry['source']) }
  })
}

const placeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value.toWellFormed().replaceAll('\0', '').slice(0, PLACE_CHARACTERS_MAX)
    : undefined
