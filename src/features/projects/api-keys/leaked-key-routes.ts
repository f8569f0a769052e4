import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { reportLeakedKeys } from '../../../contract/projects/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { isObject } from '../../../platform/json-object.ts'
import { createFailedKeyLimit } from './failed-key-limit.ts'
import { type LeakedKeyDeps, type LeakReport, revokeLeakedKey } from './leaked-keys.ts'

const BODY_BYTES_MAX = 65_536
const REPORTS_MAX = 100
const PLACE_CHARACTERS_MAX = 500
/** Keys of every version, and those that an administrator has chosen. Other texts are not looked up. */
const KEY = /^o?ak_[A-Za-z0-9_-]{16,128}$/

/**
 * Registers the endpoints that revoke published keys: an operation of the API, and one with requests and responses in
 * the form of GitHub's secret scanning partner program: `[{ token, type, url, source }]`, and for each token whether it
 * was a key.
 */
export function leakedKeyRoutes(app: FastifyInstance, api: Api, deps: LeakedKeyDeps): void {
  const limit = createFailedKeyLimit(deps.clock)
  /** Returns whether the token is a key. Other texts than keys are not looked up. @throws ApiError 429 */
  const revoke = async (report: LeakReport, ip: string): Promise<boolean> => {
    const { token } = report
    if (!KEY.test(token)) return false
    limit.check(token, ip)
    const isKey = await revokeLeakedKey(deps, report, ip)
    limit.record(token, ip, isKey)
    return isKey
  }
  api.on(reportLeakedKeys, async ({ body, ip }) => {
    for (const token of body.api_keys) await revoke({ token, url: undefined, source: undefined }, ip)
    return { received: true }
  })
  app.post<{ Body: unknown }>('/leaked-keys', { bodyLimit: BODY_BYTES_MAX }, async ({ body, ip }) => {
    const labels: object[] = []
    for (const report of readReports(body))
      labels.push({
        token_hash: createHash('sha256').update(report.token).digest('base64'),
        token_type: 'patchbay_api_key',
        label: (await revoke(report, ip)) ? 'true_positive' : 'false_positive',
      })
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
