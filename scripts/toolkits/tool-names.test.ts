import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isComplete, namesOfSentence } from './sentence-names.ts'
import { toolNames } from './tool-names.ts'
import { uniqueNames } from './unique-names.ts'
import { baseForm, naturalVerb } from './verb-forms.ts'

const nameOf = (slug: string, effect: 'read' | 'create' | 'update' | 'delete' = 'read', path = '/items') =>
  toolNames({ slug: `SHOP_${slug}`, toolkitSlug: 'shop', toolkitName: 'Shop', effect, path })[0]

test('names of tools: a verb in the third person has its own base form', () => {
  const forms = {
    Creates: 'create',
    Updates: 'update',
    Deletes: 'delete',
    Lists: 'list',
    Removes: 'remove',
    Replaces: 'replace',
    Copies: 'copy',
    Dismisses: 'dismiss',
    Returns: 'get',
    Retrieves: 'get',
    Publishes: 'publish',
  }
  for (const [form, base] of Object.entries(forms)) assert.equal(baseForm(form), base)
  assert.throws(() => baseForm('Frobnicates'), /no base form of Frobnicates/)
  assert.equal(naturalVerb('mutate'), 'update')
})

test('names of tools: a phrase is not cut in an enumeration, an insertion or a clause that it needs', () => {
  const first = (sentence: string) => namesOfSentence(sentence, 'GitHub')[0]
  assert.equal(
    first('Updates the name, value or visibility of a GitHub Actions variable of an organization.'),
    'Update the name, value or visibility of an Actions variable of an organization',
  )
  assert.equal(first('Returns the photo, as an image file, of a contact.'), 'Get the photo of a contact')
  assert.equal(
    first('Returns the workspace (organization) that a card belongs to.'),
    'Get the workspace that a card belongs to',
  )
  assert.equal(first('Returns one Cal.com booking by its uid.'), 'Get one Cal.com booking by its uid')
  assert.equal(first('Returns whether a plan is active.'), 'Check whether a plan is active')
  assert.equal(first('Creates or replaces a rule.'), 'Create or replace a rule')
  assert.equal(
    first('Adds, changes or removes the labels of a file.'),
    'Add, change or remove the labels of a file',
  )
  assert.equal(first('Renames a tag and sets its color.'), 'Rename a tag')
  assert.equal(
    first('Adds to or takes from the credits of a user.'),
    'Add to or take from the credits of a user',
  )
})

test('names of tools: without a sentence, the slug counts if it begins with its action', () => {
  assert.equal(nameOf('RETRIEVE_A_COMMENT'), 'Get a comment')
  assert.equal(nameOf('DESTROYS_A_NOTE', 'delete'), 'Delete a note')
  assert.equal(nameOf('USERS_LIST', 'read', '/users'), 'List users')
  assert.equal(nameOf('ATLASSIAN_DELETE_A_VARIABLE', 'delete'), 'Delete a variable')
  assert.equal(nameOf('CALL_1A71D5', 'read', '/{property}:batchRunReports'), 'Run reports in one call')
})

test('names of tools: two tools of a toolkit take longer names, then the part of the path that differs', () => {
  const unique = (...tools: [string[], string][]) => [
    ...uniqueNames(
      tools.map(([names, request], index) => ({ slug: `S_${index}`, names, request })),
      ['Get user'],
    ).values(),
  ]
  assert.deepEqual(
    unique(
      [['Get a page', 'Get a page of a site'], 'GET /sites'],
      [['Get a page', 'Get a page of a list'], 'GET /lists'],
    ),
    ['Get a page of a site', 'Get a page of a list'],
  )
  assert.deepEqual(unique([['Get a page'], 'GET /v1/pages'], [['Get a page'], 'GET /v2/pages']), [
    'Get a page (v1)',
    'Get a page (v2)',
  ])
  assert.deepEqual(unique([['Get user'], 'GET /user']), ['Get user (user)'])
})

test('names of tools: an unfinished phrase is not complete', () => {
  for (const name of ['Get the', 'Get the name of', 'List items…', 'Get a card,', 'Get a card (one'])
    assert.equal(isComplete(name), false, name)
  assert.equal(isComplete('Get the board that a card belongs to'), true)
})
