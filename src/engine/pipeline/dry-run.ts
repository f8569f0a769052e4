import type { Egress, EgressRequest } from '../../platform/egress/index.ts'
import type { Connection, EngineDeps, Result } from '../types.ts'
import { hiderOf } from './hide.ts'

const HIDDEN = '[secret]'
/** Where credentials stand by custom, whatever a manifest says. */
const USUAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key']
const USUAL_PARAMETERS = /token|secret|password|signature|credential|api_?key|^key$|^sig$/i

/** Ends a run where it would have sent something. */
class Stopped extends Error {
  readonly request: EgressRequest

  constructor(request: EgressRequest) {
    super('A dry run sends nothing.')
    this.request = request
  }
}

/**
 * Runs a tool up to its first request, and answers that request in place of sending it: with the arguments as they would leave, without the
 * credentials. Nothing is renewed; `isStale` says that a real call would begin with that.
 */
export async function dryRun(
  deps: EngineDeps,
  connection: Connection,
  isStale: boolean,
  run: (deps: EngineDeps) => Promise<Result>,
): Promise<Result> {
  const egress: Egress = {
    ...deps.egress,
    async send(request) {
      throw new Stopped(request)
    },
  }
  try {
    const result = await run({ ...deps, egress })
    return result.successful ? shown(null, isStale) : result
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    return shown(withoutCredentials(error.request, connection), isStale)
  }
}

const shown = (request: object | null, isStale: boolean): Result => ({
  data: {
    dry_run: true,
    request,
    credentials: isStale ? 'would be renewed first' : 'would be used as they are',
  },
  error: null,
  successful: true,
  statusCode: null,
})

function withoutCredentials(
  { method, url, headers = {}, body, sensitiveHeaders = [] }: EgressRequest,
  connection: Connection,
) {
  const hide = hiderOf(connection)
  const scheme =
    connection.kind === 'account' || connection.kind === 'custom' ? connection.setup.scheme : undefined
  const own = connection.kind === 'params' ? (connection.params.parameters ?? []) : []
  const hiddenHeaders = new Set([...USUAL_HEADERS, ...sensitiveHeaders.map((name) => name.toLowerCase())])
  const hiddenParameters = new Set([...(scheme?.query ?? []), ...own].map(({ name }) => name))
  const address = new URL(url)
  for (const name of new Set(address.searchParams.keys()))
    if (hiddenParameters.has(name) || USUAL_PARAMETERS.test(name)) address.searchParams.set(name, HIDDEN)
  return {
    method,
    url: hide(address.href).replaceAll(encodeURIComponent(HIDDEN), HIDDEN),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        hiddenHeaders.has(name.toLowerCase()) ? HIDDEN : hide(value),
      ]),
    ),
    body: bodyOf(
      body,
      hide,
      new Set([
        ...(scheme?.body ?? []).map(({ name }) => name),
        ...(connection.kind === 'params' ? Object.keys(connection.params.body ?? {}) : []),
      ]),
    ),
  }
}

/** JSON as it is, other text as text; of bytes, how many. */
function bodyOf(
  body: EgressRequest['body'],
  hide: (text: string) => string,
  hidden: ReadonlySet<string>,
): unknown {
  if (body === undefined) return null
  if (typeof body !== 'string') return { bytes: body.length }
  let parsed: unknown
  try {
    parsed = JSON.parse(hide(body))
  } catch {
    return hidden.size ? HIDDEN : hide(body)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return parsed
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, hidden.has(name) ? HIDDEN : value]),
  )
}
