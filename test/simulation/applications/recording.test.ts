import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { applications } from '../../../simulation/providers/applications.ts'
import {
  createOfflineClient,
  openRecording,
  recordingSettings,
} from '../../../src/server/recording-settings.ts'
import { createAuthConfig } from '../../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../../src/contract/connected-accounts/index.ts'
import { executeTool } from '../../../src/contract/tools/index.ts'
import {
  formatRecording,
  recordingKey,
  parseRecording,
  createRecorder,
  redactCall,
  redactArguments,
  createReplayer,
  type RecordedCall,
} from '../../../src/engine/index.ts'
import { redactorFor } from '../../../src/engine/http/redactor.ts'
import type { ToolConnection, ToolCall, ResolvedTool } from '../../../src/engine/types.ts'
import { StartupError } from '../../../src/platform/startup-error.ts'
import { simulatedEgress } from '../../../simulation/applications/index.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { temporaryDirectory } from '../../fixtures/server-process.ts'
import { until } from '../../fixtures/until.ts'

const TOKEN = 'ghp_very+secret/token=1'
const run = async ({ call }: TestApp, tool: string, args: Record<string, unknown>) =>
  call(executeTool, {
    params: { tool_slug: tool },
    body: { user_id: 'ada', version: 'latest', arguments: args },
  })

async function recordCalls(t: TestContext) {
  const world = await applications()
  const takes: RecordedCall[] = []
  const live = await testApp(t, {
    egress: simulatedEgress(world.answer),
    recordings: createRecorder({ write: (take) => takes.push(take) }),
  })
  const config = await live.call(createAuthConfig, {
    body: {
      toolkit: { slug: 'github' },
      auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
    },
  })
  await live.call(createConnectedAccount, {
    body: {
      auth_config: { id: config.body.auth_config.id },
      connection: {
        user_id: 'ada',
        state: { authScheme: 'BEARER_TOKEN', val: { status: 'ACTIVE', token: TOKEN } },
      },
    },
  })
  const REPO = { owner: 'o', repo: 'r' }
  const said = [
    await run(live, 'GITHUB_LIST_REPOSITORY_ISSUES', REPO),
    await run(live, 'GITHUB_CREATE_AN_ISSUE', { ...REPO, title: `My token is ${TOKEN}` }),
    await run(live, 'GITHUB_LIST_REPOSITORY_ISSUES', REPO),
    await run(live, 'GITHUB_GET_AN_ISSUE', { ...REPO, issue_number: 9_999 }),
  ]
  return { takes, said, REPO }
}

type Recorded = Awaited<ReturnType<typeof recordCalls>>

