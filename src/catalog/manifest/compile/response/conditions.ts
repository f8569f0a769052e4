import { isDeepStrictEqual } from 'node:util'
import { compilePath } from '../template/paths.ts'
import type { Predicate } from '../../../types/index.ts'

/** A condition of a manifest: `status`, `header` and `body` must all hold. */
export interface ConditionManifest {
  status?: number | number[]
  header?: { name: string; equals?: string; exists?: boolean }
  body?: { path: string; equals?: unknown; one_of?: unknown[]; contains?: string; exists?: boolean }
}

/** Compiles a condition to a predicate; an empty condition always holds. */
export function compileCondition(condition: ConditionManifest): Predicate {
  const tests: Predicate[] = []
  if (condition.status !== undefined) {
    const statuses = new Set([condition.status].flat())
    tests.push(({ status }) => statuses.has(status))
  }
  if (condition.header) tests.push(compileHeaderCondition(condition.header))
  if (condition.body) tests.push(compileBodyCondition(condition.body))
  const [first, second] = tests
  if (!first) return () => true
  return second ? (response) => tests.every((test) => test(response)) : first
}

/** A name alone asks that the header is there. */
function compileHeaderCondition({
  name,
  equals,
  exists,
}: NonNullable<ConditionManifest['header']>): Predicate {
  const key = name.toLowerCase()
  return ({ headers }) => {
    const header = Object.hasOwn(headers, key) ? headers[key] : undefined
    const value = typeof header === 'string' || header === undefined ? header : header.join(', ')
    if (equals !== undefined && value !== equals) return false
    return exists === false ? value === undefined : value !== undefined
  }
}

/** A path alone asks that a value is there; JSON null counts as a value. */
function compileBodyCondition(body: NonNullable<ConditionManifest['body']>): Predicate {
  const read = compilePath(body.path)
  const { contains, one_of: oneOf, exists } = body
  const mustEqual = Object.hasOwn(body, 'equals')
  return (response) => {
    const value = read(response.body)
    if (mustEqual && !isDeepStrictEqual(value, body.equals)) return false
    if (oneOf && !oneOf.some((one) => isDeepStrictEqual(value, one))) return false
    if (contains !== undefined && !comparableText(value).includes(contains)) return false
    if (exists !== undefined) return (value !== undefined) === exists
    return mustEqual || oneOf !== undefined || contains !== undefined || value !== undefined
  }
}

function comparableText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Compiles a condition that has passed the manifest format; undefined where there is none. */
export const compileManifestCondition = (condition: unknown): Predicate | undefined =>
  condition === undefined ? undefined : compileCondition(condition as ConditionManifest)
