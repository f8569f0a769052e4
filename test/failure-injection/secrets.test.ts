import assert from 'node:assert/strict'
import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { clonedDatabase } from '../fixtures/clone.ts'
import {
  launch,
  runToEnd,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'
import { upstream } from '../fixtures/upstream.ts'

const PROJECT_KEY = 'ak_bootstrap_project_0123456789abcdef'
const ORGANIZATION_KEY = 'oak_bootstrap_organization_0123456789abcdef'
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')

describe('what is secret stays so', { concurrency: 2 }, () => {
  test(
    'nothing that a run prints, even at LOG_LEVEL=trace, holds a key, a password, a token or an argument',
    checkOutput,
  )

  test('keys given by BOOTSTRAP_… are used, and neither printed nor written to a file', checkBootstrapKeys)

  test('files that hold keys are never readable by others, not even under an open umask', checkFileModes)

  test('a file of keys that others may read stops the start', checkReadableFile)

  test(
    'a user without rights starts it as root does',
    { skip: process.getuid?.() !== 0 && 'needs root to run as another user' },
    checkOtherUser,
  )
})

async function checkOutput(t: TestContext): Promise<void> {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const application = await upstream(t, ({ path }) =>
    path.includes('fail')
      ? { status: 401, json: { error: 'unauthorized' } }
      : { json: { results: ['result-of-the-tool'] } },
  )
  const server = await startServer(t, {
    env: {
      DATABASE_URL,
      LOG_LEVEL: 'trace',
      EGRESS_ALLOW: '127.0.0.1',
      ENCRYPTION_KEYS: `a:${ENCRYPTION_KEY}`,
      BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
      BOOTSTRAP_ORG_API_KEY: ORGANIZATION_KEY,
    },
  })
  await connectParse(server, application.url)
  for (const class_name of ['Score', 'fail']) {
    const ran = await server.call(
      'POST',
      '/api/v3.1/tools/execute/PARSE_QUERY_OBJECTS',
      { user_id: 'ada', arguments: { class_name, where: { secret: 'argument-of-the-tool' } } },
      KEY_HEADER,
    )
    assert.ok(
      application.requests.some(({ headers }) => headers['x-parse-rest-api-key'] === 'token-of-the-account'),
      `the secrets are in use: ${JSON.stringify(ran.body)}`,
    )
  }
  await sendRejectedSecrets(server)
  const { output, code } = await server.stop()
  assert.equal(code, 0)
  assert.match(output, /✓ ready/)
  const secrets = [
    PROJECT_KEY,
    ORGANIZATION_KEY,
    ENCRYPTION_KEY,
    new URL(DATABASE_URL).password,
    'token-of-the-account',
    'ak_wrong_key_of_a_caller',
    'cookie-of-a-caller',
    'argument-of-the-tool',
    'result-of-the-tool',
    'credential-that-does-not-fit',
  ]
  assert.deepEqual(
    secrets.filter((secret) => output.includes(secret)),
    [],
  )
}

const KEY_HEADER = { 'x-api-key': PROJECT_KEY }

async function connectParse(server: ServerProcess, applicationUrl: string): Promise<void> {
  const config = await server.call(
    'POST',
    '/api/v3/auth_configs',
    {
      toolkit: { slug: 'parse' },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: 'a', credentials: {} },
    },
    KEY_HEADER,
  )
  assert.equal(config.status, 201)
  const account = await server.call(
    'POST',
    '/api/v3/connected_accounts',
    {
      auth_config: { id: (config.body['auth_config'] as { id: string }).id },
      connection: {
        user_id: 'ada',
        state: {
          authScheme: 'API_KEY',
          val: {
            status: 'ACTIVE',
            server_url: applicationUrl,
            application_id: 'app',
            generic_api_key: 'token-of-the-account',
          },
        },
      },
    },
    KEY_HEADER,
  )
  assert.equal(account.status, 201)
}

