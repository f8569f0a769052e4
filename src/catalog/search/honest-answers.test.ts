import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleDocument, sampleSearchToolkit } from '#fixtures/search-index.ts'
import type { SearchToolkit } from './segments/document.ts'
import { createToolSearch, indexOf } from './tool-search.ts'

const FORGE = sampleSearchToolkit('forgely', 'Forgely', [
  ['FORGELY_CREATE_REPOSITORY', 'Create a repository', 'Creates a repository of the user.'],
  ['FORGELY_GET_REPOSITORY', 'Get a repository', 'Returns a repository.'],
  ['FORGELY_STAR_REPOSITORY', 'Star a repository', 'Stars a repository for the user.'],
  ['FORGELY_DELETE_BRANCH', 'Delete a branch', 'Deletes a branch of a repository.'],
])
const EMPTY: SearchToolkit = sampleSearchToolkit('vacant', 'Vacant', [])
const search = createToolSearch(indexOf([FORGE, EMPTY]))
const fit = (text: string) => search.find(text, { limit: 5 }).fit

test('search: an action that the named application does not have fits nothing, and the reason says which', () => {
  assert.deepEqual(fit('delete my Forgely repository').misfit, {
    kind: 'no_such_action',
    application: 'Forgely',
    verb: 'delete',
    object: 'repository',
  })
  assert.equal(fit('unstar a repository in Forgely').misfit?.kind, 'no_such_action')
  for (const text of [
    'delete a branch in Forgely',
    'create a Forgely repository',
    'star a repository in Forgely',
  ])
    assert.notEqual(fit(text).level, 'none', text)
})

test('search: a request in another language fits what the same request in English fits', () => {
  for (const text of [
    'Crée un dépôt dans Forgely',
    'Lösche einen Branch in Forgely',
    'Crea un repositorio en Forgely',
    'Forgelyにリポジトリを作成して',
    '在Forgely创建仓库',
  ])
    assert.equal(fit(text).level, 'good', text)
  assert.equal(fit('Supprime mon dépôt Forgely').misfit?.kind, 'no_such_action')
})

test('search: the object of a request may have several words', () => {
  const calendar = sampleSearchToolkit('datebook', 'Datebook', [
    ['DATEBOOK_UPDATE_EVENT', 'Update event', 'Changes an event.'],
    ['DATEBOOK_LIST_CALENDARS', 'List calendars', 'Lists the calendars.'],
    ['DATEBOOK_LIST_ATTENDEES', 'List event attendees', 'Lists who was invited.'],
  ])
  const fitOf = (text: string) => createToolSearch(indexOf([calendar])).find(text, { limit: 5 }).fit
  assert.equal(fitOf('update a Datebook calendar event').level, 'good')
  assert.equal(fitOf('update the event in my Datebook calendar').level, 'good')
  assert.equal(fitOf('delete the Datebook calendar').misfit?.kind, 'no_such_action')
})

test('search: a verb that names one action needs a tool that has it', () => {
  const mail = sampleSearchToolkit('postbox', 'Postbox', [
    ['POSTBOX_REPLY', 'Reply to sender', 'Sends a reply to the sender of a message.'],
    ['POSTBOX_LIST_UPLOADS', 'List uploads', 'Lists files that a user chose to upload.'],
    ['POSTBOX_ARCHIVE_MESSAGE', 'Archive message', 'Moves a message out of the inbox.'],
  ])
  const fitOf = (text: string) => createToolSearch(indexOf([mail])).find(text, { limit: 5 }).fit
  assert.deepEqual(fitOf('block a sender in Postbox').misfit, {
    kind: 'no_such_action',
    application: 'Postbox',
    verb: 'block',
    object: 'sender',
  })
  assert.deepEqual(fitOf('block the sender of a message').misfit, { kind: 'unlike' })
  assert.equal(fitOf('upload files to Postbox').misfit?.kind, 'no_such_action', 'a list that mentions it')
  assert.equal(fitOf('archive a message in Postbox').level, 'good')
})

