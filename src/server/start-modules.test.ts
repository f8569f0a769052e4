import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Loads a module, and prints the URLs of all modules. It exits when the text is written: an earlier exit cuts it. */
const childOf = (name: string) => `
import module from 'node:module'
const urls = []
module.registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
await import(${JSON.stringify(new URL(name, import.meta.url).href)})
process.stdout.write(JSON.stringify({ urls, builtIn: process.moduleLoadList }), () => process.exit())
`

async function modulesOf(name: string): Promise<{ urls: string[]; builtIn: string[] }> {
  const args = ['--input-type=module', '-e', childOf(name)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: 120_000,
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout) as { urls: string[]; builtIn: string[] }
}

test('start: before the built-in PostgreSQL starts, only what it needs is loaded', async () => {
  const { urls } = await modulesOf('./serve-command.ts')
  assert.ok(urls.some((url) => url.endsWith('/platform/db/embedded/index.ts')))
  const later =
    /\/src\/(?:app|catalog|contract|engine|features)\/|\/node_modules\/(?:fastify|undici|graphile-worker)\//
  assert.deepEqual(
    urls.filter((url) => later.test(url)),
    [],
  )
})

test('start: libraries that few servers use are loaded when they are used', async () => {
  const { urls, builtIn } = await modulesOf('./start-application.ts')
  assert.ok(urls.some((url) => url.endsWith('/fastify/fastify.js')))
  const unused = [
    /\/node_modules\/(?:nodemailer|hash-wasm|js-yaml|jose|undici|@opentelemetry|@fastify\/ajv-compiler|ajv)\//,
    /\/node_modules\/fast-json-stringify\/index\.js$/,
    /\/catalog\/importers\/(?:import-source|openapi\/read-document)\.ts$/,
  ]
  for (const pattern of unused)
    assert.deepEqual(
      urls.filter((url) => pattern.test(url)),
      [],
    )
  const client = 'NativeModule internal/deps/undici/undici'
  assert.ok(!builtIn.includes(client), 'src/platform/http/node-http.ts says how an import loads it')
})
