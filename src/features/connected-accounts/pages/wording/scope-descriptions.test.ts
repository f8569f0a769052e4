import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openCatalog } from '../../../../catalog/index.ts'
import { ENGLISH, translatorFor } from '../language/index.ts'
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
  assert.deepEqual(
    permissions.map(({ what }) => ENGLISH.text(what)),
    [
      'Send messages',
      'Read, join and manage public channels',
      'Read private channels that you are in',
      'Read and start direct messages',
      'Add and remove reactions',
      'See the people of your workspace and their e-mail addresses',
      'Upload, edit and delete files',
    ],
  )
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
  const [visible = '', rest = ''] = page.split('Show all 7 permissions')
  assert.equal(visible.match(/<li>/g)?.length, 4)
  assert.equal(rest.match(/<li>/g)?.length, 3)
  assert.ok(!page.includes('mpim:read'), 'users see no scope as the vendor spells it')
})

test('scopes: without a sentence, the words come from OpenID Connect or from the name', async () => {
  const catalog = openCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  const german = translatorFor('de')
  const permissions = describeScopes(catalog.toolkit('linear')!, ['email', 'orders:read', 'robot-arm:turn'])
  assert.deepEqual(
    permissions.map(({ what, detail }) => [ENGLISH.text(what), german.text(what), detail]),
    [
      ['See your e-mail address', 'Ihre E-Mail-Adresse sehen', undefined],
      ['See your orders', 'Ihre Bestellungen sehen', undefined],
      ['Access to robot arm turn', 'Zugriff auf „robot arm turn“', undefined],
    ],
  )
})

test('scopes: those with the same object share a sentence', async () => {
  const catalog = openCatalog({
    folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)),
  })
  const written = (scopes: string[]) =>
    describeScopes(catalog.toolkit('asana')!, scopes).map(({ what }) => ENGLISH.text(what))
  assert.deepEqual(written(['tasks:read', 'projects:read', 'tasks:write']), [
    'See, create and change your tasks',
    'See projects',
  ])
  assert.deepEqual(written(['tasks:read', 'tasks:write', 'tasks:delete']), ['Manage your tasks'])
  assert.deepEqual(written(['tasks:update', 'tasks:view']), ['See and change your tasks'])
})
