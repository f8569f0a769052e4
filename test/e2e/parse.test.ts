import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  listConnectedAccounts,
  setConnectedAccountStatus,
  updateConnectedAccount,
} from '../../src/contract/connected-accounts/index.ts'
import { updateProjectConfig } from '../../src/contract/projects/index.ts'
import { readError, type StoredError } from '../../src/features/logs/encrypted-columns.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startParseServer } from '../fixtures/real-applications/parse-server.ts'
import { assertRejected, startPlatform } from './platform.ts'

const EMPTY = 'template0'

async function startParse(t: TestContext) {
  const [platform, parse] = await Promise.all([
    startPlatform(t),
    clonedDatabase(t, EMPTY).then((databaseUrl) => startParseServer({ databaseUrl })),
  ])
  t.after(() => parse.stop())
  const { connect, tryConnect, callTool, run, data, account, call } = platform
  const config = await platform.authConfig('parse', 'API_KEY')
  const keys = {
    server_url: parse.url,
    application_id: parse.applicationId,
    generic_api_key: parse.restApiKey,
    master_key: parse.masterKey,
  }
  const wrongKey = { ...keys, generic_api_key: 'wrong-key', master_key: undefined }
  await connect(config, 'API_KEY', 'ada', keys)
  return { tryConnect, config, keys, account, parse, wrongKey, call, connect, run, callTool, data, platform }
}

type Parse = Awaited<ReturnType<typeof startParse>>

test('a Parse Server, connected by its keys', async (t) => {
  const fixture = await startParse(t)

  await t.test('takes good keys, tried first or not, and shows them to nobody', () => checkKeys(fixture))

  await t.test('rejects a wrong key that is checked first, and stores no account', () =>
    checkRejectedKey(fixture),
  )

  await t.test(
    'a wrong key that was not checked fails the tool with an explanation, expires after three rejected calls, and ' +
      'a valid key repairs the account',
    () => checkUncheckedKey(fixture),
  )

  await t.test('a class is defined, read and, once empty, removed', () => checkClasses(fixture))

  await t.test('objects are made, found, changed, counted and deleted', () => checkObjects(fixture))

  await t.test('a batch does each of its operations and says which failed', () => checkBatch(fixture))

  await t.test('users sign up, log in and out', () => checkUsers(fixture))

  await t.test('arguments that do not fit are named, and nothing is sent', () => checkArguments(fixture))

  await t.test('an account works for its own user only, and only while it is switched on', () =>
    checkOwnership(fixture),
  )

  await t.test('every call has one row in the log, also a rejected one, without a key', () =>
    checkLog(fixture),
  )
})

async function checkKeys({ tryConnect, config, keys, account, parse }: Parse): Promise<void> {
  for (const validate_credentials of [true, false]) {
    const { status, body } = await tryConnect(config, 'API_KEY', `taken-${validate_credentials}`, keys, {
      validate_credentials,
    })
    assert.deepEqual([status, body['status'], body['redirect_url']], [201, 'ACTIVE', null])
    const read = await account(body['id'] as string)
    assert.equal(read.val['server_url'], parse.url)
    assert.equal(read.val['generic_api_key'], `${parse.restApiKey.slice(0, 4)}...`)
    for (const secret of [parse.restApiKey, parse.masterKey]) assert.ok(!read.text.includes(secret))
  }
}

async function checkRejectedKey({ tryConnect, config, wrongKey, call }: Parse): Promise<void> {
  const refused = await tryConnect(config, 'API_KEY', 'mallory', wrongKey, { validate_credentials: true })
  assertRejected(refused as never, 400, 600, /^Parse Server rejected the credentials: .*unauthorized/)
  const { body } = await call(listConnectedAccounts, { query: { user_ids: ['mallory'] } })
  assert.equal(body.total_items, 0)
}

async function checkUncheckedKey({
  connect,
  config,
  wrongKey,
  run,
  account,
  callTool,
  parse,
  call,
}: Parse): Promise<void> {
  const id = await connect(config, 'API_KEY', 'bob', wrongKey, { validate_credentials: false })
  for (let attempt = 0; attempt < 3; attempt++) {
    const failed = await run('PARSE_GET_CONFIG', {}, 'bob')
    assert.deepEqual(failed.data, {
      http_error: '403 Client Error: Forbidden',
      status_code: 403,
      message: 'unauthorized',
    })
    assert.deepEqual([failed.successful, failed.error], [false, '403 Client Error: Forbidden - unauthorized'])
  }
  assert.equal((await account(id)).status, 'EXPIRED')
  assertRejected(
    await callTool('PARSE_GET_CONFIG', {}, { user_id: 'bob', connected_account_id: id }),
    410,
    1820,
    /several times in a row/,
  )
  const state = { authScheme: 'API_KEY' as const, val: { generic_api_key: parse.restApiKey } }
  const mended = await call(updateConnectedAccount, {
    params: { nanoid: id },
    body: { connection: { state } },
  })
  assert.deepEqual([mended.status, mended.body.status], [200, 'ACTIVE'])
  assert.ok((await run('PARSE_GET_CONFIG', {}, 'bob')).successful)
}

