import type { EgressRequest } from '../../platform/egress/index.ts'
import type { ToolConnection } from '../types.ts'
import { type Redact, redactorFor } from './redactor.ts'

const REDACTED = '[secret]'
/** Headers that usually contain credentials, whatever the manifest says. */
const USUAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key']
const USUAL_PARAMETERS = /token|secret|password|signature|credential|api_?key|^key$|^sig$/i

/** Returns a request as a dry run shows it: with the arguments, without the credentials. */
export function describeEgressRequest(request: EgressRequest, connection: ToolConnection) {
  const { method, url, headers = {}, body, sensitiveHeaders = [] } = request
  const redact = redactorFor(connection)
  const secretHeaders = new Set([...USUAL_HEADERS, ...sensitiveHeaders.map((name) => name.toLowerCase())])
  const secret = credentialNames(connection)
  return {
    method,
    url: describeUrl(url, redact, secret.query),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        secretHeaders.has(name.toLowerCase()) ? REDACTED : redact(value),
      ]),
    ),
    body: describeBody(body, redact, secret.body),
  }
}

/** Returns the names of query parameters and body fields that contain credentials. */
function credentialNames(connection: ToolConnection) {
  if (connection.kind === 'none') return { query: new Set<string>(), body: new Set<string>() }
  if (connection.kind === 'params') {
    const { parameters = [], body = {} } = connection.params
    return { query: new Set(parameters.map(({ name }) => name)), body: new Set(Object.keys(body)) }
  }
  const { query, body } = connection.context.scheme
  return { query: new Set(query.map(({ name }) => name)), body: new Set(body.map(({ name }) => name)) }
}

function describeUrl(text: string | URL, redact: Redact, secretParameters: ReadonlySet<string>): string {
  const url = new URL(text)
  for (const name of new Set(url.searchParams.keys())) {
    if (secretParameters.has(name) || USUAL_PARAMETERS.test(name)) url.searchParams.set(name, REDACTED)
  }
  return redact(url.href).replaceAll(encodeURIComponent(REDACTED), REDACTED)
}

/** Returns JSON as a value, other text as text, and the length of bytes. */
function describeBody(
  body: EgressRequest['body'],
  redact: Redact,
  secretFields: ReadonlySet<string>,
): unknown {
  if (body === undefined) return null
  if (typeof body !== 'string') return { bytes: body.length }
  let parsed: unknown
  try {
    parsed = JSON.parse(redact(body))
  } catch {
    return secretFields.size ? REDACTED : redact(body)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return parsed
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, secretFields.has(name) ? REDACTED : value]),
  )
}
