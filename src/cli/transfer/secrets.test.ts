import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { API_KEY, CLIENT, oauth } from '#fixtures/connected-accounts.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { type Send, SOURCE, twoServers } from '#fixtures/two-servers.ts'
import { upstream } from '#fixtures/upstream.ts'
import { catalogFromSources } from '../../catalog/index.ts'
import { listOrganizationAuditLog } from '../../contract/audit-log.ts'
import { exportProjectSecrets, createOrganizationKey } from '../../contract/projects/index.ts'
import type { ProjectFile } from './project-file.ts'

const PASSPHRASE = 'a passphrase with many words'
const SECRETS = [CLIENT.client_secret, 'old-access-token', 'refresh-token-of-ada', 'key-of-ben']

/** Two servers with the toolkit SHOP, whose API and authorization server record requests. */
async function twoShops(t: TestContext) {
  const stub = await upstream(t, ({ path }) =>
    path === '/token'
      ? {
          json: {
            access_token: 'new-access-token',
            refresh_token: 'next',
            token_type: 'Bearer',
            expires_in: 3_600,
          },
        }
      : { json: {} },
  )
  const catalog = catalogFromSources([
    sampleSource({ base_url: stub.url, auth: [oauth(stub.url), API_KEY] }, [sampleTool()], {}),
  ])
  const servers = await twoServers(t, { catalog })
  writeFileSync(join(servers.cwd, 'passphrase'), `${PASSPHRASE}\n`)
  const { projectApiKey, organizationApiKey } = servers.source.keys
  const exportFile = (file: string, orgKey = organizationApiKey) =>
    servers.run(
      ...['export', file, '--url', SOURCE, '--api-key', projectApiKey, '--org-api-key', orgKey],
      ...['--passphrase-file', 'passphrase'],
    )
  return { ...servers, stub, exportFile }
}

const addConfig = async (send: Send, authScheme: string, credentials?: object): Promise<string> => {
  const { body } = await send('POST', '/auth_configs', {
    toolkit: { slug: 'shop' },
    auth_config: { type: 'use_custom_auth', authScheme, name: authScheme, credentials },
  })
  return (body as { auth_config: { id: string } }).auth_config.id
}

async function addAccounts(send: Send): Promise<void> {
  const connect = (id: string, user_id: string, authScheme: string, val: object) =>
    send('POST', '/connected_accounts', {
      auth_config: { id },
      connection: { user_id, alias: `shop of ${user_id}`, state: { authScheme, val } },
    })
  await connect(await addConfig(send, 'OAUTH2', CLIENT), 'ada', 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'old-access-token',
    refresh_token: 'refresh-token-of-ada',
    token_type: 'Bearer',
    expires_in: 1,
  })
  await connect(await addConfig(send, 'API_KEY'), 'ben', 'API_KEY', { generic_api_key: 'key-of-ben' })
}

test('export with a passphrase: accounts of the file work on the other server, also when their token has ended', async (t) => {
  const s = await twoShops(t)
  await addAccounts(s.onSource)
  const { code, out, err } = await s.exportFile('project.json')
  assert.equal(code, 0, err)
  assert.match(out, /2 auth configs, 2 connected accounts/)
  const text = readFileSync(join(s.cwd, 'project.json'), 'utf8')
  for (const secret of SECRETS)
    assert.ok(!text.includes(secret), `the file does not contain ${secret} in clear`)

  const preview = await s.importSteps('project.json', '--passphrase-file', 'passphrase', '--dry-run')
  assert.deepEqual(
    preview.steps.filter(({ kind }) => kind === 'connected_accounts').map(({ action }) => action),
    ['create', 'create'],
  )
  const first = await s.importSteps('project.json', '--passphrase-file', 'passphrase')
  assert.deepEqual(
    first.steps
      .filter(({ kind }) => kind !== 'settings')
      .map(({ name, action, note }) => `${name}: ${action}${note}`)
      .sort(),
    ['API_KEY (shop): created', 'OAUTH2 (shop): created', 'shop of ada: created', 'shop of ben: created'],
  )
  const again = await s.importSteps('project.json', '--passphrase-file', 'passphrase')
  assert.deepEqual([...new Set(again.steps.map(({ action }) => action))], ['exists'])

  s.stub.requests.length = 0
  for (const user_id of ['ada', 'ben']) {
    const { body } = await s.onTarget('POST', '/tools/execute/SHOP_GET_ORDER', {
      user_id,
      arguments: { id: '1' },
    })
    assert.equal((body as { successful: boolean }).successful, true, JSON.stringify(body))
  }
  const [refresh, first_call, second_call] = s.stub.requests
  assert.match(refresh!.body, /refresh-token-of-ada/)
  assert.match(`${refresh!.body}${refresh!.headers.authorization}`, /client-secret-1|Y2xpZW50/)
  assert.equal(first_call!.headers.authorization, 'Bearer new-access-token')
  assert.equal(second_call!.headers['x-key'], 'key-of-ben')
})