async function checkClasses({ data, run }: Parse): Promise<void> {
  const made = await data(
    'PARSE_CREATE_SCHEMA',
    { class_name: 'Planet', fields: { name: { type: 'String' }, moons: { type: 'Number' } } },
    'ada',
  )
  assert.deepEqual([made.className, made.fields.moons], ['Planet', { type: 'Number' }])
  const again = await run('PARSE_CREATE_SCHEMA', { class_name: 'Planet' }, 'ada')
  assert.deepEqual(
    [again.successful, again.data['status_code'], again.data['message']],
    [false, 400, 'Class Planet already exists.'],
  )
  assert.ok(
    (
      await data(
        'PARSE_UPDATE_SCHEMA',
        { class_name: 'Planet', fields: { ringed: { type: 'Boolean' } } },
        'ada',
      )
    ).fields.ringed,
  )
  assert.deepEqual(
    Object.keys((await data('PARSE_GET_SCHEMA', { class_name: 'Planet' }, 'ada')).fields).sort(),
    ['ACL', 'createdAt', 'moons', 'name', 'objectId', 'ringed', 'updatedAt'],
  )
  await data('PARSE_DELETE_SCHEMA', { class_name: 'Planet' }, 'ada')
  const classes = (await data('PARSE_LIST_SCHEMAS', {}, 'ada')).results.map(
    (one: { className: string }) => one.className,
  )
  assert.ok(classes.includes('_User') && !classes.includes('Planet'))
}

async function checkObjects({ data, run }: Parse): Promise<void> {
  const ids: string[] = []
  for (const [title, stars] of [
    ['first', 1],
    ['second', 2],
    ['third', 3],
  ] as const)
    ids.push(
      (await data('PARSE_CREATE_OBJECT', { class_name: 'Note', data: { title, stars } }, 'ada')).objectId,
    )
  const where = { stars: { $gte: 2 } }
  const found = await data(
    'PARSE_QUERY_OBJECTS',
    { class_name: 'Note', where, order: '-stars', limit: 1, with_count: true, keys: ['title'] },
    'ada',
  )
  assert.deepEqual([found.count, found.results.map((note: { title: string }) => note.title)], [2, ['third']])
  assert.equal(found.results[0].stars, undefined)
  assert.equal((await data('PARSE_COUNT_OBJECTS', { class_name: 'Note', where }, 'ada')).count, 2)
  await data(
    'PARSE_UPDATE_OBJECT',
    { class_name: 'Note', object_id: ids[0], data: { title: 'changed' } },
    'ada',
  )
  assert.equal(
    (
      await data(
        'PARSE_INCREMENT_FIELD',
        { class_name: 'Note', object_id: ids[0], field: 'stars', amount: 41 },
        'ada',
      )
    ).value,
    42,
  )
  const { title, stars } = await data('PARSE_GET_OBJECT', { class_name: 'Note', object_id: ids[0] }, 'ada')
  assert.deepEqual([title, stars], ['changed', 42])
  await data('PARSE_DELETE_OBJECT', { class_name: 'Note', object_id: ids[0] }, 'ada')
  const gone = await run('PARSE_GET_OBJECT', { class_name: 'Note', object_id: ids[0] }, 'ada')
  assert.deepEqual(
    [gone.successful, gone.data['status_code'], gone.data['message']],
    [false, 404, 'Object not found.'],
  )
  const wrong = await run(
    'PARSE_UPDATE_OBJECT',
    { class_name: 'Note', object_id: ids[1], data: { stars: 'many' } },
    'ada',
  )
  assert.equal(
    wrong.error,
    '400 Client Error: Bad Request - schema mismatch for Note.stars; expected Number but got String',
  )
}

async function checkBatch({ data }: Parse): Promise<void> {
  const create = (n: number) => ({ action: 'create', class_name: 'Batched', data: { n } })
  const made = await data('PARSE_BATCH_OBJECTS', { operations: [create(1), create(2)] }, 'ada')
  assert.deepEqual([made.succeeded, made.failed], [2, 0])
  const [one, two] = made.results.map((result: any) => result.success.objectId)
  const changed = await data(
    'PARSE_BATCH_OBJECTS',
    {
      operations: [
        { action: 'update', class_name: 'Batched', object_id: one, data: { n: 10 } },
        { action: 'delete', class_name: 'Batched', object_id: two },
        { action: 'delete', class_name: 'Batched', object_id: 'missing' },
      ],
    },
    'ada',
  )
  assert.deepEqual(
    [changed.succeeded, changed.failed, changed.results[2]],
    [2, 1, { error: { code: 101, error: 'Object not found.' } }],
  )
  const left = await data('PARSE_QUERY_OBJECTS', { class_name: 'Batched' }, 'ada')
  assert.deepEqual(
    left.results.map((object: { n: number }) => object.n),
    [10],
  )
}

