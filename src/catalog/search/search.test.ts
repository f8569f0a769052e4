import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SearchToolkit } from './segments/document.ts'
import { find, FOUND_MAX, partOf } from './engine.ts'
import { readQuery } from './query/query.ts'
import { buildSegment } from './segments/segment.ts'
import { CHAT, CODE, MAIL, sampleDocument, sampleSearchToolkit } from '#fixtures/search-index.ts'
import { createToolSearch, indexOf } from './tool-search.ts'
import { EMPTY_VECTORS } from './ranking/vectors.ts'

const search = (...toolkits: SearchToolkit[]) => createToolSearch(indexOf(toolkits))
const all = search(MAIL, CHAT, CODE)
const slugs = (text: string, options: Partial<Parameters<typeof all.find>[1]> = {}, from = all) =>
  from.find(text, { limit: 10, ...options }).tools.map(({ slug }) => slug)

test('search: inflected words and synonyms find the tool', () => {
  for (const [text, expected] of [
    ['read my emails', 'MAIL_FETCH'],
    ['remove an email', 'MAIL_DELETE'],
    ['raise a ticket', 'CODE_CREATE_ISSUE'],
    ['enumerate issues', 'CODE_LIST_ISSUES'],
    ['merging a PR', 'CODE_MERGE'],
    ['CHAT_ARCHIVE archive channel', 'CHAT_ARCHIVE'],
  ] as const)
    assert.equal(slugs(text)[0], expected, text)
})

test('search: the verb and the object of a command decide, not other words of a name', () => {
  const tools = [
    ['DATEBOOK_DELETE_CALENDAR', 'Delete a calendar', 'Deletes a calendar with all of its events.'],
    ['DATEBOOK_DELETE_EVENT', 'Delete an event', 'Deletes it from a calendar.'],
    ['DATEBOOK_LIST_EVENTS', 'List events', 'Lists the events of a calendar.'],
  ] as [string, string, string][]
  const first = (text: string) => {
    const { tools: found } = createToolSearch(
      indexOf([sampleSearchToolkit('datebook', 'Calendar', tools)]),
    ).find(text, {
      limit: 1,
      explain: true,
    })
    return [found[0]!.slug, found[0]!.signals!.command]
  }
  assert.deepEqual(first('delete an event in my calendar'), ['DATEBOOK_DELETE_EVENT', 0.2])
  assert.deepEqual(first('delete the calendar with the events'), ['DATEBOOK_DELETE_CALENDAR', 0.2])
})

test('search: the application name decides between equal tools', () => {
  assert.equal(slugs('send a message with Chatter')[0], 'CHAT_POST')
  assert.equal(slugs('send a message with Mailbird')[0], 'MAIL_SEND')
  const { toolkits } = all.find('open something in code hub', { limit: 1 })
  assert.deepEqual(
    toolkits.map(({ slug }) => slug),
    ['code_hub'],
  )
})

test('search: filler words weigh less than the request', () => {
  const desk = partOf(
    buildSegment([
      sampleSearchToolkit('desk', 'Desk', [
        ['DESK_WONDER', 'Wonder', 'Does it.'],
        ['DESK_REFUND', 'Refund', 'Does it.'],
      ]),
    ]),
    {},
  )
  const found = (text: string) =>
    find([desk], text, EMPTY_VECTORS, { limit: 10 }).tools.map(({ slug }) => slug)
  assert.deepEqual(found('I was wondering about a refund'), ['DESK_REFUND', 'DESK_WONDER'])
  assert.deepEqual(found('wondering'), ['DESK_WONDER'], 'alone it is what is asked for')
})

test('search: application names do not enter the text vector, unless they are the whole text', () => {
  const { names } = partOf(indexOf([CHAT, CODE]), {})
  const said = (text: string) => [...names.meantBy(readQuery(text).tokens, () => 0).words]
  assert.deepEqual(said('post to a channel with Chatter'), ['chatter'])
  assert.deepEqual(said('post to a channel'), [])
  assert.ok(slugs('Chatter').every((slug) => slug.startsWith('CHAT_')))
  assert.equal(slugs('chatter archive channel')[0], 'CHAT_ARCHIVE')
})

