import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { doctor, type DoctorResult } from '../../src/admin/doctor/index.ts'
import { type Check, ok } from '../../src/admin/doctor/check.ts'
import { dataDirectoryChecks } from '../../src/admin/doctor/data-directory.ts'
import { databaseChecks } from '../../src/admin/doctor/database.ts'
import { serverChecks } from '../../src/admin/doctor/server.ts'
import { readConfig } from '../../src/platform/config.ts'
import { processesIn } from '../../src/platform/db/embedded/processes.ts'
import { queryOnce } from '../../src/platform/db/check.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { type ProcessOptions, runToEnd, startServer, temporaryDirectory } from '../fixtures/server-process.ts'

interface Report {
  ok: boolean
  checks: DoctorResult[]
}

async function examine(
  t: TestContext,
  options: ProcessOptions,
): Promise<Report & { code: number | null; of(name: string): DoctorResult }> {
  const { output, code } = await runToEnd(t, { ...options, args: ['doctor', '--json'] })
  const report = JSON.parse(output) as Report
  assert.equal(code, report.ok ? 0 : 1)
  for (const { status, fix, name } of report.checks)
    assert.equal(
      Boolean(fix),
      status === 'warn' || status === 'fail',
      `${name} says what to do exactly when there is something to do`,
    )
  return {
    ...report,
    code,
    of: (name) => report.checks.find((check) => check.name === name) ?? assert.fail(`no check ${name}`),
  }
}