test('export with a passphrase: another passphrase, a changed file and a file without secrets are rejected', async (t) => {
  const s = await twoShops(t)
  await addAccounts(s.onSource)
  await s.exportFile('project.json')
  writeFileSync(join(s.cwd, 'other'), 'another passphrase, as long\n')
  writeFileSync(join(s.cwd, 'short'), 'short\n')
  const project = JSON.parse(readFileSync(join(s.cwd, 'project.json'), 'utf8')) as ProjectFile
  const write = (file: string, change: object) =>
    writeFileSync(join(s.cwd, file), JSON.stringify({ ...project, ...change }))
  const [page] = project.secrets!
  write('changed.json', { secrets: [{ ...page, ciphertext: `AAAA${page!.ciphertext.slice(4)}` }] })
  write('empty.json', { secrets: undefined })
  write('text.json', { secrets: [{ ...page, salt: 7 }] })
  s.writes.length = 0
  for (const [file, passphraseFile, message] of [
    ['project.json', 'other', /passphrase is not the one/],
    ['project.json', 'short', /has 5 characters; at least 12/],
    ['project.json', 'absent', /absent cannot be read/],
    ['changed.json', 'passphrase', /the file was changed/],
    ['empty.json', 'passphrase', /has no secrets/],
    ['text.json', 'passphrase', /secrets is not a list of encrypted pages/],
  ] as const) {
    const { code, err } = await s.run('import', file, '--passphrase-file', passphraseFile)
    assert.equal(code, 2, file)
    assert.match(err, message)
  }
  assert.deepEqual(s.writes, [], 'nothing was created')
})

test('attack: secrets are exported only with a key of the organization without restrictions', async (t) => {
  const s = await twoShops(t)
  await addAccounts(s.onSource)
  const { org, as, keys } = s.source
  const request = { params: { nano_id: keys.projectId }, body: { passphrase: PASSPHRASE } }
  const restricted = await org(createOrganizationKey, {
    body: { name: 'all areas', permissions: { projects: ['read', 'write'], api_keys: ['read', 'write'] } },
  })
  const callers: Record<string, string>[] = [
    { 'x-api-key': keys.projectApiKey },
    { 'x-org-api-key': restricted.body.key },
  ]
  for (const headers of callers)
    assert.ok([401, 403].includes((await as(headers)(exportProjectSecrets, request)).status))
  const unknown = { ...request, params: { nano_id: 'proj_AAAAAAAAAAAA' } }
  assert.equal((await org(exportProjectSecrets, unknown)).status, 404)
  assert.equal((await org(exportProjectSecrets, { ...request, body: { passphrase: 'short' } })).status, 400)
  const wrongCursor = { ...request, body: { passphrase: PASSPHRASE, cursor: 'api_keys:' } }
  assert.equal((await org(exportProjectSecrets, wrongCursor)).status, 400)

  const { status } = await org(exportProjectSecrets, request)
  assert.equal(status, 200)
  const { items } = (await org(listOrganizationAuditLog, { query: { action: 'projects.exportSecrets' } }))
    .body
  assert.ok(items.length > 0, 'an export is in the audit log')
  assert.ok(!JSON.stringify(items).includes(PASSPHRASE), 'the audit log does not have the passphrase')
})
