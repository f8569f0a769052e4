import assert from 'node:assert/strict'
import test from 'node:test'
import { cli } from '#fixtures/cli.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    expression: { type: 'string' },
    max_results: { type: 'integer' },
    is_exact: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    owner: { type: 'object', properties: { login: { type: 'string' } }, required: ['login'] },
  },
}
const stub = ({ method }: { method: string }) => ({
  body: method === 'GET' ? { slug: 'X', input_parameters: SCHEMA } : { successful: true, data: {} },
})

test('tools execute: inputs of the tool are flags, converted by its schema', async (t) => {
  const { run } = cli(t, stub)
  const argumentsOf = async (...words: string[]) =>
    ((await run('tools', 'execute', 'X', ...words)).seen.at(-1)!.body as { arguments: unknown }).arguments
  assert.deepEqual(await argumentsOf('--expression', '6*7'), { expression: '6*7' })
  assert.deepEqual(
    await argumentsOf(
      '--max-results',
      '5',
      '--is-exact',
      '--labels',
      'a,b',
      '--labels',
      'c',
      '--owner=octocat',
    ),
    { max_results: 5, is_exact: true, labels: ['a', 'b', 'c'], owner: { login: 'octocat' } },
  )
  assert.deepEqual(
    await argumentsOf('--no-is-exact', '--expression=-1', '--arguments', '{"max_results": 1}'),
    {
      max_results: 1,
      is_exact: false,
      expression: '-1',
    },
  )
  assert.deepEqual(await argumentsOf('--max_results', '2', '--is-exact', 'false'), {
    max_results: 2,
    is_exact: false,
  })
})

test('tools execute: other flags stay flags of the command, and without inputs the tool is not read', async (t) => {
  const { seen } = await cli(t, stub).run('tools', 'execute', 'X', '--user-id', 'ada')
  assert.deepEqual(
    seen.map(({ method, body }) => [method, body]),
    [['POST', { user_id: 'ada' }]],
  )
  const mixed = await cli(t, stub).run('tools', 'execute', 'X', '--expression', '1', '--user-id', 'ada')
  assert.deepEqual(mixed.seen.at(-1)!.body, { arguments: { expression: '1' }, user_id: 'ada' })
})

test('tools execute: a wrong input is named with the one that was meant, and nothing is executed', async (t) => {
  const { run } = cli(t, stub)
  const lines: [string[], RegExp][] = [
    [
      ['--expresion', '1'],
      /--expresion is not an input of X\. Did you mean --expression\?\nfix: Its inputs are --expr/,
    ],
    [['--max-results', 'many'], /--max-results takes a number, not "many"/],
    [['--expression'], /--expression has no value/],
    [['--expression', '1', '--expression', '2'], /--expression is set 2 times/],
    [['6*7'], /"6\*7" is not a flag/],
  ]
  for (const [words, expected] of lines) {
    const { code, err, seen } = await run('tools', 'execute', 'X', ...words)
    assert.deepEqual([code, seen.map(({ method }) => method)], [2, ['GET']], words.join(' '))
    assert.match(err, expected)
  }
})

test('tools execute: an unknown tool is the error of the API', async (t) => {
  const error = { message: 'Tool X not found. Did you mean Y?', slug: 'Tool_ToolNotFound' }
  const { code, err } = await cli(t, { status: 404, body: { error } }).run(
    'tools',
    'execute',
    'X',
    '--expression',
    '1',
  )
  assert.equal(code, 1)
  assert.match(err, /Did you mean Y\?/)
})
