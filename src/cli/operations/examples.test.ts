import assert from 'node:assert/strict'
import test from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { commandLine } from '#fixtures/cli-app.ts'
import { routes } from '../../contract/index.ts'
import { exampleOf } from './example.ts'
import { EXAMPLES } from './examples.ts'
import { toOperation } from './operations.ts'

/** An example with an id finds nothing in an empty project. Everything else in it must be right. */
const hasInventedId = (line: string): boolean => /_7hQ2vLk9TmXa/.test(line)

test('cli: the written examples of the help succeed as printed', async (t) => {
  const run = commandLine(t, await testApp(t))
  for (const [id, line] of Object.entries(EXAMPLES)) {
    const { code, text } = await run(line)
    if (id === 'tools.input') assert.match(text, /no language model/) // the server has none in this test
    else if (hasInventedId(line)) assert.match(text, /HTTP 404/, `${id}: ${line}\n${text}`)
    else assert.equal(code, 0, `${id}: ${line}\n${text}`)
  }
})

test('cli: the generated examples of the help are correct command lines', async (t) => {
  const run = commandLine(t, await testApp(t))
  for (const operation of routes.filter(({ id }) => !EXAMPLES[id]).map(toOperation)) {
    const line = exampleOf(operation)
    if (/@\S+\.json/.test(line) || operation.group === 'events') continue // a file of the reader; an endless stream
    const { code, text } = await run(line)
    assert.notEqual(code, 2, `${line}\n${text}`)
  }
})
