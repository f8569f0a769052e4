import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { readConfig } from '../../platform/config.ts'
import { serverChecks } from './server.ts'

test('doctor: PUBLIC_URL is checked at the URL that the running server reports, not that of this shell', async (t) => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/healthz' ? 200 : 404).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const check = serverChecks.find(({ name }) => name === 'PUBLIC_URL')!
  const config = readConfig({ PORT: '1' })
  assert.deepEqual(await check.run({ config, running: { pid: 1, url }, afterwards: [] }), {
    status: 'ok',
    detail: `${url} (this machine only)`,
  })
  const elsewhere = await check.run({ config, running: 'unknown', afterwards: [] })
  assert.match(JSON.stringify(elsewhere), /http:\/\/localhost:1 does not respond here/)
})
