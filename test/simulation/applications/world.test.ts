import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources, type ErrorMeaning } from '../../../src/catalog/index.ts'
import { responseMeaning } from '../../../src/engine/http/provider-response.ts'
import {
  Application,
  type Notes,
  notesFrom,
  type WireRequest,
} from '../../../simulation/applications/index.ts'
import { createFixture } from './fixture.ts'

const { catalog, world, run, exchanged } = await createFixture()
const wire = (method: string, url: string, body = '', headers: Record<string, string> = {}): WireRequest => ({
  method,
  url,
  headers,
  body: Buffer.from(body),
})
const WITHOUT = /^(authorization|x-.*(token|key).*|api-key|private-token)$/

/** The others have accounts and raw requests only. */
const toolkitsWithTools = catalog.toolkits.filter(({ tools }) => tools.length > 0)

test('every toolkit: a request without its credentials is rejected in the format of the vendor', async () => {
  for (const toolkit of toolkitsWithTools.filter(({ noAuth }) => !noAuth)) {
    const application = world.applications.get(toolkit.slug)!
    application.reset()
    const first = toolkit.tools
      .map(({ slug }) => catalog.tool(slug, 'latest')!)
      .find(({ tool }) => tool.request && !tool.noAuth)!
    await run(first.tool.slug, application.exampleArguments(first.tool.slug, 'required', first.tool.input))
    const { request } = exchanged[0]!
    const [address = '', query = ''] = request.url.split('?')
    const bare = {
      ...request,
      url: `${address}?${query
        .split('&')
        .filter((pair) => !/^(key|token|access_token)=/.test(pair))
        .join('&')}`,
      headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !WITHOUT.test(name))),
    }
    const reply = application.handle(bare)
    // A URL that contains the key is no URL without it.
    const isInAddress = toolkit.manifest.base_url?.includes('generic_api_key')
    const meaning = responseMeaning(first, { status: reply.status, headers: reply.headers, body: reply.json })
    if (!isInAddress)
      assert.ok(meaning === 'reauth' || reply.status === 401, `${toolkit.slug}: ${JSON.stringify(reply)}`)
  }
})

test('failure injection: the engine classifies a failure as it was set, with a reason', async () => {
  for (const toolkit of toolkitsWithTools.filter(({ local }) => !local)) {
    const application = world.applications.get(toolkit.slug)!
    const { tool } = toolkit.tools
      .map(({ slug }) => catalog.tool(slug, 'latest')!)
      .find((one) => one.tool.request && one.tool.effect === 'read')!
    for (const meaning of ['not_found', 'invalid', 'permission'] as const satisfies ErrorMeaning[]) {
      application.reset()
      application.fail({ meaning, left: 1 })
      const args = application.exampleArguments(tool.slug, 'required', tool.input)
      const refused = await run(tool.slug, args)
      assert.deepEqual(
        [
          refused.successful,
          /set to answer|simulation/.test(refused.error ?? '') || (refused.error ?? '').length > 2,
        ],
        [false, true],
        `${toolkit.slug} ${meaning}: ${refused.error}`,
      )
      assert.equal((await run(tool.slug, args)).successful, true, `${toolkit.slug} continues`)
    }
  }
})

const TOOLKIT = {
  slug: 'notes_app',
  name: 'Notes',
  description: 'An application that exists only here.',
  categories: ['productivity'],
  created: '2026-11-21',
  releases: [{ version: '20261121_00', changes: 'First release.' }],
  base_url: 'https://notes.example.org',
  auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
}
const note = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Id.' },
    title: { type: 'string', description: 'Title.' },
    tags: { type: 'array', description: 'Tags.', items: { type: 'string' } },
  },
}
const id = { type: 'string', description: 'Id of the note.', examples: ['note-1'] }
const described = 'A tool of an application that exists only here.'
const TOOLS = [
  {
    slug: 'NOTES_APP_LIST_NOTES',
    name: 'List',
    description: described,
    effect: 'read',
    input: {
      type: 'object',
      properties: {
        per_page: { type: 'integer', description: 'How many.' },
        after: { type: 'string', description: 'Where to continue.' },
        q: { type: 'string', description: 'Words.' },
      },
    },
    output: {
      type: 'object',
      properties: {
        notes: { type: 'array', description: 'Notes.', items: note },
        next: { type: ['string', 'null'], description: 'Next.' },
        total: { type: 'integer', description: 'All.' },
      },
    },
    request: { method: 'GET', path: '/notes', query: ['per_page', 'after', 'q'] },
    pagination: { by: 'cursor', argument: 'after', items: 'notes', next: 'next' },
  },
  {
    slug: 'NOTES_APP_CREATE_NOTE',
    name: 'Create',
    description: described,
    effect: 'create',
    input: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Title.' },
        tags: { type: 'array', description: 'Tags.', items: { type: 'string' } },
      },
      required: ['title'],
    },
    output: note,
    request: { method: 'POST', path: '/notes', body: ['title', 'tags'] },
  },
  {
    slug: 'NOTES_APP_DELETE_NOTE',
    name: 'Delete',
    description: described,
    effect: 'delete',
    input: { type: 'object', properties: { note_id: id }, required: ['note_id'] },
    output: { type: 'object', properties: {} },
    request: { method: 'DELETE', path: '/notes/{note_id}' },
  },
]

