import type { ApplyManifest, JwtManifest, SignManifest } from '../../format/index.ts'
import type { TemplateChecks } from './template-checks.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'

/**
 * What the message of a digest may use of its request; see `src/auth-schemes/signing/signature-context.ts`.
 */
const REQUEST_PARTS = [
  'method',
  'scheme',
  'host',
  'path',
  'query',
  'sorted_query',
  'url',
  'body',
  'timestamp',
  'timestamp_ms',
  'date',
  'nonce',
]
/** Members of a signature that are words, not templates. */
const NON_TEMPLATE_FIELDS = new Set([
  'kind',
  'algorithm',
  'key_encoding',
  'encoding',
  'method',
  'digest',
  'label',
  'message',
])

/**
 * The templates of signatures and of tokens made here. `checksWith` adds names to those that the connection
 * supplies.
 */
export function checkSignAndMint(
  { sign, mint }: ApplyManifest,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  for (const [name, jwt] of Object.entries(mint ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      report.add(
        `${path}/mint${pointerSegment(name)}`,
        'must be a name that templates can use: letters, digits and `_`.',
      )
    checkJwt(jwt, checksWith([]), `${path}/mint${pointerSegment(name)}`, report)
  }
  if (sign) checkSign(sign, checksWith, `${path}/sign`, report)
}

/** Templates of a token that is made here, and that its key can be what the algorithm wants. */
export function checkJwt(
  jwt: JwtManifest,
  texts: TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  for (const name of ['key', 'key_id', 'issuer', 'subject', 'audience'] as const)
    texts.one(jwt[name], `${path}/${name}`)
  texts.all(jwt.headers, `${path}/headers`)
  for (const [name, value] of Object.entries(jwt.claims ?? {})) {
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === 'string') texts.one(text, `${path}/claims${pointerSegment(name)}`)
  }
  const symmetric = jwt.algorithm.startsWith('HS')
  if (jwt.key_encoding !== undefined && symmetric === (jwt.key_encoding === 'pem'))
    report.add(
      `${path}/key_encoding`,
      `${jwt.algorithm} needs ${symmetric ? 'a secret, not a PEM key' : 'a private key in PEM form'}.`,
    )
}

/** Templates of a signature. */
export function checkSign(
  sign: SignManifest,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const own = checksWith([])
  for (const [name, value] of Object.entries(sign))
    if (typeof value === 'string' && !NON_TEMPLATE_FIELDS.has(name)) own.one(value, `${path}/${name}`)
  if (sign.kind === 'oauth1') own.one('{consumer_key}{oauth_token}', path)
  if (sign.kind !== 'hmac' && sign.kind !== 'hash') return
  const parts = checksWith([...REQUEST_PARTS, 'signature'])
  checksWith(REQUEST_PARTS).one(sign.message, `${path}/message`)
  parts.all(sign.headers, `${path}/headers`)
  parts.all(sign.query, `${path}/query`)
  if (
    ![...Object.values(sign.headers ?? {}), ...Object.values(sign.query ?? {})].some((text) =>
      /\{\+?signature\b/.test(text),
    )
  )
    report.add(path, 'does not use `{signature}`. Write it into `headers` or `query`.')
}