/** The same checks here, without the catalogue and the start of a process. */
async function look(
  env: Record<string, string>,
): Promise<Report & { code: number; of(name: string): DoctorResult }> {
  let printed = ''
  const out = {
    write: (text: string) => {
      printed += text
      return true
    },
    isTTY: false,
  }
  const settings: Check = {
    name: 'settings',
    async run(found) {
      found.config = readConfig(env)
      return ok('')
    },
  }
  const code = await doctor({
    json: true,
    out,
    checks: [settings, ...dataDirectoryChecks, ...serverChecks, ...databaseChecks],
  })
  const report = JSON.parse(printed) as Report
  for (const { status, fix, name } of report.checks)
    assert.equal(Boolean(fix), status === 'warn' || status === 'fail', name)
  return {
    ...report,
    code,
    of: (name) => report.checks.find((check) => check.name === name) ?? assert.fail(`no check ${name}`),
  }
}

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`

describe('patchbay doctor', { concurrency: 2 }, () => {
  test('finds nothing before the first start, and makes nothing', checkEmptyDirectory)

  test(
    "checks the administrator's OAuth apps: the file, who may read it, toolkits and fields, without a value",
    checkOAuthApps,
  )

  test('looks into a stopped installation by starting its database, and stops it again', checkStoppedServer)

  test('asks a running server, and does not disturb it', checkRunningServer)

  test('reports every problem of the settings, and checks what does not need them', checkSettings)

  test(
    'names a taken port, a database out of reach and an address that is not encrypted, without a password',
    checkUnreachable,
  )

  test(
    'tells whether the schema is behind or ahead, and whether the keys are those of the database',
    checkSchemaAndKeys,
  )

  test('names a data directory that cannot be one, and a damaged keys.json', checkDataDirectory)

  test('prints a line a check with the fix under it, and bounds each check', checkOutput)
})

async function checkEmptyDirectory(t: TestContext): Promise<void> {
  const dataDir = join(await temporaryDirectory(t), 'data')
  const report = await look({ DATA_DIR: dataDir, PORT: '0' })
  assert.equal(report.ok, true, JSON.stringify(report.checks))
  await assert.rejects(chmod(dataDir, 0o700), { code: 'ENOENT' })
}

async function checkOAuthApps(t: TestContext): Promise<void> {
  const file = join(await temporaryDirectory(t), 'managed.json')
  const look = async (content: string, mode = 0o600) => {
    await writeFile(file, content)
    await chmod(file, mode)
    return examine(t, { env: { MANAGED_AUTH_FILE: file } })
  }
  const good = await look('{"github": {"OAUTH2": {"client_id": "a", "client_secret": "secret-value"}}}')
  assert.deepEqual([good.of('managed').status, good.of('managed').detail], ['ok', 'github'])
  const wrong = await look(
    '{"github": {"OAUTH2": {"client_id": "a", "secret": "secret-value"}}, "gitub": {"OAUTH2": ' +
      '{"client_id": "secret-value"}}}',
  )
  const details = wrong.checks
    .filter(({ name, status }) => name === 'managed' && status === 'fail')
    .map(({ detail }) => detail)
    .join()
  for (const expected of [
    /github\.OAUTH2 lacks client_secret/,
    /github\.OAUTH2 has the unknown field secret/,
    /gitub\.OAUTH2 is for an unknown toolkit/,
  ])
    assert.match(details, expected)
  assert.match((await look('{}', 0o644)).of('settings').detail, /MANAGED_AUTH_FILE.*chmod 600/)
  assert.match((await look('{"github":')).of('settings').detail, /MANAGED_AUTH_FILE.*not JSON/)
  assert.doesNotMatch(JSON.stringify(wrong), /secret-value/)
}

async function checkStoppedServer(t: TestContext): Promise<void> {
  const server = await startServer(t)
  assert.equal((await server.stop()).code, 0)
  const report = await examine(t, { dataDir: server.dataDir })
  assert.equal(report.ok, true, JSON.stringify(report.checks))
  assert.match(report.of('encryption').detail, /the keys decrypt/)
  assert.deepEqual(processesIn(join(server.dataDir, 'postgres')), [])
  await chmod(join(server.dataDir, 'encryption.keys'), 0o640)
  await chmod(join(server.dataDir, 'keys.json'), 0o604)
  const bad = await look({ DATA_DIR: server.dataDir, PORT: '0' })
  assert.equal(bad.code, 1)
  assert.equal(bad.of('key file').status, 'fail')
  assert.match(bad.of('keys.json').fix ?? '', /chmod 600/)
}

async function checkRunningServer(t: TestContext): Promise<void> {
  const server = await startServer(t)
  const report = await examine(t, { dataDir: server.dataDir, env: { PORT: new URL(server.url).port } })
  assert.equal(report.ok, true, JSON.stringify(report.checks))
  assert.match(report.of('server').detail, new RegExp(`process ${server.pid} runs at .* and is ready`))
  assert.equal(report.of('PUBLIC_URL').status, 'ok')
  assert.equal(
    (
      await server.call('POST', '/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME', {
        arguments: { timezone: 'UTC' },
      })
    ).status,
    200,
  )
  assert.equal((await server.stop()).code, 0)
}

async function checkSettings(t: TestContext): Promise<void> {
  const report = await examine(t, { env: { PORT: 'x', ROLE: 'y' } })
  assert.equal(report.code, 1)
  assert.equal(report.checks.filter(({ name, status }) => name === 'settings' && status === 'fail').length, 2)
  assert.equal(report.of('catalogue').status, 'ok')
  assert.equal(report.of('database').status, 'skip')
}

async function checkUnreachable(t: TestContext): Promise<void> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  const { port } = listener.address() as AddressInfo
  const report = await look({
    PORT: String(port),
    DATA_DIR: '/nowhere/at/all',
    DATABASE_URL: 'postgres://me:hush-hush@127.0.0.1:1/nowhere',
    PUBLIC_URL: 'http://patchbay.example.com',
  })
  assert.equal(report.of('server').status, 'fail')
  assert.match(report.of('server').detail, new RegExp(`Port ${port}`))
  assert.match(report.of('database').detail, /127\.0\.0\.1:1\/nowhere cannot be used: nothing listens/)
  assert.equal(report.of('PUBLIC_URL').status, 'warn')
  assert.ok(!JSON.stringify(report.checks).includes('hush-hush'))
}

async function checkSchemaAndKeys(t: TestContext): Promise<void> {
  const empty = await clonedDatabase(t, 'template1')
  assert.match(
    (await look({ DATABASE_URL: empty, ENCRYPTION_KEYS: key('a', 1), PORT: '0' })).of('schema').detail,
    /migrations? to apply/,
  )
  const server = await startServer(t, { env: { DATABASE_URL: empty, ENCRYPTION_KEYS: key('a', 1) } })
  assert.equal((await server.stop()).code, 0)
  await queryOnce(empty, `insert into migrations (name, checksum) values ('9999-later.sql', 'x')`)
  for (const [ring, detail] of [
    [key('a', 2), /do not match/],
    [key('b', 1), /encrypted with the key a, which the key ring does not have/],
  ] as const) {
    const report = await look({ DATABASE_URL: empty, ENCRYPTION_KEYS: ring, PORT: '0' })
    assert.match(report.of('encryption').detail, detail)
    assert.match(report.of('schema').detail, /newer than this program/)
  }
}

async function checkDataDirectory(t: TestContext): Promise<void> {
  const directory = await temporaryDirectory(t)
  await writeFile(join(directory, 'file'), '')
  assert.equal((await look({ DATA_DIR: join(directory, 'file'), PORT: '0' })).of('data').status, 'fail')
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data', 'keys.json'), '{"url":', { mode: 0o600 })
  assert.match(
    (await look({ DATA_DIR: join(directory, 'data'), PORT: '0' })).of('keys.json').detail,
    /is damaged/,
  )
  await rm(join(directory, 'file'))
}

async function checkOutput(): Promise<void> {
  let printed = ''
  const out = {
    write: (text: string) => {
      printed += text
      return true
    },
    isTTY: false,
  }
  const code = await doctor({
    json: false,
    out,
    checks: [
      { name: 'fine', run: async () => ({ status: 'ok', detail: 'as it should be' }) },
      { name: 'hanging', timeoutMs: 20, run: () => new Promise(() => {}) },
      {
        name: 'broken',
        run: async () => {
          throw new Error('unforeseen')
        },
      },
    ],
  })
  assert.equal(code, 1)
  assert.match(
    printed,
    / {2}✓ fine +as it should be\n {2}✗ hanging +no response within 0\.02 s\n +→ Check .*\n {2}✗ broken +unforeseen\n +→ /,
  )
  assert.match(printed, /2 problems to fix/)
}

describe('patchbay migrate', { concurrency: 2 }, () => {
  test('migrates an empty database, reports each step, and has nothing to do the second time', async (t) => {
    const DATABASE_URL = await clonedDatabase(t, 'template1')
    const first = await runToEnd(t, { args: ['migrate'], env: { DATABASE_URL } })
    assert.equal(first.code, 0, first.output)
    assert.match(
      first.output,
      /✓ database +PostgreSQL .*\n {2}… 0001-.*\.sql\n[^]*✓ schema +\d+ migrations? applied/,
    )
    assert.ok(!first.output.includes(new URL(DATABASE_URL).password))
    const second = await runToEnd(t, { args: ['migrate'], env: { DATABASE_URL } })
    assert.match(second.output, /✓ schema +up to date/)
  })

  test('on the built-in database leaves nothing running; while a server runs it is rejected', async (t) => {
    const dataDir = join(await temporaryDirectory(t), 'data')
    assert.equal((await runToEnd(t, { args: ['migrate'], dataDir })).code, 0)
    assert.deepEqual(processesIn(join(dataDir, 'postgres')), [])
    const server = await startServer(t, { dataDir })
    const refused = await runToEnd(t, { args: ['migrate'], dataDir })
    assert.equal(refused.code, 1)
    assert.match(refused.output, new RegExp(`Another Patchbay server \\(process ${server.pid}`))
  })

  test('many at once do it once', async (t) => {
    const DATABASE_URL = await clonedDatabase(t, 'template1')
    const all = await Promise.all(
      [1, 2, 3].map(() => runToEnd(t, { args: ['migrate'], env: { DATABASE_URL } })),
    )
    assert.deepEqual(
      all.map(({ code }) => code),
      [0, 0, 0],
      all.map(({ output }) => output).join('\n'),
    )
    assert.equal(all.filter(({ output }) => /migrations? applied/.test(output)).length, 1)
  })
})