test('search: an application name that is a common word needs a capital or a preposition', () => {
  const sheets = sampleSearchToolkit('linear', 'Linear', [['LINEAR_LIST', 'List tasks', 'Lists tasks.']])
  const maths = sampleSearchToolkit(
    'maths',
    'Maths',
    Array.from(
      { length: 30 },
      (_, at) => [`MATHS_${at}`, `Solve linear equation ${at}`, 'A linear equation.'] as const,
    ),
  )
  const sureness = (text: string) =>
    search(sheets, maths)
      .find(text, { limit: 1 })
      .toolkits.find(({ slug }) => slug === 'linear')?.sureness ?? 0
  assert.ok(sureness('solve a linear equation') < 0.2)
  assert.ok(sureness('list my tasks in Linear') >= 0.5)
  assert.ok(sureness('list my tasks in Linear') > sureness('a linear task'))
})

test('search: each step of a query finds its tool', () => {
  const found = slugs(
    'Please fetch my emails. Then create an issue for the repository, and finally archive the channel',
  ).slice(0, 3)
  assert.deepEqual(found.sort(), ['CHAT_ARCHIVE', 'CODE_CREATE_ISSUE', 'MAIL_FETCH'])
})

test('search: filters apply before the best results are selected', () => {
  const many = sampleSearchToolkit(
    'many',
    'Many',
    Array.from(
      { length: 400 },
      (_, at) => [`MANY_${at}`, 'Send message', 'Sends a message to a channel.'] as const,
    ),
  )
  const crowded = search(many, CHAT)
  assert.deepEqual(slugs('send message to channel', { toolkits: new Set(['chatter']), limit: 1 }, crowded), [
    'CHAT_POST',
  ])
  assert.deepEqual(
    slugs('send message to channel', { allows: (slug) => slug === 'MANY_399', limit: 5 }, crowded),
    ['MANY_399'],
  )
  assert.deepEqual(slugs('send message', { toolkits: new Set() }, crowded), [])
  assert.deepEqual(slugs('send message', { toolkits: new Set(['__proto__', 'constructor']) }, crowded), [])
})

test('search: the same operation of other API editions ranks below other tools', () => {
  const edition = (slug: string): SearchToolkit => ({
    ...CODE,
    slug,
    hosts: ['code.example'],
    tools: CODE.tools.map((tool) => ({ ...tool, slug: `${slug}_${tool.slug}`, path: '/issues' })),
  })
  const editions = search(...Array.from({ length: 12 }, (_, at) => edition(`code_${at}`)))
  const found = slugs('issue', { limit: 2 }, editions).map((slug) => slug.replace(/^code_\d+_/, ''))
  assert.deepEqual(found.sort(), ['CODE_CREATE_ISSUE', 'CODE_LIST_ISSUES'])
  assert.equal(slugs('issue', { limit: 24 }, editions).length, 24, 'none is left out')
})

test('search: results without a match are reported', () => {
  assert.deepEqual(all.find('xyzzy plugh', { limit: 5 }), {
    tools: [],
    toolkits: [],
    fit: { level: 'none', coverage: 0, misfit: { kind: 'unlike' } },
    corrections: [],
  })
  assert.equal(all.find('create an issue', { limit: 5 }).fit.level, 'good')
  assert.notEqual(
    all.find('book the cheapest flight for grandmother and water her tomato plants; issue', { limit: 5 }).fit
      .level,
    'good',
  )
})

test('search: an added index is searched too, and the original index is unchanged', () => {
  const shared = search(MAIL)
  const before = shared.find('send the email', { limit: 10 })
  const own = shared.withSegments([
    indexOf([
      sampleSearchToolkit('secret', 'Secret', [['SECRET_LAUNCH', 'Launch rocket', 'Launches the rocket.']]),
    ]),
    indexOf([sampleSearchToolkit('other', 'Other', [['OTHER_SEND', 'Send email', 'email email email']])]),
  ])
  assert.deepEqual(slugs('launch the rocket', {}, own), ['SECRET_LAUNCH'])
  assert.equal(slugs('send the email', {}, own).length > before.tools.length, true)
  const found = shared.find('launch the rocket with Secret', { limit: 10 })
  assert.deepEqual([found.tools, found.toolkits, found.fit.level], [[], [], 'none'])
  assert.deepEqual(shared.find('send the email', { limit: 10 }), before, 'the scores are unchanged')
  const hiding = shared.withSegments([], (slug) => slug !== 'MAIL_SEND')
  assert.equal(slugs('send the email', {}, hiding).includes('MAIL_SEND'), false)
  assert.deepEqual(slugs('send the email', { allows: (slug) => slug === 'MAIL_SEND' }, hiding), [])
})

