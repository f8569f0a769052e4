import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createCustomMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { testApp } from '../fixtures/app.ts'

const PROGRAM = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)
const run = promisify(execFile)

/** Scenarios for servers as the suite has them: those that apply, and why the others do not. */
const APPLY = [
  'server-initialize',
  'ping',
  'tools-list',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
]
const DO_NOT: Readonly<Record<string, readonly string[]>> = {
  'call tools that only a sample server has; what they look at is in endpoint.test.ts': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ],
  'need requests to the client in the middle of a call, which a server without state does not make': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'server-sse-polling',
  ],
  'are about capabilities that are not declared': [
    'logging-set-level',
    'completion-complete',
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
}

test('every scenario of the protocol’s suite that applies to the MCP endpoint passes; others are listed', async (t) => {
  const { app, call } = await testApp(t)
  await call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  const { id } = (
    await call(createCustomMcpServer, { body: { name: 'Conformance', toolkits: ['utilities'] } })
  ).body
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/v3/mcp/${id}?user_id=u1`
  const suite = async (...args: string[]) =>
    (
      await run(process.execPath, [PROGRAM, ...args], { timeout: 60_000 }).catch(
        (error: { stdout?: string; stderr?: string }) => ({
          stdout: `FAILED ${error.stdout}${error.stderr}`,
        }),
      )
    ).stdout
  const listed = [
    ...(await suite('list', '--server')).split('Client scenarios')[0]!.matchAll(/^ {2}- ([\w-]+)/gm),
  ].map(([, name]) => name as string)
  assert.deepEqual([...APPLY, ...Object.values(DO_NOT).flat()].sort(), listed.sort())
  for (const scenario of APPLY)
    await t.test(`MCP conformance: ${scenario}`, async () => {
      const output = await suite('server', '--url', url, '--scenario', scenario)
      assert.ok(!output.startsWith('FAILED') && /passed/i.test(output), output.slice(0, 3_000))
    })
})