async function checkUsers({ data, run }: Parse): Promise<void> {
  const person = { username: 'joe', password: 'correct horse' }
  await data('PARSE_SIGN_UP_USER', { ...person, email: 'joe@example.com' }, 'ada')
  const { sessionToken, objectId } = await data('PARSE_LOG_IN_USER', person, 'ada')
  assert.equal(
    (await data('PARSE_GET_CURRENT_USER', { session_token: sessionToken }, 'ada')).objectId,
    objectId,
  )
  const wrong = await run('PARSE_LOG_IN_USER', { ...person, password: 'wrong' }, 'ada')
  assert.deepEqual([wrong.successful, wrong.data['message']], [false, 'Invalid username/password.'])
  await data('PARSE_LOG_OUT_USER', { session_token: sessionToken }, 'ada')
  assert.equal(
    (await run('PARSE_GET_CURRENT_USER', { session_token: sessionToken }, 'ada')).successful,
    false,
  )
}

async function checkArguments({ run }: Parse): Promise<void> {
  const wrong = await run('PARSE_QUERY_OBJECTS', { class_name: 'Note', limit: 'ten', sort: 'stars' }, 'ada')
  assert.equal(wrong.successful, false)
  assert.deepEqual(wrong.data['status_code'], null)
  assert.match(wrong.error!, /^Invalid arguments: .*limit.*integer/)
  assert.match(wrong.error!, /sort/)
}

async function checkOwnership({ connect, config, keys, callTool, call, platform }: Parse): Promise<void> {
  const id = await connect(config, 'API_KEY', 'carol', keys)
  const as = (user_id?: string) =>
    callTool('PARSE_GET_CONFIG', {}, { ...(user_id ? { user_id } : {}), connected_account_id: id })
  assertRejected(await as('dave'), 400, 1812, /does not own/)
  assert.equal((await as()).status, 200)
  await call(updateProjectConfig, { body: { is_2FA_enabled: true } })
  assertRejected(await as(), 400, 1811, /without the user_id/)
  assertRejected(
    await callTool('PARSE_GET_CONFIG', {}, { user_id: 'dave' }),
    404,
    1810,
    /No active connected account of parse for the user dave/,
  )
  const other = await platform.project({ mask_secret_keys_in_connected_account: true })
  assertRejected(
    await other.callTool('PARSE_GET_CONFIG', {}, { user_id: 'carol', connected_account_id: id }),
    404,
    606,
    /not found/,
  )
  const enable = (enabled: boolean) =>
    call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
  await enable(false)
  assertRejected(await as('carol'), 422, 1821, /INACTIVE/)
  assertRejected(await callTool('PARSE_GET_CONFIG', {}, { user_id: 'carol' }), 422, 1821, /INACTIVE/)
  await enable(true)
  assert.equal((await as('carol')).body.successful, true)
}

async function checkLog({
  connect,
  config,
  keys,
  platform,
  run,
  call,
  callTool,
  parse,
}: Parse): Promise<void> {
  const id = await connect(config, 'API_KEY', 'erin', keys)
  const rows = async () =>
    (
      await platform.app.db.rows<Record<string, unknown> & StoredError>(sql`
      select id, tool_slug, successful, status_code, error, encrypted_error, connected_account_id, auth_config_id
        from tool_executions where user_id = 'erin' order by created_at, id`)
    ).map(({ encrypted_error, ...row }): Record<string, unknown> => ({
      ...row,
      error: readError(platform.app.encryptor, { ...row, encrypted_error }),
    }))
  const good = await run('PARSE_GET_CONFIG', {}, 'erin')
  const bad = await run('PARSE_GET_OBJECT', { class_name: 'Note', object_id: 'missing' }, 'erin')
  await call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: false } })
  await callTool('PARSE_GET_CONFIG', {}, { user_id: 'erin', connected_account_id: id })
  const [first, second, third, ...none] = await rows()
  const place = { connected_account_id: id, auth_config_id: config }
  assert.deepEqual(first, {
    id: good.log_id,
    tool_slug: 'PARSE_GET_CONFIG',
    successful: true,
    status_code: 200,
    error: null,
    ...place,
  })
  assert.deepEqual(second, {
    id: bad.log_id,
    tool_slug: 'PARSE_GET_OBJECT',
    successful: false,
    status_code: 404,
    error: '404 Client Error: Not Found - Object not found.',
    ...place,
  })
  assert.deepEqual(
    [third?.['successful'], third?.['status_code'], third?.['connected_account_id']],
    [false, null, id],
  )
  assert.match(String(third?.['error']), /INACTIVE/)
  assert.equal(none.length, 0)
  const [dump] = await platform.app.db.rows<{ text: string }>(
    sql`select string_agg(e::text, '') as text from tool_executions e`,
  )
  for (const secret of [parse.restApiKey, parse.masterKey]) assert.ok(!dump!.text.includes(secret))
}
