import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const LOG_CALL = /\blog\??\.(?:fatal|error|warn|info|debug|trace)\(\s*\{([^{}]*)\}/g
/** A field of an object literal that has a name, with or without a value. Spread values have none. */
const FIELD = /(?:^|,)\s*([a-z_A-Z]+)\s*(?=[:,]|$)/g
/** Written by the logger itself, or only while traces are recorded. */
const ALWAYS = ['level', 'time', 'msg', 'trace_id', 'span_id']

function fieldsOfLogCalls(): Set<string> {
  const sources = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|src\/(console|cli)\//.test(file))
  const fields = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LOG_CALL)].flatMap(([, literal = '']) =>
      [...literal.matchAll(FIELD)].map(([, name = '']) => name),
    ),
  )
  return new Set(fields)
}

test('log: every field of a log line is in the table of the guide, and the table has no other', () => {
  const guide = readFileSync('docs/guides/observability.md', 'utf8')
  const rows = guide.slice(guide.indexOf('## Log fields')).match(/^\| `.*?\|/gm) ?? []
  const documented = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const used = fieldsOfLogCalls()
  assert.ok(used.size > 10, 'the log calls were found')
  assert.deepEqual(
    [...used].filter((name) => !documented.includes(name)),
    [],
    'not in the guide',
  )
  // Fields of the job queue and of the statistics of polls come from objects.
  const fromObjects = ['delivery_id', 'stalled', 'lag_s']
  assert.deepEqual(
    documented.filter((name) => !used.has(name) && ![...ALWAYS, ...fromObjects].includes(name)),
    [],
    'not in the source',
  )
})