test('search: an object that tools only describe is no object of the action either', () => {
  const forge = sampleSearchToolkit('forgely', 'Forgely', [
    ['FORGELY_LIST_REPOSITORIES', 'List repositories', 'Lists those that you own or are a collaborator of.'],
    ['FORGELY_CREATE_REPOSITORY', 'Create a repository', 'Creates a repository.'],
  ])
  const fitOf = (text: string) => createToolSearch(indexOf([forge])).find(text, { limit: 5 }).fit
  assert.equal(fitOf('add a collaborator to a Forgely repository').misfit?.kind, 'no_such_action')
  assert.notEqual(fitOf('list the repositories in Forgely').level, 'none')
})

test('search: a kind of thing that the named application does not have fits nothing', () => {
  const board = sampleSearchToolkit('boardly', 'Boardly', [
    ['BOARDLY_CREATE_CARD', 'Create a card', 'Creates a card. It may have a deadline.'],
    ['BOARDLY_GET_SPRINT', 'Get a sprint', 'Returns a sprint with its cards.'],
    ['BOARDLY_ADD_COMMENT', 'Add a comment', 'Adds a comment to a card.'],
  ])
  const fitOf = (text: string) => createToolSearch(indexOf([board])).find(text, { limit: 5 }).fit
  for (const [text, verb, object] of [
    ['create a Boardly dashboard', 'create', 'dashboard'],
    ['start a new sprint in Boardly', 'start', 'sprint'],
    ['Crea un panel en Boardly', 'create', 'dashboard'],
  ])
    assert.deepEqual(
      fitOf(text!).misfit,
      { kind: 'no_such_action', application: 'Boardly', verb, object },
      text,
    )
  for (const text of [
    'create a Boardly card',
    'write a haiku on the Boardly card',
    'add the dashboard to the Boardly card',
  ])
    assert.notEqual(fitOf(text).misfit?.kind, 'no_such_action', text)
})

test('search: a tool whose phrases have the object does the action, whatever other tools are named after', () => {
  const mail = {
    ...sampleSearchToolkit('postbox', 'Postbox', [['POSTBOX_SEND_EMAIL', 'Send email', 'Sends an email.']]),
  }
  const withTrash = (phrases: readonly string[]) => ({
    ...mail,
    tools: [
      ...mail.tools,
      sampleDocument('POSTBOX_TRASH', 'Delete message', 'Deletes a message.', { phrases, effect: 'delete' }),
    ],
  })
  const fitOf = (phrases: readonly string[]) =>
    createToolSearch(indexOf([withTrash(phrases)])).find('delete the email in Postbox', { limit: 5 }).fit
  assert.equal(fitOf([]).misfit?.kind, 'no_such_action')
  assert.equal(fitOf(['delete an email', 'throw the email away']).misfit, undefined)
})

test('search: an action that a description only mentions is none of the tool', () => {
  const calls = sampleSearchToolkit('callbox', 'Callbox', [
    [
      'CALLBOX_UPDATE',
      'Update a call',
      'Changes a call: its subject, its time, its password, and whether it begins with mute on.',
    ],
    ['CALLBOX_END', 'End a call', 'Ends a call.'],
  ])
  const search = createToolSearch(indexOf([calls]))
  assert.equal(search.find('mute the Callbox call', { limit: 5 }).fit.misfit?.kind, 'no_such_action')
  assert.equal(search.find('end the Callbox call', { limit: 5 }).fit.misfit, undefined)
})

test('search: whether something fits does not depend on how many tools are returned', () => {
  const texts = [
    'star a repository in Forgely',
    'delete my Forgely repository',
    'a branch',
    'merge the repository',
  ]
  for (const text of texts)
    assert.deepEqual(search.find(text, { limit: 1 }).fit, search.find(text, { limit: 10 }).fit, text)
  assert.equal(search.find('repository', { limit: 1 }).tools.length, 1)
})

test('search: a tool of another application than the named one does not fit', () => {
  const settings = sampleSearchToolkit('otherapp', 'Otherapp', [
    ['OTHERAPP_UPDATE_USER', 'Update user', 'Changes the password of a user.'],
  ])
  const text = 'change the password of my Forgely user'
  assert.deepEqual(createToolSearch(indexOf([FORGE, settings])).find(text, { limit: 5 }).fit.misfit, {
    kind: 'unlike',
  })
})

