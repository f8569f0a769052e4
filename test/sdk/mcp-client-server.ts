import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createCustomMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { createSession } from '../../src/contract/sessions/index.ts'

export const TOOLS = ['UTILITIES_CALCULATE', 'UTILITIES_GET_CURRENT_TIME']
export const RESULT = { data: { result: 42 }, successful: true, error: null }

/** An MCP server with two tools, and the URL of a user at a listening application. */
export async function startMcpServer(t: TestContext) {
  const { app, keys, call } = await testApp(t)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const { status, body } = await call(createCustomMcpServer, {
    body: { name: 'sums', toolkits: ['utilities'], allowed_tools: TOOLS } as never,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return {
    call,
    baseUrl,
    url: `${baseUrl}/v3/mcp/${body.id}?user_id=ada`,
    headers: { 'x-api-key': keys.projectApiKey },
  }
}

export const withoutLogId = ({ log_id: logId, ...result }: Record<string, unknown>) => {
  assert.match(String(logId), /^log_/)
  return result
}

/** Creates a session, and returns its MCP URL at the listening application. */
export async function sessionUrl({ call, baseUrl }: Awaited<ReturnType<typeof startMcpServer>>) {
  const { status, body } = await call(createSession, { body: { user_id: 'ada' } as never })
  assert.equal(status, 201, JSON.stringify(body))
  return `${baseUrl}${new URL(body.mcp.url).pathname}`
}