test('executions are recorded without secrets, and replayed without an account or a network', async (t) => {
  const recorded = await recordCalls(t)
  const { said, REPO } = recorded
  const text = checkRecording(recorded)

  const again = await testApp(t, {
    egress: createOfflineClient(),
    recordings: createReplayer(parseRecording(text)),
  })
  // Members in another order, defaults given or not: the same call.
  const first = await run(again, 'GITHUB_LIST_REPOSITORY_ISSUES', { repo: 'r', owner: 'o' })
  assert.deepEqual([first.body.data, first.body.successful], [said[0]!.body.data, true])
  assert.deepEqual(
    (await run(again, 'GITHUB_GET_AN_ISSUE', { issue_number: 9_999, ...REPO })).body.error,
    said[3]!.body.error,
  )
  assert.equal(
    JSON.stringify((await run(again, 'GITHUB_LIST_REPOSITORY_ISSUES', REPO)).body.data),
    JSON.stringify(said[2]!.body.data).replaceAll(TOKEN, '[redacted]'),
  )
  const more = await run(again, 'GITHUB_LIST_REPOSITORY_ISSUES', REPO)
  assert.deepEqual([more.status, more.body.error.slug], [404, 'ActionExecute_NotRecorded'])
  assert.match(
    more.body.error.message,
    /2 recordings of GITHUB_LIST_REPOSITORY_ISSUES with \{.*"owner":"o".*\}, and this is call 3/,
  )
  const unknown = await run(again, 'GITHUB_LIST_REPOSITORY_ISSUES', { owner: 'o', repo: 'other' })
  assert.match(
    unknown.body.error.message,
    /no recording of GITHUB_LIST_REPOSITORY_ISSUES with \{.*"repo":"other"/,
  )
  assert.equal(
    (await run(again, 'GITHUB_GET_AN_ISSUE', { owner: 'o' })).body.successful,
    false,
    'arguments are checked as ever',
  )
})

function checkRecording({ takes }: Recorded) {
  assert.deepEqual(
    takes.map(({ tool, exchanges, result }) => [tool, exchanges.length, result.successful]),
    [
      ['GITHUB_LIST_REPOSITORY_ISSUES', 1, true],
      ['GITHUB_CREATE_AN_ISSUE', 1, true],
      ['GITHUB_LIST_REPOSITORY_ISSUES', 1, true],
      ['GITHUB_GET_AN_ISSUE', 1, false],
    ],
  )
  const text = formatRecording(takes)
  assert.ok(!text.includes(TOKEN) && !text.includes(encodeURIComponent(TOKEN)))
  assert.equal(takes[0]!.exchanges[0]!.request.headers['authorization'], '[redacted]')
  return text
}

const HARD = ['"', '\\', '+', '/', '=', '%', '&', ' ', 'ü', '\n', '<', "'"]
const pick = <T>(all: readonly T[]): T => all[randomBytes(1)[0]! % all.length]!
const secretOf = () =>
  `s${randomBytes(6).toString('hex')}${pick(HARD)}${randomBytes(4).toString('base64')}${pick(HARD)}x`
const written = [
  (text: string) => text,
  encodeURIComponent,
  (text: string) => JSON.stringify(text).slice(1, -1),
]

interface Secrets {
  key: string
  password: string
  captured: string
  /** The user name and the password as HTTP Basic sends them. */
  basic: string
}

function newSecrets(): Secrets {
  const password = secretOf()
  const basic = Buffer.from(`ada:${password}`).toString('base64')
  return { key: secretOf(), password, captured: secretOf(), basic }
}

/** A request and a response that contain the secrets in URL, headers and body. */
function exchangeWith({ key, password, captured, basic }: Secrets, any: () => string) {
  const query = `access_token=${encodeURIComponent(captured)}&q=${any().replace(/[\n\s]/g, '')}`
  return {
    request: {
      method: 'POST',
      url: `https://shop.example/bot${encodeURIComponent(key)}/x?${query}`,
      headers: {
        authorization: `Basic ${basic}`,
        'x-odd': key,
        cookie: captured,
        referer: `https://a.example/?token=${encodeURIComponent(password)}`,
      },
      body: pick([
        { json: { [any()]: any(), list: [key, { text: `a ${password} b` }], refresh_token: 'r-1' } },
        { text: `a=${encodeURIComponent(key)}&client_secret=c-1` },
      ]),
    },
    answer: {
      status: 400,
      headers: {
        'set-cookie': `sid=${captured}`,
        'content-type': 'text/plain',
        location: `https://b.example/?sig=abc&code=${encodeURIComponent(password)}`,
      },
      body: pick([
        { text: `Invalid key ${key}; Bearer ${captured}` },
        {
          json: {
            error: `bad ${password}`,
            access_token: 'fresh-from-the-vendor',
            sessionToken: 'st-1',
            nextPageToken: 'page-2',
          },
        },
      ]),
    },
  }
}

/** A call whose arguments, request, response and result contain the secrets. */
function callWith(secrets: Secrets): RecordedCall {
  const { key, password, captured } = secrets
  const any = () => pick(written)(pick([key, password, captured]))
  return {
    tool: 'SHOP_GET',
    version: '20260101_00',
    arguments: {
      note: `see ${key}`,
      password: 'given-by-the-caller',
      nested: [{ api_key: 'another-of-the-caller', deep: any() }],
    },
    exchanges: [exchangeWith(secrets, any)],
    result: {
      data: { message: `bad ${any()}`, id_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh' },
      error: `Client Error - ${password}`,
      successful: false,
      statusCode: 400,
    },
  }
}

const CREDENTIALS_OF_CALLS = [
  'given-by-the-caller',
  'another-of-the-caller',
  'r-1"',
  'c-1',
  'fresh-from-the-vendor',
  'st-1',
  'eyJhbGci',
  'sid=',
]

test('recording: no credential is stored, in any place or encoding', () => {
  for (let round = 0; round < 300; round++) {
    const secrets = newSecrets()
    const { key, password, captured } = secrets
    const connection = {
      kind: 'custom',
      context: {
        scheme: { mode: 'API_KEY', manifest: { scheme: 'API_KEY' } },
        credentials: { generic_api_key: key, username: 'ada', password, access_token: captured },
        sharedCredentials: {},
        authConfigCredentials: {},
        redirectUri: '',
      },
    } as unknown as ToolConnection
    const take = callWith(secrets)
    const text = formatRecording([redactCall(take, redactorFor(connection))])
    for (const secret of Object.values(secrets))
      for (const form of [
        ...written,
        (one: string) => JSON.stringify(JSON.stringify(one).slice(1, -1)).slice(1, -1),
      ])
        assert.ok(!text.includes(form(secret)), `${form(secret)} in ${text}`)
    for (const credential of CREDENTIALS_OF_CALLS)
      assert.ok(!text.includes(credential), `${credential} in ${text}`)
    // A page token is no credential: without it a list could not continue.
    if (JSON.stringify(take).includes('nextPageToken')) assert.ok(text.includes('page-2'))
    assert.equal(parseRecording(text)[0]!.tool, 'SHOP_GET')
  }
})

test('calls are found by what they ask, in whatever order; secrets among the arguments do not matter', () => {
  assert.equal(
    recordingKey('a_b', { x: [{ b: 1, a: 2 }], y: undefined }),
    recordingKey('A_B', { x: [{ a: 2, b: 1 }] }),
  )
  assert.notEqual(recordingKey('A', { x: [1, 2] }), recordingKey('A', { x: [2, 1] }))
  const take = redactCall(
    {
      tool: 'A',
      version: 'x',
      arguments: { name: 'n', password: 'p-1' },
      exchanges: [],
      result: { data: { ok: 1 }, error: null, successful: true, statusCode: 200 },
    },
    (text) => text,
  )
  const recording = createReplayer([take])
  const found = { tool: { slug: 'A' } } as ResolvedTool
  assert.deepEqual(recording.replayResult!(found, { password: 'p-2', name: 'n' }).data, { ok: 1 })
  assert.deepEqual(redactArguments({ password: 'p', page_token: 't' }), {
    password: '[redacted]',
    page_token: 't',
  })
})

test('recording: the file is private and grows over starts; an unusable file is reported at the start', async (t) => {
  const folder = await temporaryDirectory(t)
  const recordFile = join(folder, 'tape.jsonl')
  const NONE = { recordFile: undefined, recordProject: undefined, replayFile: undefined }
  const failures: unknown[] = []
  const log = { error: (failure: unknown) => void failures.push(failure) } as never
  const execution = (projectId: string) => ({ projectId, arguments: { a: 1 } }) as unknown as ToolCall
  const take = (recording: ReturnType<typeof createRecorder>, projectId: string) =>
    recording.startRecording!(execution(projectId))?.finish(
      { tool: { slug: 'A' }, version: 'x' } as ResolvedTool,
      { a: 1 },
      { kind: 'none' },
      { data: {}, error: null, successful: true, statusCode: null },
    )
  for (let start = 0; start < 2; start++) {
    const { recordings, about } = openRecording({ ...NONE, recordFile, recordProject: 'pr_1' }, log)!
    assert.match(about, /pr_1/)
    take(recordings, 'pr_1')
    take(recordings, 'pr_2')
  }
  await until(
    'both executions are written',
    () => existsSync(recordFile) && readFileSync(recordFile, 'utf8').trim().split('\n').length >= 3,
  )
  assert.equal(statSync(recordFile).mode & 0o777, 0o600)
  assert.deepEqual(
    parseRecording(readFileSync(recordFile, 'utf8')).map(({ tool }) => tool),
    ['A', 'A'],
  )
  assert.match(openRecording({ ...NONE, replayFile: recordFile }, log)!.about, /replaying 2 executions/)
  assert.equal(openRecording(NONE, log), undefined)
  assert.deepEqual(failures, [])
  writeFileSync(join(folder, 'bad'), '{')
  for (const settings of [
    { recordFile, replayFile: recordFile },
    { replayFile: join(folder, 'none') },
    { replayFile: join(folder, 'bad') },
    { recordFile: join(folder, 'no/such/folder') },
  ])
    assert.throws(() => openRecording({ ...NONE, ...settings }, log), StartupError)
  assert.deepEqual(
    [recordingSettings('record', ['x', '--project', 'pr_1']), recordingSettings('replay', ['x'])],
    [{ recordFile: 'x', recordProject: 'pr_1' }, { replayFile: 'x' }],
  )
  for (const [command, args] of [
    ['record', []],
    ['replay', ['a', 'b']],
    ['replay', ['a', '--project', 'p']],
  ] as const)
    assert.throws(() => recordingSettings(command, args), StartupError)
})
