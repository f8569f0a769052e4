import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { cli } from '#fixtures/cli.ts'
import { commandLine } from '#fixtures/cli-app.ts'
import { createSession } from '../../contract/sessions/index.ts'

test('projects export: writes a complete file, which --check accepts, and a changed one it rejects', async (t) => {
  const s = await testApp(t)
  for (const user_id of ['user-1', 'user-2']) await s.call(createSession, { body: { user_id } })
  const run = commandLine(t, s)
  const { code, text, cwd } = await run('patchbay projects export all.ndjson')
  assert.equal(code, 0, text)
  const file = join(cwd, 'all.ndjson')
  const lines = readFileSync(file, 'utf8').split('\n')
  assert.match(text, new RegExp(`^all\\.ndjson: ${lines.length - 2} rows, complete$`, 'm'))
  assert.equal(existsSync(`${file}.part`), false)
  assert.equal((await run('patchbay projects export all.ndjson --check')).code, 0)

  const variants: [name: string, lines: string[], why: RegExp][] = [
    ['without its end', [...lines.slice(0, -2), ''], /without a line of the type "end"/],
    ['without a row', lines.slice(1), /0 rows of projects, and its last line counts 1/],
    ['with moved rows', [lines[1]!, lines[0]!, ...lines.slice(2)], /a line was changed, added or moved/],
    ['with half a line', [lines[0]!.slice(0, 20), ...lines.slice(1)], /line 1 is not JSON/],
    ['with another line', [...lines.slice(0, -1), lines[0]!, ''], /continues after its last line/],
  ]
  for (const [name, changed, why] of variants) {
    writeFileSync(file, changed.join('\n'))
    const checked = await run('patchbay projects export all.ndjson --check')
    assert.equal(checked.code, 1, name)
    assert.match(checked.text, why, name)
  }
})

test('projects export: an interrupted export leaves a file with the ending .part', async (t) => {
  let pages = 0
  const c = cli(t, () =>
    pages++ === 0
      ? { body: { content: '{"type":"sessions","row":{}}\n', next_cursor: 'next' } }
      : { status: 503, body: { error: { message: 'The server is stopping.' } } },
  )
  const { code, err, seen } = await c.run('projects', 'export', 'all.ndjson')
  assert.equal(code, 4)
  assert.match(err, /The server is stopping/)
  assert.deepEqual(
    seen.map(({ body }) => (body as { cursor: string | null }).cursor),
    [null, 'next'],
  )
  assert.deepEqual(
    ['all.ndjson', 'all.ndjson.part'].map((name) => existsSync(join(c.cwd, name))),
    [false, true],
  )
})

test('projects export: an existing file is not overwritten, and nothing is requested', async (t) => {
  const c = cli(t)
  writeFileSync(join(c.cwd, 'all.ndjson'), 'x')
  const { code, seen } = await c.run('projects', 'export', 'all.ndjson')
  assert.deepEqual([code, seen.length, readFileSync(join(c.cwd, 'all.ndjson'), 'utf8')], [2, 0, 'x'])
})
