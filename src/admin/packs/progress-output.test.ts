import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgressOutput } from './progress-output.ts'

function outputFor(isTTY: boolean, isJson: boolean) {
  const said = { out: '', err: '' }
  let now = 0
  const output = createProgressOutput({
    out: {
      write(text: string) {
        said.out += text
        return true
      },
    },
    err: {
      isTTY,
      write(text: string) {
        said.err += text
        return true
      },
    },
    isJson,
    now: () => now,
  })
  output.step('unpacking')
  for (const [at, done] of [
    [0, 0],
    [50, 1],
    [30_000, 5],
    [60_000, 10],
  ] as const) {
    now = at
    output.progress({ done, all: 10, bytesDone: done * 100, bytesAll: 1_000, tools: done * 1_000 })
  }
  output.end()
  return said
}

test('catalog add: progress is a bar on terminals, otherwise lines, or JSON', () => {
  assert.deepEqual(outputFor(true, false), {
    out: '',
    err:
      '  … unpacking\n' +
      `\r\u001b[2K  ${'░'.repeat(28)} 0 of 10 APIs, 0 tools` +
      `\r\u001b[2K  ${'█'.repeat(14)}${'░'.repeat(14)} 5 of 10 APIs, 5,000 tools, 0:30 left\r\u001b[2K  ` +
      `${'█'.repeat(28)} 10 of 10 APIs, 10,000 tools\n`,
  })
  assert.deepEqual(outputFor(false, false), {
    out: '',
    err:
      '  … unpacking\n  … 0 of 10 APIs, 0 tools\n  … 5 of 10 APIs, 5,000 tools, 0:30 left\n  … 10 of 10 ' +
      'APIs, 10,000 tools\n',
  })
  const lines = outputFor(true, true)
  assert.equal(lines.err, '')
  assert.deepEqual(
    lines.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    [
      { event: 'step', text: 'unpacking' },
      { event: 'progress', done: 0, all: 10, bytesDone: 0, bytesAll: 1_000, tools: 0 },
      { event: 'progress', done: 5, all: 10, bytesDone: 500, bytesAll: 1_000, tools: 5_000, secondsLeft: 30 },
      {
        event: 'progress',
        done: 10,
        all: 10,
        bytesDone: 1_000,
        bytesAll: 1_000,
        tools: 10_000,
        secondsLeft: 0,
      },
    ],
  )
})
