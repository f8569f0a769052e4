import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '#fixtures/server-process.ts'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { formatRecording, type RecordedCall } from '../../engine/index.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { tryToolkit } from './try-toolkit.ts'

async function attempt(cwd: string, ...args: string[]) {
  let text = ''
  const code = await tryToolkit({
    args,
    cwd,
    out: {
      write: (chunk) => {
        text += String(chunk)
        return true
      },
    },
  })
  return { code, text }
}

const answered = async (cwd: string, ...args: string[]) =>
  JSON.parse((await attempt(cwd, ...args, '--json')).text) as Record<string, any>

test('toolkits try: an included tool prints request, response and result, with example or own arguments', async () => {
  const { code, text } = await attempt(
    '/',
    'github',
    'GITHUB_CREATE_AN_ISSUE',
    '-a',
    '{"owner":"o","repo":"r","title":"It rains in"}',
  )
  assert.equal(code, 0)
  for (const expected of [
    '→ POST https://api.github.com/repos/o/r/issues',
    'authorization: [redacted]',
    '"title": "It rains in"',
    '← 200 OK',
    '✓ successful',
  ])
    assert.ok(text.includes(expected), expected)
  const done = await answered('/', 'SLACK', 'slack_send_message')
  assert.deepEqual(
    [done['tool'], done['successful'], done['exchanges'].length, done['exchanges'][0].request.method],
    ['SLACK_SEND_MESSAGE', true, 1, 'POST'],
  )
  assert.ok(!text.includes('simulated-token'))
})

test('toolkits try: a tool that fails prints the error of the application and exits with 5', async () => {
  const { code, text } = await attempt(
    '/',
    'github',
    'GITHUB_GET_AN_ISSUE',
    '-a',
    '{"owner":"o","repo":"r","issue_number":9999}',
  )
  assert.equal(code, 5)
  assert.match(text, /← 404 Not Found[^]*✗ failed: 404 Client Error: Not Found - There is no issue 9999\./)
  const { code: refused, text: why } = await attempt(
    '/',
    'github',
    'GITHUB_GET_AN_ISSUE',
    '-a',
    '{"owner":"o"}',
  )
  assert.equal(refused, 5)
  assert.match(why, /✗ failed: Invalid arguments: repo: is required/)
})

test('toolkits try: a folder runs with its own simulation, and problems are listed like those of lint', async (t) => {
  const folder = await temporaryDirectory(t)
  for (const [slug, tools] of [
    ['shop', [sampleTool()]],
    ['broken', [{}]],
  ] as const) {
    mkdirSync(join(folder, slug))
    writeFileSync(join(folder, slug, 'toolkit.json'), JSON.stringify(sampleToolkit()))
    writeFileSync(join(folder, slug, 'tools.json'), JSON.stringify({ tools }))
  }
  writeFileSync(
    join(folder, 'shop', 'simulation.json'),
    JSON.stringify({ types: { order: { seeds: [{ id: 'o-7' }] } } }),
  )
  writeFileSync(join(folder, 'args.json'), '{"id":"o-7"}')
  const done = await answered(folder, './shop', 'SHOP_GET_ORDER', '--arguments', '@args.json')
  assert.deepEqual([done['successful'], done['data'].id], [true, 'o-7'])
  assert.match(done['exchanges'][0].request.url, /\.shop\.example\/orders\/o-7$/)
  const broken = await attempt(folder, 'broken', 'X')
  assert.equal(broken.code, 1)
  assert.match(broken.text, /✗ broken\/tools\.json/)
  writeFileSync(join(folder, 'shop', 'simulation.json'), '{"tool":1}')
  await assert.rejects(
    attempt(folder, 'shop', 'SHOP_GET_ORDER'),
    (error: Error) => error instanceof StartupError && /simulation\.json/.test(error.message),
  )
})

test('toolkits try: a recording replaces the simulation, and names a call that it lacks', async (t) => {
  const folder = await temporaryDirectory(t)
  const take: RecordedCall = {
    tool: 'GITHUB_GET_AN_ISSUE',
    version: '20261121_00',
    arguments: { repo: 'r', owner: 'o', issue_number: 3 },
    result: { data: {}, error: null, successful: true, statusCode: 200 },
    exchanges: [
      {
        request: { method: 'GET', url: 'https://api.github.com/repos/o/r/issues/3', headers: {} },
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: { json: { number: 3, title: 'From the tape' } },
        },
      },
    ],
  }
  writeFileSync(join(folder, 'tape.jsonl'), formatRecording([take]))
  const done = await answered(
    folder,
    'github',
    'GITHUB_GET_AN_ISSUE',
    '--recording',
    'tape.jsonl',
    '-a',
    '{"issue_number":3,"owner":"o","repo":"r"}',
  )
  assert.deepEqual([done['against'], done['data']], ['cassette', { number: 3, title: 'From the tape' }])
  const refused = (args: string[], said: RegExp) =>
    assert.rejects(
      attempt(folder, ...args),
      (error: Error) =>
        error instanceof StartupError && error.exitCode === 2 && said.test(`${error.message} ${error.fix}`),
    )
  await refused(
    [
      'github',
      'GITHUB_GET_AN_ISSUE',
      '--recording',
      'tape.jsonl',
      '-a',
      '{"issue_number":4,"owner":"o","repo":"r"}',
    ],
    /no call of GITHUB_GET_AN_ISSUE with these arguments/,
  )
  for (const [text, said] of [
    ['', 'no execution'],
    ['{', 'line 1 is not JSON'],
    ['[1]', 'no object'],
    ['{"patchbay_cassette":2}', 'format 2'],
    ['{"tool":"x"}', 'slug of a tool'],
    ['{"tool":"X"}', 'result must have'],
    ['{"tool":"X","exchanges":[{}],"result":{}}', 'exchanges must'],
  ] as const) {
    writeFileSync(join(folder, 'bad.jsonl'), text)
    await refused(['github', 'GITHUB_GET_AN_ISSUE', '--recording', 'bad.jsonl'], new RegExp(said))
  }
})

test('toolkits try: incorrect usage exits with 2 and a fix', async () => {
  const ROWS: readonly [args: string[], said: RegExp][] = [
    [[], /a toolkit and a tool/],
    [['github'], /a toolkit and a tool/],
    [['nowhere', 'X'], /Toolkit nowhere does not exist/],
    [['../etc', 'X'], /does not exist/],
    [['github', 'GITHUB_CREATE_ISSUE'], /GITHUB_CREATE_AN_ISSUE/],
    [['github', 'X', '--what'], /what/],
    [['github', 'GITHUB_GET_AN_ISSUE', '-a', '{'], /not valid JSON/],
    [['github', 'GITHUB_GET_AN_ISSUE', '-a', '[]'], /JSON object/],
    [['github', 'GITHUB_GET_AN_ISSUE', '-a', '@none.json'], /cannot be read \(ENOENT\)/],
  ]
  for (const [args, said] of ROWS)
    await assert.rejects(
      attempt('/', ...args),
      (error: Error) =>
        error instanceof StartupError && error.exitCode === 2 && said.test(`${error.message} ${error.fix}`),
      args.join(' '),
    )
})
