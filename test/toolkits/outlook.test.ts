import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Catalog, openCatalog } from '../../src/catalog/index.ts'
import { renderRequest } from '../../src/catalog/manifest/compile/request/request.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { followShortLink, CLIENT, connectedAccountHelpers } from '../fixtures/connected-accounts.ts'
import { testApp } from '../fixtures/app.ts'

let catalog: Catalog
before(() => {
  catalog = openCatalog({
    folder: fileURLToPath(new URL('../../toolkits', import.meta.url)),
    operations: false,
  })
})

function sent(name: string, args: Record<string, unknown>) {
  const tool = catalog.tool(`OUTLOOK_${name}`, 'latest')?.tool
  assert.ok(tool?.request, name)
  return renderRequest(tool.request, args, () => undefined)
}

test('a search is in double quotes, and without one the parameter is absent', () => {
  const names = (args: Record<string, unknown>) =>
    sent('LIST_MESSAGES', args).query.filter(([name]) => name !== '$select')
  assert.deepEqual(names({ search: 'from:ada subject:invoice' }), [['$search', '"from:ada subject:invoice"']])
  assert.deepEqual(names({ filter: 'isRead eq false' }), [['$filter', 'isRead eq false']])
})

test('the form of the text and the time zone are asked for in a header', () => {
  assert.equal(
    sent('GET_MESSAGE', { message_id: 'AAMk=' }).headers.prefer,
    'outlook.body-content-type="text"',
  )
  assert.equal(
    sent('GET_EVENT', { event_id: 'AAMk=', time_zone: 'Europe/Berlin' }).headers.prefer,
    'outlook.timezone="Europe/Berlin"',
  )
})

test('a change sends what is given and nothing else', () => {
  assert.deepEqual(sent('UPDATE_EVENT', { event_id: 'e', subject: 'New' }).body, { subject: 'New' })
  assert.deepEqual(sent('UPDATE_MESSAGE', { message_id: 'm', is_read: true }).body, { isRead: true })
})

test('an id keeps to its place in the path', () => {
  assert.equal(
    sent('RESPOND_TO_EVENT', { event_id: 'A/B+C=', response: 'accept' }).path,
    '/me/events/A%2FB%2BC%3D/accept',
  )
})

test('people sign in at the directory of the app; without one any account may', async (t) => {
  const main = await testApp(t, { catalog })
  const s = connectedAccountHelpers(main, main.call)
  for (const [chosen, directory] of [
    [{}, 'common'],
    [{ directory: 'contoso.example' }, 'contoso.example'],
  ] as const) {
    const body = {
      toolkit: { slug: 'outlook' },
      auth_config: { type: 'use_custom_auth', authScheme: 'OAUTH2', credentials: { ...CLIENT, ...chosen } },
    }
    const config = await main.call(createAuthConfig, { body } as never)
    assert.equal(config.status, 201, JSON.stringify(config.body))
    const { body: account } = await s.connect(config.body.auth_config.id, { user_id: 'u1' })
    const { origin, pathname, searchParams } = await followShortLink(
      s,
      (account as { redirect_url: string }).redirect_url,
    )
    assert.deepEqual(
      [origin, pathname],
      ['https://login.microsoftonline.com', `/${directory}/oauth2/v2.0/authorize`],
    )
    assert.ok(searchParams.get('scope')?.split(' ').includes('offline_access'))
  }
})

test('a directory that is a part of a URL is rejected', async (t) => {
  const main = await testApp(t, { catalog })
  for (const directory of ['a/b', '../x', 'x?y', '.']) {
    const body = {
      toolkit: { slug: 'outlook' },
      auth_config: { type: 'use_custom_auth', authScheme: 'OAUTH2', credentials: { ...CLIENT, directory } },
    }
    assert.equal((await main.call(createAuthConfig, { body } as never)).status, 400, directory)
  }
})
