import type { AuthSchemeManifest } from '../../../catalog/index.ts'
import { DIAGNOSIS_RULES } from './diagnosis-rules/index.ts'
import { NESTED_TOKEN } from './diagnosis-rules/patterns.ts'
import type { DiagnosedRequest, DiagnosisCondition } from './diagnosis-rules/rule.ts'
import type { ProviderRequestRow } from './request-store.ts'

/** `exchange` is the index of the request in the list of the response. */
export interface DiagnosisFinding {
  exchange: number
  cause: string
  field: string | null
  fix: string
}

const FINDINGS_MAX = 3
const ERROR_FIELD = /(^|\.)(error|message|msg|errmsg|detail|title|errors|reason)/i

/**
 * Diagnoses the newest request of each kind: the likely cause, and the field of the manifest (or the setting
 * at the provider) that fixes it.
 */
export function diagnose(
  rows: readonly ProviderRequestRow[],
  manifest: AuthSchemeManifest | undefined,
): DiagnosisFinding[] {
  const kinds = new Set<string>()
  const newest = rows.flatMap((row, index) => {
    if (kinds.has(row.kind)) return []
    kinds.add(row.kind)
    return [diagnosedRequest(rows, index, manifest)]
  })
  // Failures come before possible improvements.
  return newest
    .sort((a, b) => Number(a.row.outcome === 'ok') - Number(b.row.outcome === 'ok'))
    .flatMap(findingsFor)
    .slice(0, FINDINGS_MAX)
}

function findingsFor(request: DiagnosedRequest): DiagnosisFinding[] {
  const rules = DIAGNOSIS_RULES.filter(({ when }) => isFulfilled(when, request))
  return (request.row.outcome === 'ok' ? rules : rules.slice(0, 1)).map(({ cause, field, fix }) => ({
    exchange: request.index,
    cause: fillText(cause, request),
    field,
    fix: fillText(fix, request),
  }))
}

function diagnosedRequest(
  rows: readonly ProviderRequestRow[],
  index: number,
  manifest: AuthSchemeManifest | undefined,
): DiagnosedRequest {
  const row = rows[index] as ProviderRequestRow
  const { request, response } = row as unknown as Pick<DiagnosedRequest, 'request' | 'response'>
  const paths = fieldsByPath(response.body)
  const errors = [...paths]
    .filter(([path]) => ERROR_FIELD.test(path))
    .map(([, value]) => (typeof value === 'string' ? value : ''))
  return {
    row,
    index,
    request,
    response,
    manifest: (manifest ?? {}) as DiagnosedRequest['manifest'],
    paths,
    errorText: [row.code ?? '', ...errors, response.failure?.message ?? ''].join(' '),
    parameters: new Set([...Object.keys(request?.query ?? {}), ...Object.keys(request?.body ?? {})]),
    clientAuth: clientAuthOf(request),
    succeededBefore: rows
      .slice(index + 1)
      .some(({ kind, outcome }) => outcome === 'ok' && (kind === 'refresh' || kind === 'code')),
  }
}

function clientAuthOf(request: DiagnosedRequest['request']): DiagnosedRequest['clientAuth'] {
  const sent = { ...request?.query, ...request?.body }
  if ('client_assertion' in sent) return 'jwt'
  if (request?.authorization?.toLowerCase() === 'basic') return 'basic'
  return 'client_secret' in sent ? 'post' : 'none'
}

const includes = <T>(list: readonly T[] | undefined, value: T | undefined) =>
  !list || (value !== undefined && list.includes(value))

function isFulfilled(when: DiagnosisCondition, request: DiagnosedRequest): boolean {
  return (
    (when.ok ?? false) === (request.row.outcome === 'ok') &&
    includes(when.kinds, request.row.kind) &&
    includes(when.auth, request.clientAuth) &&
    (!when.message || when.message.test(request.errorText)) &&
    (!when.sent || request.parameters.has(when.sent)) &&
    (!when.notSent || !request.parameters.has(when.notSent)) &&
    (when.succeededBefore === undefined || when.succeededBefore === request.succeededBefore) &&
    responseFulfills(when, request) &&
    (!when.manifest || when.manifest(request))
  )
}

function responseFulfills(when: DiagnosisCondition, { response, paths }: DiagnosedRequest): boolean {
  const hasField = (name: RegExp) =>
    [...paths].some(([path, value]) => name.test(path) && value !== '' && value !== null)
  const hasStatus = ([min, max]: readonly [number, number]) =>
    response.status !== undefined && response.status >= min && response.status <= max
  return (
    includes(when.failure, response.failure?.kind) &&
    includes(when.format, response.format) &&
    (!when.status || hasStatus(when.status)) &&
    (!when.has || hasField(when.has)) &&
    (!when.lacks || !hasField(when.lacks))
  )
}

/**
 * Fills the placeholders of a text, such as `{address}` (a URL without query), `{host}` and `{redirect_uri}`.
 */
function fillText(text: string, { request, response, paths }: DiagnosedRequest): string {
  const url = request?.address
  const redirectUri = request?.body?.['redirect_uri'] ?? request?.query['redirect_uri']
  const values: Record<string, string> = {
    address: url ?? 'the provider',
    host: url !== undefined && URL.canParse(url) ? new URL(url).host : 'the provider',
    status: String(response.status ?? ''),
    redirect_uri: String(redirectUri ?? 'the callback URL of this server'),
    token_path: [...paths.keys()].find((path) => NESTED_TOKEN.test(path)) ?? '',
    location: response.location ?? '',
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** All fields of a response by dotted path. */
function fieldsByPath(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map(path ? [[path, value]] : [])
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [...fieldsByPath(item, childPath(value, path, name))]),
  )
}

function childPath(parent: object, path: string, name: string): string {
  if (!path) return name
  return Array.isArray(parent) ? `${path}[${name}]` : `${path}.${name}`
}