/** Sends requests with secrets that the server rejects. */
async function sendRejectedSecrets(server: ServerProcess): Promise<void> {
  await server.call('GET', '/api/v3/auth_configs', undefined, {
    'x-api-key': 'ak_wrong_key_of_a_caller_000000',
  })
  await server.call('GET', '/api/v3/org/owner/project/list', undefined, {
    'x-org-api-key': ORGANIZATION_KEY,
    cookie: 'session=cookie-of-a-caller',
  })
  await server.call(
    'POST',
    '/api/v3/auth_configs',
    {
      toolkit: { slug: 'parse' },
      auth_config: {
        type: 'use_custom_auth',
        authScheme: 'API_KEY',
        credentials: { deep: { secret: 'credential-that-does-not-fit' } },
      },
    },
    KEY_HEADER,
  )
}

async function checkBootstrapKeys(t: TestContext): Promise<void> {
  const server = await startServer(t, {
    env: {
      DATABASE_URL: await clonedDatabase(t, 'template1'),
      BOOTSTRAP_PROJECT_API_KEY: PROJECT_KEY,
      BOOTSTRAP_ORG_API_KEY: ORGANIZATION_KEY,
    },
  })
  assert.equal(
    (await server.call('GET', '/api/v3/auth_configs', undefined, { 'x-api-key': PROJECT_KEY })).status,
    200,
  )
  assert.equal(
    (
      await server.call('GET', '/api/v3/org/owner/project/list', undefined, {
        'x-org-api-key': ORGANIZATION_KEY,
      })
    ).status,
    200,
  )
  assert.match(server.output(), /Keys +set by BOOTSTRAP_PROJECT_API_KEY/)
  assert.ok(!(await readdir(server.dataDir)).some((name) => name.startsWith('keys.json')))
}

async function checkFileModes(t: TestContext): Promise<void> {
  const server = await launch(t, { dataDir: join(await temporaryDirectory(t), 'data'), umask: 0 })
  const seen = new Map<string, number>()
  await until('the keys are written', async () => {
    for (const name of await readdir(server.dataDir).catch(() => [])) {
      if (!/^keys\.json|^encryption\.keys|^postgres\.password/.test(name)) continue
      const { mode } = await stat(join(server.dataDir, name)).catch(() => ({ mode: 0 }))
      if (mode) seen.set(name, (seen.get(name) ?? 0) | (mode & 0o777))
    }
    return server.output().includes('Execute a first tool')
  })
  assert.deepEqual(
    [...seen.values()].filter((mode) => mode !== 0o600),
    [],
    JSON.stringify([...seen]),
  )
  for (const name of ['keys.json', 'encryption.keys', 'postgres.password']) assert.ok(seen.has(name), name)
  server.kill('SIGTERM')
  await server.ended
}

async function checkReadableFile(t: TestContext): Promise<void> {
  const dataDir = join(await temporaryDirectory(t), 'data')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'encryption.keys'), `a:${ENCRYPTION_KEY}\n`)
  await chmod(join(dataDir, 'encryption.keys'), 0o644)
  const ended = await runToEnd(t, { dataDir, env: { DATABASE_URL: await clonedDatabase(t, 'template1') } })
  assert.equal(ended.code, 1)
  assert.match(ended.output, /Other users may read the key file .*encryption\.keys/)
}

async function checkOtherUser(t: TestContext): Promise<void> {
  const directory = join(await temporaryDirectory(t), 'home')
  await mkdir(directory)
  await chown(directory, 65534, 65534)
  const server = await startServer(t, {
    dataDir: join(directory, 'data'),
    env: { HOME: directory },
    user: { uid: 65534, gid: 65534 },
  })
  const reply = await server.call('POST', '/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME', {
    arguments: { timezone: 'UTC' },
  })
  assert.equal(reply.status, 200)
  assert.equal((await stat(join(server.dataDir, 'postgres'))).uid, 65534)
  assert.equal((await server.stop()).code, 0)
}
