import type { AuthSchemeManifest } from '../../catalog/index.ts'
import { type Case, type Condition, NESTED, ROWS } from './diagnosis-table.ts'
import type { ExchangeRow } from './exchange-store.ts'

export interface Finding {
  exchange: number
  cause: string
  field: string | null
  fix: string
}

const FINDINGS_MAX = 3

/** What the newest exchange of each kind points to: likely cause, and the field of the manifest (or the place at the provider) that mends it. */
export function diagnose(
  exchanges: readonly ExchangeRow[],
  manifest: AuthSchemeManifest | undefined,
): Finding[] {
  const seen = new Set<string>()
  const newest = exchanges.flatMap((exchange, index) => {
    if (seen.has(exchange.kind)) return []
    seen.add(exchange.kind)
    return [caseOf(exchanges, index, manifest)]
  })
  // What failed comes before what could be better.
  return newest
    .sort((a, b) => Number(a.exchange.outcome === 'ok') - Number(b.exchange.outcome === 'ok'))
    .flatMap(findingsIn)
    .slice(0, FINDINGS_MAX)
}

function findingsIn(one: Case): Finding[] {
  const fitting = ROWS.filter(({ when }) => holds(when, one))
  // Of a failure the most telling row alone: the table goes from the particular to the general.
  return (one.exchange.outcome === 'ok' ? fitting : fitting.slice(0, 1)).map(({ cause, field, fix }) => ({
    exchange: one.index,
    cause: filled(cause, one),
    field,
    fix: filled(fix, one),
  }))
}

function caseOf(
  exchanges: readonly ExchangeRow[],
  index: number,
  manifest: AuthSchemeManifest | undefined,
): Case {
  const exchange = exchanges[index] as ExchangeRow
  const { request, answer } = exchange as unknown as Pick<Case, 'request' | 'answer'>
  const paths = pathsIn(answer.body)
  const errors = [...paths]
    .filter(([path]) => /(^|\.)(error|message|msg|errmsg|detail|title|errors|reason)/i.test(path))
    .map(([, value]) => (typeof value === 'string' ? value : ''))
  return {
    exchange,
    index,
    request,
    answer,
    manifest: (manifest ?? {}) as Case['manifest'],
    paths,
    text: [exchange.code ?? '', ...errors, answer.failure?.message ?? ''].join(' '),
    sent: new Set([...Object.keys(request?.query ?? {}), ...Object.keys(request?.body ?? {})]),
    auth: authOf(request),
    wentWellBefore: exchanges
      .slice(index + 1)
      .some(({ kind, outcome }) => outcome === 'ok' && (kind === 'refresh' || kind === 'code')),
  }
}

function authOf(request: Case['request']): Case['auth'] {
  const sent = { ...request?.query, ...request?.body }
  if ('client_assertion' in sent) return 'jwt'
  if (request?.authorization?.toLowerCase() === 'basic') return 'basic'
  return 'client_secret' in sent ? 'post' : 'none'
}

const test = <T>(list: readonly T[] | undefined, value: T | undefined) =>
  !list || (value !== undefined && list.includes(value))

/** Every named part of a condition has to hold. */
function holds(when: Condition, one: Case): boolean {
  const { exchange, answer } = one
  const member = (name: RegExp) =>
    [...one.paths].find(([path, value]) => name.test(path) && value !== '' && value !== null)?.[0]
  return (
    test(when.kinds, exchange.kind) &&
    (when.ok ?? false) === (exchange.outcome === 'ok') &&
    test(when.failure, answer.failure?.kind) &&
    test(when.format, answer.format) &&
    test(when.auth, one.auth) &&
    (!when.status ||
      (answer.status !== undefined && answer.status >= when.status[0] && answer.status <= when.status[1])) &&
    (!when.says || when.says.test(one.text)) &&
    (!when.sent || one.sent.has(when.sent)) &&
    (!when.notSent || !one.sent.has(when.notSent)) &&
    (!when.has || member(when.has) !== undefined) &&
    (!when.lacks || member(when.lacks) === undefined) &&
    (when.wentWellBefore === undefined || when.wentWellBefore === one.wentWellBefore) &&
    (!when.manifest || when.manifest(one))
  )
}

/** Places of a text: `{address}`, `{redirect_uri}`, `{status}`, `{token_path}`, `{host}`. */
function filled(text: string, { request, answer, paths }: Case): string {
  const values: Record<string, string> = {
    address: request?.address ?? 'the provider',
    host: request && URL.canParse(request.address) ? new URL(request.address).host : 'the provider',
    status: String(answer.status ?? ''),
    redirect_uri: String(
      request?.body?.['redirect_uri'] ??
        request?.query['redirect_uri'] ??
        'the address of this server’s callback',
    ),
    token_path: [...paths.keys()].find((path) => NESTED.test(path)) ?? '',
    location: answer.location ?? '',
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Every member of an answer by its dotted path. */
function pathsIn(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map(path ? [[path, value]] : [])
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [
      ...pathsIn(item, path ? (Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`) : name),
    ]),
  )
}