test('search: an application that is not installed or has no tools fits nothing', () => {
  assert.deepEqual(fit('get a repository from Bitbucket').misfit, {
    kind: 'not_installed',
    application: 'Bitbucket',
  })
  assert.deepEqual(fit('create a repository in Vacant').misfit, { kind: 'no_tools', application: 'Vacant' })
  assert.notEqual(fit('copy a repository from Bitbucket to Forgely').misfit?.kind, 'not_installed')
  assert.equal(fit('get the repository in a box').misfit, undefined, 'a common word is no application')
})

test('search: a request that no tool has words of fits nothing', () => {
  assert.deepEqual(fit('order a large pizza with olives').misfit, { kind: 'unlike' })
})

test('search: a tool that does the opposite is marked', () => {
  const opposite = (text: string) =>
    search.find(text, { limit: 5 }).tools.flatMap(({ slug, isOpposite }) => (isOpposite ? [slug] : []))
  assert.ok(opposite('delete the repository').includes('FORGELY_CREATE_REPOSITORY'))
  assert.deepEqual(opposite('create a branch'), ['FORGELY_DELETE_BRANCH'])
  assert.ok(!opposite('get rid of a branch').includes('FORGELY_DELETE_BRANCH'))
})

test('search: names of two common words are certain, and neither a vendor nor a top-level domain is a name', () => {
  const search = createToolSearch(
    indexOf([
      sampleSearchToolkit('googledocs', 'Google Docs', [
        ['DOCS_READ', 'Read document', 'Reads a google document.'],
      ]),
      sampleSearchToolkit('googlecalendar', 'Google Calendar', [
        ['CALENDAR_LIST', 'List events', 'Lists events.'],
      ]),
      sampleSearchToolkit('neon', 'Neon', [['NEON_LIST', 'List branches', 'Lists branches.']], ['neon.tech']),
      sampleSearchToolkit(
        'others',
        'Others',
        Array.from({ length: 400 }, (_, at): [string, string, string] => [
          `OTHERS_${at}`,
          `Sync ${at}`,
          at % 40 === 0 ? 'Copies events of google and of a calendar.' : 'Copies rows.',
        ]),
      ),
    ]),
  )
  const applications = (text: string) =>
    search.find(text, { limit: 1 }).toolkits.filter(({ sureness }) => sureness > 0.6)
  assert.deepEqual(
    applications('what is in my google calendar').map(({ slug }) => slug),
    ['googlecalendar'],
  )
  assert.deepEqual(applications('sign in with Google'), [])
  assert.deepEqual(applications('jobs in Tech'), [])
  assert.deepEqual(
    applications('branches in Neon').map(({ slug }) => slug),
    ['neon'],
  )
})

test('search: curated tools, connected applications and tools used lately rank higher', () => {
  const twin = (slug: string, isCurated = false): SearchToolkit => ({
    ...sampleSearchToolkit(slug, slug, []),
    tools: [sampleDocument(`${slug}_SEND`, 'Send message', 'Sends a message.', { isCurated })],
  })
  const first = (toolkits: SearchToolkit[], context = {}) =>
    createToolSearch(indexOf(toolkits)).find('send a message', { limit: 2, context }).tools[0]?.slug
  assert.equal(first([twin('alpha'), twin('beta')]), 'alpha_SEND')
  assert.equal(first([twin('alpha'), twin('beta', true)]), 'beta_SEND')
  assert.equal(first([twin('alpha'), twin('beta')], { connected: new Set(['beta']) }), 'beta_SEND')
  assert.equal(first([twin('alpha'), twin('beta')], { used: new Map([['beta_SEND', 3]]) }), 'beta_SEND')
})

test('search: enum values, the line for people and phrases are found', () => {
  const tools = [
    sampleDocument('T_EXPORT', 'Export', 'Exports.', { phrases: ['save my slides as a brochure'] }),
    sampleDocument('T_OTHER', 'Other', 'Does other things.'),
  ]
  const found = createToolSearch(indexOf([{ ...sampleSearchToolkit('t', 'T', []), tools }])).find(
    'brochure',
    {
      limit: 5,
    },
  )
  assert.deepEqual(
    found.tools.map(({ slug }) => slug),
    ['T_EXPORT'],
  )
})
