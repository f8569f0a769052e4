import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeArgument } from './describe-arguments.ts'
import { describeTool } from './describe.ts'

const TEXT = { type: 'string' }
const described = (properties: object, output: object = {}) =>
  describeTool({
    slug: 'SHOP_UPDATE_ORDER',
    toolkitSlug: 'shop',
    toolkitName: 'Shop',
    effect: 'update',
    path: '/orders/{id}',
    input: { type: 'object', properties },
    output: { type: 'object', properties: output },
    pagination: undefined,
    deprecated: false,
    sources: new Map(),
    pathArguments: ['id'],
  })
const argument = (name: string, schema: object) =>
  describeArgument(name, { ...schema }, { source: undefined, selects: undefined })

test('description of a tool: names the members of a body, and of a result that has one member', () => {
  const body = { type: 'object', properties: { title: TEXT, price: TEXT } }
  const data = { type: 'object', properties: { id: TEXT } }
  assert.equal(
    described({ id: TEXT, body }, { data }),
    'Updates an order in Shop. Optional: `body` with `title` and `price`. Returns `data` with `id`.',
  )
  assert.match(described({ body: { anyOf: [{ type: 'null' }, body] } }), /`body` with `title` and `price`\./)
})

test('description of a tool: does not name optional arguments about the form of a response or the client', () => {
  const properties = { title: TEXT, opt_pretty: TEXT, fields: TEXT, 'If-Match': TEXT, 'x-shop-key': TEXT }
  assert.equal(described(properties), 'Updates an order in Shop. Optional: `title`.')
})

test('description of an argument: switches, bounds of a period and times are sentences', () => {
  const flag = { type: 'boolean' }
  assert.equal(argument('is_private', flag), 'Whether it is private.')
  assert.equal(argument('notifications_enabled', flag), 'Whether notifications are enabled.')
  assert.equal(argument('skip_hooks', flag), 'Whether to skip hooks.')
  assert.equal(argument('from_date', TEXT), 'Start of the period.')
  assert.equal(argument('endTime', TEXT), 'End of the period.')
  assert.equal(argument('created_at', TEXT), 'Time at which it was created.')
  assert.equal(argument('expires_at', TEXT), 'Time at which it expires.')
})

test('description of an argument: a word that is no noun says which one, and is not what it belongs to', () => {
  assert.equal(argument('first_name', TEXT), 'First name.')
  assert.equal(argument('displayName', TEXT), 'Display name.')
  assert.equal(argument('external_id', TEXT), 'External id.')
  assert.equal(argument('html_url', TEXT), 'HTML URL.')
  assert.equal(argument('phone_number', TEXT), 'Phone number.')
  assert.equal(argument('from_email', TEXT), 'E-mail address of the sender.')
  assert.equal(argument('table_id_or_name', TEXT), 'Id or name of the table.')
  assert.equal(argument('project_id', TEXT), 'Id of the project.')
})

test('description of an argument: plurals, times and switches are written in English', () => {
  assert.equal(argument('selectedRepositoryIds', TEXT), 'Ids of the selected repositories.')
  assert.equal(argument('TaxIDs', TEXT), 'Ids of the taxes.')
  assert.equal(argument('lastModifiedDateTime', TEXT), 'Time at which it was last modified.')
  assert.equal(argument('due_date', TEXT), 'Due date.')
  assert.equal(argument('created_before_date', TEXT), 'Created before date.')
  assert.equal(argument('send_activation_email', { type: 'boolean' }), 'Whether to send activation email.')
})

test('description of an argument: what a path selects has the noun of its segment', () => {
  const of = (name: string, selects: string) => describeArgument(name, TEXT, { source: undefined, selects })
  assert.equal(of('id', 'company.json'), 'Id of the company.')
  assert.equal(of('id', 'branches'), 'Id of the branch.')
  assert.equal(of('id', 'statuses'), 'Id of the status.')
  assert.equal(of('idBoard', 'boards'), 'Id of the board.')
})
