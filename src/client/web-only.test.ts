import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { build, stop } from 'esbuild'
import { newSecret, signer } from '../platform/webhook-signature.ts'

/** What browsers, edge runtimes, Deno, Bun and Node have in common. */
const WEB = {
  AbortSignal,
  atob,
  clearTimeout,
  crypto,
  Headers,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
}

test('client: runs with web APIs only, without a dependency', async (t) => {
  t.after(() => stop())
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'client',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  assert.deepEqual(
    Object.keys(metafile.inputs).filter((file) => !file.includes('src/client/')),
    [],
  )
  const requests: string[] = []
  const fetch = async (url: string) => {
    requests.push(url)
    return Response.json({ items: [], next_cursor: null, total_pages: 0, current_page: 1, total_items: 0 })
  }
  const context = createContext({ ...WEB, fetch })
  const [file] = outputFiles
  const run = (code: string) => runInContext(`${file?.text ?? ''}\n${code}`, context) as Promise<unknown>
  const list = `new client.Patchbay({ baseUrl: 'https://patchbay.test', apiKey: 'ak_1' }).tools.list({ limit: 5 })`
  assert.deepEqual(((await run(list)) as { items: unknown[] }).items.length, 0)
  assert.deepEqual(requests, ['https://patchbay.test/api/v3.1/tools?limit=5'])
  const secret = newSecret()
  const timestamp = Math.floor(Date.now() / 1_000)
  Object.assign(context, {
    delivery: {
      secret,
      body: '{"id":"evt_1"}',
      headers: new Headers({
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signer([secret])('evt_1', timestamp, '{"id":"evt_1"}'),
      }),
    },
  })
  assert.equal(((await run('client.verifyWebhook(delivery)')) as { id: string }).id, 'evt_1')
})
