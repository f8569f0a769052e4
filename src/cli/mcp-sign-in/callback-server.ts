import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallError } from '../api-client/call.ts'
import { EXIT } from '../io.ts'

const PATH = '/callback'
const WAIT_MS_MAX = 5 * 60_000

export interface CallbackServer {
  redirectUri: string
  /**
   * Waits at most five minutes for the redirect with this state, and returns its parameters. Other requests are
   * rejected. @throws CallError after that time
   */
  redirected(state: string): Promise<URLSearchParams>
  close(): void
}

/** Listens on a free port of this machine only, for the redirect of one sign-in (RFC 8252, section 7.3). */
export async function startCallbackServer(): Promise<CallbackServer> {
  const redirect = Promise.withResolvers<URLSearchParams>()
  let expectedState: string | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isExpected =
      request.method === 'GET' && pathname === PATH && searchParams.get('state') === expectedState
    if (!isExpected) return respond(response, 404, 'This page belongs to no sign-in in progress.')
    respond(
      response,
      200,
      searchParams.has('code')
        ? 'You are signed in. You can close this window.'
        : 'The sign-in failed. The terminal shows the reason.',
    )
    redirect.resolve(searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    redirected(state) {
      expectedState = state
      const timer = setTimeout(() => redirect.reject(timedOut()), WAIT_MS_MAX).unref()
      return redirect.promise.finally(() => clearTimeout(timer))
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const timedOut = () =>
  new CallError(
    `Nobody signed in within ${WAIT_MS_MAX / 60_000} minutes.`,
    'Run the command again.',
    EXIT.apiError,
  )

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(text)
}
