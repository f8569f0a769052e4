import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../../../../catalog/index.ts'
import { ENGLISH, text } from '../language/index.ts'
import { renderConnectPage } from '../templates/connect-page.ts'
import { describeScopes } from './scope-descriptions.ts'

test('scopes: sentences of the manifest, one for scopes that belong together, and four before "Show all"', async () => {
  const catalog = openCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  const slack = catalog.toolkit('slack')!
  const scopes = slack.schemes.flatMap(({ manifest }) =>
    manifest.scheme === 'OAUTH2' ? (manifest.scopes?.default ?? []) : [],
  )
  const permissions = describeScopes(slack, scopes)
  assert.deepEqual(permissions, [
    { what: 'Send messages' },
    { what: 'Read, join and manage public channels' },
    { what: 'Read private channels that you are in' },
    { what: 'Read and start direct messages' },
    { what: 'Add and remove reactions' },
    { what: 'See the people of your workspace and their e-mail addresses' },
  ])
  const page = renderConnectPage(
    {
      toolkit: { slug: 'slack', name: 'Slack' },
      projectName: 'Acme',
      projectLogo: null,
      publicUrl: 'http://localhost:3900',
      userId: undefined,
      permissions,
      fields: [],
      errors: {},
      continuesAtProvider: true,
      hintUrl: undefined,
      action: { token: 't', formToken: 'f' },
    },
    ENGLISH,
  )
  const [visible = '', rest = ''] = page.split('Show all 6 permissions')
  assert.equal(visible.match(/<li>/g)?.length, 4)
  assert.equal(rest.match(/<li>/g)?.length, 2)
  assert.ok(!page.includes('mpim:read'), 'users see no scope as the vendor spells it')
})

test('scopes: without a sentence, the words come from OpenID Connect or from the name', async () => {
  const catalog = openCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  assert.deepEqual(describeScopes(catalog.toolkit('linear')!, ['email', 'orders:read']), [
    { what: text('scope.email') },
    { what: 'See orders', detail: 'orders:read' },
  ])
})