test('search: separate indexes return the same results as one common index', () => {
  const word = fc.constantFrom(
    'send',
    'list',
    'email',
    'channel',
    'issue',
    'order',
    'Mailbird',
    'report',
    'rocket',
    'delete',
    'user',
    'invoice',
  )
  const phrase = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
  const tools = fc.array(fc.tuple(phrase, phrase), { minLength: 1, maxLength: 5 })
  const toolkits = fc
    .uniqueArray(fc.tuple(fc.constantFrom('alpha', 'beta', 'gamma'), tools), {
      selector: ([slug]) => slug,
      maxLength: 3,
    })
    .map((all) =>
      all.map(([slug, own]): SearchToolkit => ({
        slug,
        name: slug,
        description: '',
        hosts: [],
        tools: own.map(([name, description], at) => sampleDocument(`${slug}_${at}`, name, description)),
      })),
    )
  fc.assert(
    fc.property(toolkits, phrase, (own, query) => {
      const combined = search(MAIL, CHAT).withSegments(own.map((one) => indexOf([one])))
      assert.deepEqual(
        combined.find(query, { limit: 20 }).tools,
        search(MAIL, CHAT, ...own).find(query, { limit: 20 }).tools,
      )
    }),
    { numRuns: 40 },
  )
})

test('search: any text is a valid query, and hostile ones finish quickly', () => {
  for (const text of [
    '',
    ' ',
    '🙂',
    'the of and',
    '\ud800',
    'a'.repeat(100_000),
    '.*+?^${}()|[]\\',
    '"; drop table tools; --',
    'constructor __proto__ hasOwnProperty toString valueOf',
    '. '.repeat(50_000),
    'then '.repeat(20_000),
    '\0\0',
  ]) {
    const found = all.find(text, { limit: 5 })
    assert.deepEqual(found.tools, [], text.slice(0, 30))
    assert.equal(found.fit.level, 'none')
  }
  assert.equal(slugs(`create issue ${'lorem ipsum dolor '.repeat(6_000)}`)[0], 'CODE_CREATE_ISSUE')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const { tools, fit } = all.find(text, { limit: 4 })
      assert.ok(
        tools.length <= 4 &&
          tools.every(({ score }) => Number.isFinite(score)) &&
          fit.coverage >= 0 &&
          fit.coverage <= 1,
      )
    }),
    { numRuns: 50 },
  )
})

test('search: tools named like JavaScript properties are found', () => {
  const odd = search(
    sampleSearchToolkit('constructor', '__proto__', [
      ['ODD_PROTO', '__proto__', 'toString of the prototype'],
      ['ODD_HAS', 'hasOwnProperty', 'constructor'],
    ]),
  )
  assert.equal(slugs('prototype', {}, odd)[0], 'ODD_PROTO')
  assert.equal(slugs('hasOwnProperty', {}, odd)[0], 'ODD_HAS')
})

test('search: the number of results has a limit', () => {
  const many = search(
    sampleSearchToolkit(
      'many',
      'Many',
      Array.from({ length: FOUND_MAX + 200 }, (_, at) => [`MANY_${at}`, `Send message ${at}`] as const),
    ),
  )
  assert.equal(slugs('send message', { limit: 1_000_000 }, many).length, FOUND_MAX)
  assert.equal(slugs('send message', { limit: -1 }, many).length, 1)
  const few = slugs('send message', { limit: 10 }, many)
  assert.deepEqual(
    slugs('send message', { limit: 500 }, many).slice(0, 10),
    few,
    'a longer list begins as the shorter',
  )
})

test('search: an empty index returns nothing', () => {
  assert.deepEqual(slugs('send email', {}, search()), [])
})
