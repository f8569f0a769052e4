import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Type } from '../../src/contract/schema-type.ts'
import { routes } from '../../src/contract/index.ts'
import type { Route } from '../../src/contract/route.ts'
import type { Call } from '../../src/platform/http/call.ts'
import { EXAMPLES, type Example } from './examples/index.ts'
import { declaredPaths, inputRecorder } from './input-recorder.ts'
import { MORE_CALLS, UNREAD_INPUTS } from './unread-inputs.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { world } from './world.ts'

/** For an operation without an example, for which replies.test.ts fails. */
const NO_INPUT: Example = () => ({})
const ROOT = join(import.meta.dirname, '../..')
/** Code behind the routes. The contract, the command line and the console only write the names. */
const SOURCES = globSync('src/{features,engine,catalog,auth-schemes,platform,sandbox,app}/**/*.ts', {
  cwd: ROOT,
})
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))

const words = new Set(SOURCES.flatMap((text) => text.match(/\w+/g) ?? []))

const declaredOf = (route: Route): string[] => [
  ...declaredPaths(route.query, 'query'),
  ...declaredPaths(route.body, 'body'),
]

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))

/**
 * Returns the declared inputs that nothing reads. An input is read by name in a call; or its object was copied as a
 * whole, or was not in any call, and then its name has to occur in the code.
 */
function unreadInputs(
  declared: readonly string[],
  { read, copied, sent }: ReturnType<typeof inputRecorder>['recorded'],
): string[] {
  const isCopied = (path: string): boolean =>
    copied.has(path) || (path.includes('.') && isCopied(parentOf(path)))
  return declared.filter((path) => {
    if (read.has(path)) return false
    if (sent.has(parentOf(path)) && !isCopied(parentOf(path))) return true
    return !words.has(path.slice(path.lastIndexOf('.') + 1))
  })
}

test('inputs: code reads every declared query parameter and body field, or the reason is listed', async (t) => {
  const recorders = new Map(routes.map((route) => [route.id, inputRecorder()]))
  const w = await world(t, {
    observeCall(route, call) {
      const recorder = recorders.get(route.id) as ReturnType<typeof inputRecorder>
      const observed = Object.create(
        Object.getPrototypeOf(call),
        Object.getOwnPropertyDescriptors(call),
      ) as Call<Route>
      observed.query = recorder.observe(call.query, route.query, 'query')
      observed.body = recorder.observe(call.body, route.body, 'body')
      return observed
    },
  })
  for (const route of routes) {
    for (const make of [EXAMPLES[route.id] ?? NO_INPUT, ...(MORE_CALLS[route.id] ?? [])]) {
      // An organization has one demo project.
      await w.app.db.run(sql`update projects set deleted_at = now() where is_demo`)
      const example = await make(w)
      const reply = await w.send(route, 'v3.1', {
        ...example,
        headers: { ...w.credentials(route), ...example.headers },
      })
      assert.ok(reply.status < 500 || reply.status === 501, `${route.id}: ${reply.text.slice(0, 300)}`)
    }
  }
  const unread = routes.flatMap((route) =>
    unreadInputs(
      declaredOf(route),
      (recorders.get(route.id) as ReturnType<typeof inputRecorder>).recorded,
    ).map((path) => `${route.id} ${path}`),
  )
  assert.deepEqual(
    unread.filter((name) => !Object.hasOwn(UNREAD_INPUTS, name)),
    [],
    'inputs that nothing reads',
  )
  assert.deepEqual(
    Object.keys(UNREAD_INPUTS).filter((name) => !unread.includes(name)),
    [],
    'exceptions that are not needed',
  )
})

test('inputs: the check finds a field that nothing reads, also in objects of lists, or only copied', () => {
  const schema = Type.Object({
    zzunread: Type.Optional(Type.String()),
    name: Type.String(),
    list: Type.Array(Type.Object({ id: Type.String(), zzitem: Type.Optional(Type.String()) })),
    options: Type.Object({ zzcopied: Type.String(), name: Type.String() }),
  })
  const recorder = inputRecorder()
  const body = recorder.observe(
    { name: 'a', list: [{ id: '1' }], options: { zzcopied: 'x', name: 'b' } },
    schema,
    'body',
  ) as { name: string; list: { id: string }[]; options: object }
  assert.deepEqual([body.name, body.list.map(({ id }) => id)], ['a', ['1']])
  assert.deepEqual({ ...body.options }, { zzcopied: 'x', name: 'b' })
  assert.deepEqual(unreadInputs(declaredPaths(schema, 'body'), recorder.recorded), [
    'body.zzunread',
    'body.list[].zzitem',
    'body.options.zzcopied',
  ])
})
