import { createCache } from '../../cache.ts'
import type { Tracing } from '../../telemetry/index.ts'
import { cancelledCalls } from './cancellation.ts'
import type { McpServerContext } from './context.ts'
import { type McpRequest, type McpResponse, toWebRequest } from './mcp-request.ts'
import { readMessages, type RequestMessages } from './read-messages.ts'
import { loadSdkHandlers } from './sdk-server.ts'

export interface McpServing {
  serve(request: McpRequest, offer: McpServerContext): Promise<McpResponse>
  /** Cancels a call on behalf of another server. Unknown names are ignored. */
  cancel(call: string): void
  close(): Promise<void>
}

/** Calls in progress whose cancellation is possible. */
const RUNNING_MAX = 100_000

/**
 * Serves MCP over streamable HTTP, revisions 2025-03-26 to 2026-07-28, with the official SDK, which is loaded
 * at the first request. Only calls in progress are kept between requests: a caller that names its session can
 * cancel one. `broadcastCancel` broadcasts the cancellation of a call that runs on another server.
 */
export function createMcpServing(broadcastCancel: (call: string) => void, tracing?: Tracing): McpServing {
  const running = createCache<string, AbortController>({ max: RUNNING_MAX })
  let loaded: ReturnType<typeof loadSdkHandlers> | undefined

  return {
    async serve(request, offer) {
      const { modern, legacy, isLegacyRequest } = await (loaded ??= loadSdkHandlers(running, tracing))
      const parsed = await readMessages(request)
      if ('error' in parsed) return parsed.error
      if (parsed.messages.some(({ method }) => method === 'tools/call')) await offer.authorizeCalls()
      for (const call of cancelledCalls(request.headers, offer, parsed.messages)) {
        const localCall = running.get(call)
        if (localCall) localCall.abort()
        else broadcastCancel(call)
      }
      return isLegacyRequest(request, parsed.body)
        ? legacy(request, parsed, offer)
        : modern.fetch(toWebRequest(request, request.signal), {
            authInfo: authInfoFor(offer, parsed.largeArguments),
            ...(parsed.body === undefined ? {} : { parsedBody: parsed.body }),
          })
    },
    cancel(call) {
      running.get(call)?.abort()
    },
    async close() {
      for (const call of running.values()) call.abort()
      if (loaded) await (await loaded).modern.close()
    },
  }
}

/** Wraps the context in the form in which the SDK passes it to its servers. */
const authInfoFor = (offer: McpServerContext, largeArguments: RequestMessages['largeArguments']) => ({
  token: '',
  clientId: '',
  scopes: [],
  extra: { offer, largeArguments },
})
