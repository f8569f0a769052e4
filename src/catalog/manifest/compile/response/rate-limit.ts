import { compileCondition, type ConditionManifest } from './conditions.ts'
import type { RateLimitManifest, WaitManifest } from '../../format/limits.ts'
import { compilePath } from '../template/paths.ts'
import type { RateLimit, ResponseView } from '../../../types/index.ts'
import { findFirstGroup, PATTERN_TEXT_MAX } from '../../../../platform/safe-pattern/index.ts'
import { parseWaitMs } from './retry-after.ts'

const DEFAULT_CONCURRENCY = 32

/** Compiles what a manifest says of rate limits; without a manifest, what RFC 9110 says. */
export function compileRateLimit(manifest: RateLimitManifest = {}): RateLimit {
  const waits = (manifest.wait ?? []).map(compileWaitReader)
  const { remaining } = manifest
  return Object.freeze<RateLimit>({
    counts: manifest.counts ?? 'account',
    concurrency: manifest.concurrency ?? DEFAULT_CONCURRENCY,
    waitAfter(response, now) {
      for (const read of waits) {
        const found = read(response, now)
        if (found !== undefined) return found
      }
      return parseWaitMs(firstHeader(response, 'retry-after'), 'retry_after', now)
    },
    waitWhenSpent:
      remaining &&
      ((response, now) => {
        const left = firstHeader(response, remaining.header)
        return left !== undefined && /^\s*0+(\.0*)?\s*$/.test(left)
          ? parseWaitMs(firstHeader(response, remaining.reset.header), remaining.reset.unit, now)
          : undefined
      }),
  })
}

function compileWaitReader({
  when,
  header,
  body,
  value: fixed,
  pattern,
  unit,
}: WaitManifest): (response: ResponseView, now: number) => number | undefined {
  const holds = when && compileCondition(when as ConditionManifest)
  const path = body === undefined ? undefined : compilePath(body)
  return (response, now) => {
    if (holds && !holds(response)) return undefined
    const value =
      fixed ?? (path ? path(response.body) : header === undefined ? undefined : firstHeader(response, header))
    if (pattern === undefined) return parseWaitMs(value, unit, now)
    return typeof value === 'string'
      ? parseWaitMs(
          findFirstGroup(pattern, value.slice(0, PATTERN_TEXT_MAX), { ignoreCase: true }),
          unit,
          now,
        )
      : undefined
  }
}

/** Of a field that came several times the first counts. */
function firstHeader({ headers }: ResponseView, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}
