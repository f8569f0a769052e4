import assert from 'node:assert/strict'
import { test } from 'node:test'
import { route } from '../../../contract/route.ts'
import { Type } from '../../../contract/schema-type.ts'
import { ApiError } from '../api-error.ts'
import { createLog } from '../../log.ts'
import { createBranding } from '../branding/branding.ts'
import { createServer } from './server.ts'

const described = { summary: 'Test', description: 'Test.', audience: 'public', method: 'POST' } as const
const reply = Type.Object({ isStarted: Type.Boolean() })
const reading = route({ ...described, id: 'test.reading', path: '/reading', readsAccount: true, reply })
const other = route({ ...described, id: 'test.other', path: '/other', reply })

test('a route that reads an account: its confirmation is started once for each known caller', async (t) => {
  const started: Promise<boolean>[] = []
  const { app, api } = createServer({
    log: createLog('silent'),
    brand: createBranding('service'),
    authenticate(_audience, _permission, { headers }) {
      if (headers['x-api-key'] !== 'k') throw new ApiError('HTTP_Unauthorized', 'The key is wrong.')
      return {}
    },
    limit: () => ({}),
    audit: { reject: async () => {}, begin: async () => async () => {} },
    confirmChanges() {
      const confirmation = Promise.resolve(true)
      started.push(confirmation)
      return confirmation
    },
  })
  t.after(() => app.close())
  const received: (Promise<boolean> | undefined)[] = []
  for (const one of [reading, other])
    api.on(one, async ({ changesConfirmed }) => {
      received.push(changesConfirmed)
      return { isStarted: changesConfirmed !== undefined }
    })
  const call = async (path: string, key: string) => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: `/api/v3.1${path}`,
      headers: { 'x-api-key': key },
    })
    return [statusCode, (JSON.parse(body) as { isStarted?: boolean }).isStarted]
  }
  assert.deepEqual(await call('/reading', 'wrong'), [401, undefined])
  assert.equal(started.length, 0)
  assert.deepEqual(await call('/reading', 'k'), [200, true])
  assert.deepEqual(await call('/other', 'k'), [200, false])
  assert.deepEqual(received, [started[0], undefined])
  assert.equal(started.length, 1)
})
