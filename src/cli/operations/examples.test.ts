import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { routes } from '../../contract/index.ts'
import { runCli } from '../index.ts'
import { exampleOf } from './example.ts'
import { EXAMPLES } from './examples.ts'
import { toOperation } from './operations.ts'

/** Splits a command line as a shell does: quotes join words. */
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )

/** Runs command lines against the real application, in process. */
async function commandLine(t: TestContext) {
  const { app, keys } = await testApp(t)
  const cwd = mkdtempSync(join(tmpdir(), 'patchbay-examples-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const send = (async (url: string, { method, headers, body }: RequestInit) => {
    const { pathname, search } = new URL(url)
    const reply = await app.http.inject({
      method: method as 'GET',
      url: pathname + search,
      headers: headers as Record<string, string>,
      ...(body ? { payload: String(body) } : {}),
    })
    return new Response(reply.statusCode === 204 ? null : reply.body, { status: reply.statusCode })
  }) as typeof fetch
  return async (line: string) => {
    let text = ''
    const out = new Writable({ write: (part, _encoding, done) => ((text += String(part)), done()) })
    const env = { PATCHBAY_API_KEY: keys.projectApiKey, PATCHBAY_ORG_API_KEY: keys.organizationApiKey }
    const code = await runCli(words(line).slice(1), { env, stdout: out, stderr: out, fetch: send, cwd })
    return { code, text }
  }
}

/** An example with an id finds nothing in an empty project. Everything else in it must be right. */
const hasInventedId = (line: string): boolean => /_7hQ2vLk9TmXa/.test(line)

test('cli: the written examples of the help succeed as printed', async (t) => {
  const run = await commandLine(t)
  for (const [id, line] of Object.entries(EXAMPLES)) {
    const { code, text } = await run(line)
    if (id === 'tools.input') assert.match(text, /no language model/) // the server has none in this test
    else if (hasInventedId(line)) assert.match(text, /HTTP 404/, `${id}: ${line}\n${text}`)
    else assert.equal(code, 0, `${id}: ${line}\n${text}`)
  }
})

test('cli: the generated examples of the help are correct command lines', async (t) => {
  const run = await commandLine(t)
  for (const operation of routes.filter(({ id }) => !EXAMPLES[id]).map(toOperation)) {
    const line = exampleOf(operation)
    if (/@\S+\.json/.test(line) || operation.group === 'events') continue // a file of the reader; an endless stream
    const { code, text } = await run(line)
    assert.notEqual(code, 2, `${line}\n${text}`)
  }
})
