import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import { listProjects } from '../../src/contract/projects/index.ts'
import { API_VERSIONS, type Route } from '../../src/contract/route.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { envelope } from './send.ts'
import { insertRows } from './paging-rows.ts'
import { world } from './world.ts'

const membersOf = (schema: unknown) =>
  (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {}
// Mounts, users, deliveries and the history of an account have cursors of their own, and no total. The accounts of
// an incident are next to its other fields. The pages of these lists are tested with their features. An export of the
// audit log adds an entry to it.
const OTHERS = [
  'audit.export',
  'audit.exportOrganization',
  'connectedAccounts.history',
  'incidents.read',
  'sessions.mountItems',
  'users.list',
  'webhooks.deliveries',
]
const lists = routes.filter(({ id, query }) => 'cursor' in membersOf(query) && !OTHERS.includes(id))
const cursor = (text: string) => Buffer.from(text).toString('base64')
const itemsOf = (body: Record<string, unknown>) =>
  (body['items'] ?? body['data']) as Record<string, unknown>[]

const VALID_QUERIES = [
  '',
  'limit=',
  'limit=&cursor=',
  'limit=1',
  'limit=1000',
  'limit=9999',
  'limit=999999999999',
  'limit=1e999',
  `cursor=${cursor('1-9999')}`,
  `cursor=${cursor('2-20')}`,
]
/** Invalid queries, and the field of the error. */
const INVALID_QUERIES = [
  ['limit=0', 'query.limit'],
  ['limit=-1', 'query.limit'],
  ['limit=abc', 'query.limit'],
  ['limit=1.5', 'query.limit'],
  ['limit=1&limit=2', 'query.limit'],
  ['cursor=abc', 'query.cursor'],
  [`cursor=${cursor('0-20')}`, 'query.cursor'],
  [`cursor=${cursor('1-0')}`, 'query.cursor'],
  [`cursor=${cursor('2')}`, 'query.cursor'],
  [`cursor=${cursor('-1-20')}`, 'query.cursor'],
  [`cursor=${cursor('99999999-20')}`, 'query.cursor'],
  [`cursor=${'a'.repeat(600)}`, 'query.cursor'],
  ['cursor[a]=b', 'query.cursor'],
] as const

test('lists: any limit from 1 is accepted, an empty one is absent, other limits and cursors are 400', async (t) => {
  const w = await world(t)
  assert.deepEqual(lists.map(({ id }) => id).sort(), [
    'approvals.decisions',
    'approvals.list',
    'audit.list',
    'audit.listOrganization',
    'authConfigs.list',
    'budgets.list',
    'connectedAccounts.list',
    'events.list',
    'files.list',
    'incidents.list',
    'mcp.listClientGrants',
    'memories.list',
    'policies.list',
    'projects.list',
    'recipes.list',
    'sessionConfigs.list',
    'sessions.configHistory',
    'sessions.list',
    'sessions.toolkits',
    'sessions.tools',
    'toolkits.list',
    'tools.list',
    'triggerTypes.list',
    'triggers.active',
    'webhooks.list',
  ])
  for (const version of API_VERSIONS) {
    for (const route of lists) {
      const ask = (query: string) =>
        w.send(route, version, {
          query,
          params: { session_id: w.own.session },
          headers: w.credentials(route),
        })
      const what = `${route.id} on ${version}`
      for (const query of VALID_QUERIES) {
        const { status, body } = await ask(query)
        assert.equal(status, 200, `${what} with ${query}`)
        assert.ok(itemsOf(body) && body.current_page >= 1, what)
      }
      const [byDefault, empty] = [await ask(''), await ask('limit=')]
      assert.deepEqual(empty.body, byDefault.body, `${what}: an empty limit is the default`)
      for (const [query, at] of INVALID_QUERIES) {
        const reply = await ask(query)
        const { errors } = envelope(reply, `${what} with ${query}`)
        assert.ok(
          reply.status === 400 && errors.some((text) => text.startsWith(`Error in ${at}: `)),
          `${what} with ${query}: ${errors.join()}`,
        )
      }
    }
  }
})

test('pages follow each other by cursor, each item once, and the cursor is base64 of page and limit', async (t) => {
  const w = await world(t)
  await insertRows(w)
  for (const version of API_VERSIONS) {
    for (const route of lists.filter(({ id }) => id !== 'tools.list')) {
      const ask = async (query: object) =>
        (
          await w.send(route, version, {
            query: { ...query },
            params: { session_id: w.own.session },
            headers: w.credentials(route),
          })
        ).body
      const whole = await ask({ limit: 1000 })
      assert.ok(whole.total_items > 3, `${route.id} has several pages`)
      assert.deepEqual([whole.total_pages, whole.current_page, whole.next_cursor], [1, 1, null])
      const seen: unknown[] = []
      let page = await ask({ limit: 2 })
      for (let number = 1; ; number++) {
        assert.deepEqual(
          [page.total_items, page.total_pages, page.current_page],
          [whole.total_items, Math.ceil(whole.total_items / 2), number],
        )
        seen.push(...itemsOf(page))
        if (page.next_cursor === null) break
        const text = Buffer.from(page.next_cursor, 'base64').toString()
        assert.match(text, new RegExp(`^${number + 1}-2(-\\[.+\\])?$`))
        page = await ask({ cursor: page.next_cursor, limit: 7 }) // the cursor's own limit wins
      }
      assert.deepEqual(seen.map(idOf), itemsOf(whole).map(idOf), route.id)
    }
  }
})

const idOf = (item: unknown) => {
  const { id, session_id, slug, filename, version } = item as {
    id?: string
    session_id?: string
    slug?: string
    filename?: string
    version?: number
  }
  return id ?? session_id ?? slug ?? filename ?? version
}

/** Lists of the catalogue, which only an import or an upgrade changes. Their cursors have no position. */
const OF_THE_CATALOG = [
  'sessions.toolkits',
  'sessions.tools',
  'toolkits.list',
  'tools.list',
  'triggerTypes.list',
]

test('lists: rows that are added while a client reads page after page are no reason to lose or repeat one', async (t) => {
  const w = await world(t)
  await insertRows(w)
  const ofRows = lists.filter(({ id }) => !OF_THE_CATALOG.includes(id))
  const read = async (route: Route, query: object) => {
    const params = { session_id: w.own.session }
    const { body, status } = await w.send(route, 'v3.1', {
      query: { ...query },
      params,
      headers: w.credentials(route),
    })
    assert.equal(status, 200, `${route.id}: ${JSON.stringify(body)}`)
    return body
  }
  const before = new Map<string, unknown[]>()
  const first = new Map<string, Record<string, any>>()
  for (const route of ofRows) {
    before.set(route.id, itemsOf(await read(route, { limit: 1000 })).map(idOf))
    first.set(route.id, await read(route, { limit: 2 }))
  }
  await insertRows(w, 'b')
  for (const route of ofRows) {
    let page = first.get(route.id)!
    const seen = itemsOf(page).map(idOf)
    for (let pages = 1; page.next_cursor !== null; pages++) {
      assert.ok(pages < 50, `${route.id} has no end`)
      page = await read(route, { cursor: page.next_cursor })
      seen.push(...itemsOf(page).map(idOf))
    }
    assert.deepEqual(seen, [...new Set(seen)], `${route.id} repeats nothing`)
    const old = new Set(before.get(route.id))
    assert.deepEqual(
      seen.filter((id) => old.has(id)),
      before.get(route.id),
      `${route.id} loses nothing`,
    )
  }
})

test('lists: a cursor of another list, or with values of another type, is 400', async (t) => {
  const w = await world(t)
  const route = lists.find(({ id }) => id === 'authConfigs.list') as Route
  for (const position of ['[]', '["a"]', '["a","b"]', '["1","b","c"]', '["99999999999999999","b"]']) {
    const query = { cursor: cursor(`2-20-${position}`) }
    const reply = await w.send(route, 'v3', { query, headers: w.credentials(route) })
    assert.equal(reply.status, 400, position)
    assert.match(
      envelope(reply, position).errors.join(),
      /^Error in query\.cursor: is not a cursor of this list/,
    )
  }
  const text = { cursor: cursor(`2-20-${JSON.stringify(['1', "' or true --"])}`) }
  assert.equal((await w.send(route, 'v3', { query: text, headers: w.credentials(route) })).status, 200)
})

test('a limit above 1000 is read as 1000, and without one a page has 20', async (t) => {
  const w = await world(t)
  const first = await w.app.db.one<{ id: string }>(
    sql`select organization_id as id from projects where id = ${w.keys.projectId}`,
  )
  await w.app.db.run(
    sql`insert into projects (id, organization_id, name)
        select 'proj_many' || i, ${first?.id}, 'many-' || i from generate_series(1, 1001) i`,
  )
  const startOf = (text: string | null) => /^[^[]*/.exec(Buffer.from(text!, 'base64').toString())![0]
  const { body: large } = await w.org(listProjects, { query: { limit: 9999 } })
  assert.deepEqual([large.data.length, startOf(large.next_cursor)], [1000, '2-1000-'])
  const { body: usual } = await w.org(listProjects)
  assert.deepEqual([usual.data.length, startOf(usual.next_cursor)], [20, '2-20-'])
  const { body: far } = await w.org(listProjects, { query: { cursor: cursor('5000-20') } })
  assert.deepEqual(
    [far.data, far.current_page, far.next_cursor],
    [[], 5000, null],
    'a page behind the last is empty',
  )
})

test('a list may be joined by commas, repeated, or bracketed; blanks and empty items are dropped', async (t) => {
  const w = await world(t)
  for (const version of API_VERSIONS) {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      for (const [name, { type }] of Object.entries(membersOf(route.query))) {
        if (type !== 'array') continue
        const value = {
          statuses: ['ACTIVE', 'INITIATED'],
          event_types: ['service.trigger.message', 'service.trigger.disabled'],
          auth_config_ids: [w.own.authConfig, await w.authConfig()],
        }[name] ?? ['github', 'gmail']
        const [one, other] = value
        const ask = async (query: string) =>
          await w.send(route as Route, version, {
            query,
            params: { app_key: 'github', session_id: w.own.session },
            headers: w.credentials(route),
          })
        const expected = await ask(`${name}=${one},${other}`)
        assert.equal(expected.status, 200, `${route.id} ${name}: ${expected.text.slice(0, 200)}`)
        for (const query of [
          `${name}=${one}&${name}=${other}`,
          `${name}[]=${one}&${name}[]=${other}`,
          `${name}%5B%5D=${one}&${name}%5B%5D=${other}`,
          `${name}=%20${one}%20,,${other},&${name}=`,
        ]) {
          assert.deepEqual((await ask(query)).body, expected.body, `${route.id} on ${version}: ${query}`)
        }
      }
    }
  }
})

test('an object in the query is written with brackets, its plain form stays possible', async (t) => {
  const w = await world(t)
  const [list, read] = ['tools.list', 'tools.read'].map(
    (id) => routes.find((route) => route.id === id) as Route,
  ) as [Route, Route]
  const versionOf = async (route: Route, query: string) => {
    const { status, body } = await w.send(route, 'v3', {
      params: { tool_slug: 'GMAIL_SEND_EMAIL' },
      query,
      headers: w.credentials(route),
    })
    return status === 200 ? (body.items?.[0] ?? body).version : status
  }
  const newest = await versionOf(read, 'version=latest')
  assert.match(newest, /^\d{8}_\d{2}$/)
  for (const query of [
    'toolkit_versions=latest',
    'toolkit_versions[gmail]=latest',
    `toolkit_versions%5Bgmail%5D=${newest}`,
    'toolkit_versions[github]=00000000_00&toolkit_versions[gmail]=latest',
  ]) {
    assert.equal(await versionOf(read, query), newest, query)
    assert.equal(await versionOf(list, `toolkit_slug=gmail&${query}`), newest, query)
  }
  for (const query of [
    'toolkit_versions[gmail]=newest',
    'toolkit_versions=newest',
    'toolkit_versions[gmail]=latest&toolkit_versions=latest',
  ])
    assert.equal(await versionOf(read, query), 400, query)
})
