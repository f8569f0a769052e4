import {
  type ConnectionContext,
  credentialLookup,
  logEntryFor,
  redactSecrets,
  type SchemeDeps,
} from '../../auth-schemes/index.ts'
import { type ProbeRequestManifest, renderProbeRequest, type Toolkit } from '../../catalog/index.ts'
import { EgressError, type EgressRequest } from '../../platform/egress/index.ts'
import { createEgressRequest, withCallerErrors } from '../http/egress-request.ts'
import { type ProviderResponse, responseMeaning, toProviderResponse } from '../http/provider-response.ts'
import { mintRequestTokens } from '../http/request-tokens.ts'
import { toToolResult } from '../http/tool-result.ts'
import type { ResolvedOperation } from '../pipeline/context.ts'

const TIMEOUT_MS = 15_000
const BYTES_MAX = 1_000_000

type TextRequest = EgressRequest & { url: string; body?: string }

/**
 * `refused`: the application rejected the request. Otherwise it did not respond, or cannot respond now.
 * `isAuthentication`: it did so because of the credentials, by 401, 403 or its own words for that. `status`: null
 * without a response.
 */
export type ProbeResult =
  | { ok: true; body: unknown }
  | { ok: false; refused: boolean; isAuthentication: boolean; status: number | null; message: string }

/**
 * Sends one request that changes nothing with the credentials of a connection, which may be stored or not.
 * @throws ApiError, ToolFailure when the connection lacks what the request needs
 */
export async function sendProbeRequest(
  schemeDeps: SchemeDeps,
  toolkit: Toolkit,
  context: ConnectionContext,
  probe: ProbeRequestManifest,
  timeoutMs = TIMEOUT_MS,
): Promise<ProbeResult> {
  const operation = probeOperation(toolkit)
  const request = { ...(await createRequest(schemeDeps, operation, context, probe)), timeoutMs }
  const startedMs = performance.now()
  const logged = (entry: Parameters<typeof logEntryFor>[1]) =>
    schemeDeps.logRequest?.(logEntryFor(request, entry, performance.now() - startedMs))
  try {
    const reply = await schemeDeps.egress.send(request)
    const response = toProviderResponse(reply)
    const result = toToolResult(operation, response)
    // The body of a success is data of a person, and says nothing about the connection.
    const body = result.successful ? undefined : response.body
    logged({ ...response, body, text: reply.body.toString('utf8') })
    return result.successful
      ? { ok: true, body: response.body }
      : failedProbe(operation, response, redactSecrets(result.error ?? '', context))
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    logged({ error })
    return { ok: false, refused: false, isAuthentication: false, status: null, message: error.message }
  }
}

async function createRequest(
  schemeDeps: SchemeDeps,
  operation: ResolvedOperation,
  context: ConnectionContext,
  probe: ProbeRequestManifest,
): Promise<TextRequest> {
  const connection = { kind: 'custom' as const, context }
  const rendered = withCallerErrors(() => renderProbeRequest(probe, credentialLookup(context)))
  const now = schemeDeps.now()
  const minted = await mintRequestTokens(connection, now)
  const request = createEgressRequest(operation, rendered, connection, now, minted) as TextRequest
  return { ...request, bytesMax: BYTES_MAX }
}

function failedProbe(
  operation: ResolvedOperation,
  response: ProviderResponse,
  message: string,
): Extract<ProbeResult, { ok: false }> {
  const meaning = responseMeaning(operation, response)
  const refused = meaning !== 'transient' && meaning !== 'rate_limit'
  const isAuthentication = meaning === 'reauth' || meaning === 'permission'
  return { ok: false, refused, isAuthentication, status: response.status, message }
}

const probeOperation = (toolkit: Toolkit): ResolvedOperation => ({
  toolkit,
  version: toolkit.version,
  tool: {
    slug: 'probe',
    effect: 'read',
    idempotent: true,
    response: { pick: undefined, wrap: undefined },
    successWhen: toolkit.successWhen,
    limits: {},
  },
})