function notesApp(notes: Notes = {}) {
  const [toolkit] = catalogFromSources([
    {
      slug: 'notes_app',
      toolkit: TOOLKIT,
      tools: { tools: TOOLS },
      icon: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
  ]).toolkits
  const application = new Application(toolkit!, TOOLS as never, notes)
  const call = (method: string, path: string, body?: unknown) =>
    application.handle(
      wire(method, `https://notes.example.org${path}`, body === undefined ? '' : JSON.stringify(body), {
        'x-key': 'k',
      }),
    )
  return {
    application,
    call,
    list: (query = '') =>
      call('GET', `/notes${query}`).json as {
        notes: { id: string; title: string }[]
        next: string | null
        total: number
      },
  }
}

test('a list continues as its manifest says, shows each object once, and ends', () => {
  const { call, list } = notesApp()
  for (let number = 1; number <= 7; number++)
    call('POST', '/notes', { title: `Alpha ${number}`, tags: ['a', 'b'] })
  const seen: string[] = []
  let query = '?per_page=2'
  for (let pages = 0; pages < 20; pages++) {
    const { notes, next, total } = list(query)
    assert.ok(notes.length <= 2 && total === 9)
    seen.push(...notes.map((one) => one.id))
    if (!next) break
    query = `?per_page=2&after=${next}`
  }
  assert.deepEqual([seen.length, new Set(seen).size], [9, 9])
  assert.deepEqual(list('?q=alpha%20tag%3Ax').notes.length, 7)
  assert.ok(list('?q=nowhere').notes.length === 0)
})

test('the same calls have the same responses, a reset forgets, and there is a bound', () => {
  const outcome = () => {
    const { call, list } = notesApp()
    call('POST', '/notes', { title: 'One' })
    call('DELETE', '/notes/note-1')
    return list()
  }
  assert.deepEqual(outcome(), outcome())
  const { application, call, list } = notesApp()
  const before = list()
  for (let number = 0; number <= 10_000; number++)
    if (call('POST', '/notes', { title: 'x' }).status >= 400) break
  assert.equal(call('POST', '/notes', { title: 'x' }).status, 400)
  application.reset()
  assert.deepEqual(list(), before)
})

test('every request gets a response', () => {
  const { application } = notesApp()
  const BODIES = [
    '',
    '{',
    'null',
    '[]',
    '{"title":',
    '{"__proto__":{"a":1},"title":"x"}',
    `{"title":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    '{"title":{"a":1}}',
    '\0',
    'ÿ'.repeat(1_000),
  ]
  const PATHS = [
    '/notes',
    '/notes/%',
    '/notes/%ff',
    '/notes?per_page=-1&after=x',
    '/notes?per_page=1e9&after=after-99999999999999999999',
    '/notes?q=%00',
    '/notes?a[b][c]=1',
    '//',
    '/notes/../../etc',
    `/${'a/'.repeat(2_000)}`,
  ]
  for (const path of PATHS) {
    for (const body of BODIES) {
      for (const method of ['GET', 'POST', 'DELETE', 'BREW']) {
        const { status } = application.handle(
          wire(method, `https://notes.example.org${path}`, body, {
            'x-key': 'k',
            'content-type': 'multipart/form-data; boundary=(',
          }),
        )
        assert.ok(status >= 200 && status < 500)
      }
    }
  }
  assert.equal(({} as { a?: number }).a, undefined)
})

test('an invalid simulation.json is rejected with the file and the fault', () => {
  for (const [text, said] of [
    ['{', 'not JSON'],
    ['[]', 'no object'],
    ['{"tool":{}}', 'the key tool'],
    ['{"tools":[]}', 'tools must be an object'],
    ['{"__proto__":{}}', '__proto__'],
    [`${'{"tools":'.repeat(100)}{}${'}'.repeat(100)}`, 'nested deeper'],
  ] as const) {
    assert.throws(
      () => notesFrom(text, 'x/simulation.json'),
      (error: Error) => error.message.includes('x/simulation.json') && error.message.includes(said),
      text.slice(0, 40),
    )
  }
})
