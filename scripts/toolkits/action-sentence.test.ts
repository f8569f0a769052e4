import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionSentence } from './action-sentence.ts'
import { toolNames } from './tool-names.ts'

type Effect = Parameters<typeof actionSentence>[0]['effect']
const said = (slug: string, path: string, effect: Effect = 'read') =>
  actionSentence({ slug: `SHOP_${slug}`, toolkitSlug: 'shop', toolkitName: 'Shop', effect, path })

test('first sentence of a tool: verb, article and object', () => {
  assert.equal(said('GET_ORDER', '/orders/{id}'), 'Returns an order in Shop.')
  assert.equal(said('LIST_ORDERS', '/orders'), 'Lists orders in Shop.')
  assert.equal(said('ADD_FILE', '/files', 'create'), 'Adds a file in Shop.')
  assert.equal(said('GET_SSO_LOGIN_URL', '/login-url'), 'Returns an SSO login URL in Shop.')
  assert.equal(said('GET_ORDER_BY_ID', '/orders/{id}'), 'Returns an order in Shop.')
})

test('first sentence of a tool: the verb may be at the end or in the middle of a name', () => {
  assert.equal(
    said('CONVERSATIONS_ARCHIVE', '/conversations.archive', 'update'),
    'Archives conversations in Shop.',
  )
  assert.equal(
    said('RULES_FOR_A_USER_CREATE_AN_IP_RULE', '/user/rules', 'create'),
    'Creates an IP rule in Shop.',
  )
  assert.equal(said('BETA_GETS_PROJECT_S_BANS', '/projects/{id}/bans'), "Returns project's bans in Shop.")
  assert.equal(said('BULK_DELETE_ORDERS', '/orders/bulk', 'delete'), 'Deletes orders in one call in Shop.')
})

test('first sentence of a tool: the path is used where the name says nothing', () => {
  assert.equal(said('CALL_8999B3', '/orders/{id}'), 'Returns an order in Shop.')
  assert.equal(said('POST_ORDERS_ORDER', '/orders/{order}', 'create'), 'Updates an order in Shop.')
  assert.equal(
    said('POST_ORDERS_ORDER_CANCEL', '/orders/{order}/cancel', 'create'),
    'Cancels orders in Shop.',
  )
  assert.equal(said('GET_ALL', '/v1/orders/labels'), 'Returns all of orders labels in Shop.')
})

test('first sentence of a tool: words of the path, versions and Invoke action are no verbs', () => {
  assert.equal(
    said('SHARES_LIST_CREATE_ITEMS', '/shares/{id}/list/items', 'create'),
    'Creates items in Shop.',
  )
  assert.equal(said('V2_VOICES', '/v2/voices'), 'Returns voices in Shop.')
  assert.equal(said('STREAMING_AVATAR_LIST', '/v1/streaming/avatar.list'), 'Lists streaming avatars in Shop.')
  assert.equal(
    said('INVOKE_ACTION_CHECK_MEMBER_GROUPS', '/groups/{id}/microsoft.graph.checkMemberGroups', 'read'),
    'Checks member groups in Shop.',
  )
  assert.equal(
    said('DISSOCIATE_A_TRIGGER_AND_SERVICE', '/triggers/{id}/services/{id}', 'delete'),
    'Dissociates a trigger and service in Shop.',
  )
  assert.equal(
    said('POST_TASKS_BATCH_UPDATE', '/v3/tasks/batch/update', 'update'),
    'Updates tasks in one call in Shop.',
  )
})

test('name of a tool: without the hash that makes a long slug unique', () => {
  const nameOf = (slug: string, toolkitSlug: string) =>
    toolNames({ slug, toolkitSlug, toolkitName: 'Shop', effect: 'read', path: '/' })[0]
  assert.equal(nameOf('SHOP_GET_COUNT_CONTACTS_5CC4', 'shop'), 'Get count contacts')
  assert.equal(nameOf('SHOP_GET_API_KEY', 'shop'), 'Get API key')
})

test('first sentence of a tool: a path that selects one object by its id is about one, whatever its name says', () => {
  const path = '/sites/{site-id}/contentTypes/{contentType-id}'
  assert.equal(said('SITES_GET_CONTENT_TYPES', path), 'Returns a content type in Shop.')
  assert.equal(said('DELETE_COLUMNS', '/columns/{column-id}', 'delete'), 'Deletes a column in Shop.')
  assert.equal(said('GET_CARDS', '/boards/{id}/cards/{filter}'), 'Returns cards in Shop.')
  assert.equal(said('GET_ISSUES', '/issues/{issue_ids}'), 'Returns issues in Shop.')
  assert.equal(said('UPDATE_BOARDS_PARTIAL', '/boards/{id}/', 'update'), 'Updates a board in Shop.')
})

test('first sentence of a tool: counts, adverbs, selectors and divided words are read', () => {
  assert.equal(said('GET_COUNT_ORDERS_D8BD', '/orders/$count'), 'Returns the number of orders in Shop.')
  assert.equal(
    said('PERMANENTLY_REMOVE_WEB_LINK', '/web_links/{id}/trash', 'delete'),
    'Permanently removes a web link in Shop.',
  )
  assert.equal(
    said('GET_ORGS_MEMBERSHIPS_BY_ID_ORG', '/orgs/{idOrg}/memberships'),
    'Returns orgs memberships in Shop.',
  )
  assert.equal(
    said('TWEETS_ID_LIKING_USERS', '/2/tweets/{id}/liking_users'),
    'Returns liking users of a tweet in Shop.',
  )
  assert.equal(said('GET_GIT_HUB_USER_I_DS', '/git_hub/ids'), 'Returns GitHub user IDs in Shop.')
  assert.equal(said('GET_CURRENT_USER', '/v1/me'), 'Returns the current user in Shop.')
  assert.equal(said('LIST_SHOP_ORDERS', '/orders'), 'Lists orders in Shop.')
})

test('first sentence of a tool: a worksheet function of Excel has its name', () => {
  const path = '/drives/{drive-id}/items/{item-id}/workbook/functions/microsoft.graph.rank_Avg'
  assert.equal(said('INVOKE_ACTION_RANK_AVG', path), 'Computes the worksheet function RANK_AVG in Shop.')
})

test('first sentence of a tool: a file of the path is its resource, without the extension', () => {
  assert.equal(
    said('CREATE_A_NEW_CLIENT', '/company.json', 'create'),
    'Creates a new client of company in Shop.',
  )
  assert.equal(
    said('GET_PLACES_API_GEOCODE_JSON', '/maps/api/geocode/json'),
    'Returns a places API geocode in Shop.',
  )
})

test('first sentence of a tool: two verbs of a name are both in the sentence', () => {
  assert.equal(said('CREATE_OR_UPDATE_A_RULE', '/rules/{id}', 'update'), 'Creates or updates a rule in Shop.')
  assert.equal(
    said('CONTACT_CREATE_OR_UPDATE', '/contacts', 'update'),
    'Creates or updates a contact in Shop.',
  )
  assert.equal(said('LIST_OR_FILTER_ORDERS', '/orders'), 'Lists or filters orders in Shop.')
  assert.equal(said('ADD_MODIFY_OR_REMOVE', '/keys', 'create'), 'Adds, changes or removes the keys in Shop.')
  assert.equal(
    said('ROLL_BACK_TO_A_VERSION', '/versions/{id}/deploy', 'create'),
    'Rolls back to a version in Shop.',
  )
})

test('first sentence of a tool: possession, questions and compounds are written in English', () => {
  assert.equal(said('GET_A_USERS_ROLES', '/users/{id}/roles'), "Returns a user's roles in Shop.")
  assert.equal(said('GET_A_USER_S_ROLES', '/users/{id}/roles'), "Returns a user's roles in Shop.")
  assert.equal(said('GET_A_SALES_INVOICE', '/invoices/{id}'), 'Returns a sales invoice in Shop.')
  assert.equal(said('IS_SPAM_CONTRACT', '/isSpamContract'), 'Checks whether it is spam contract in Shop.')
  assert.equal(said('GET_ON_CALL_ROLE', '/on_call_roles/{id}'), 'Returns an on-call role in Shop.')
  assert.equal(said('RETRIEVE_A_LIST_OF_EMAILS', '/emails'), 'Lists emails in Shop.')
  assert.equal(said('LIST_SCHEMAS', '/schemas'), 'Lists schemas in Shop.')
  assert.equal(said('DELETE_I_PSEC_TUNNEL', '/tunnels/{id}', 'delete'), 'Deletes an IPsec tunnel in Shop.')
})

test('first sentence of a tool: a prefix that a name divides belongs to the verb', () => {
  assert.equal(
    said('UN_ASSIGN_ROLES_FROM_A_USER', '/users/{id}/unassign-roles', 'update'),
    'Unassigns roles from a user in Shop.',
  )
})

test('first sentence of a tool: numbers of versions and names that only repeat are left out', () => {
  assert.equal(said('AUDIT_LOG_USERS_2', '/audit-log/users'), 'Returns audit log users in Shop.')
  assert.equal(
    said('GET_V1_0_ACCOUNT_BY_ACCOUNT_ID_CALL_LOG', '/v1.0/account/{id}/call-log'),
    'Returns an account call log in Shop.',
  )
  assert.equal(
    said('IMPORT_STATUS_GET_IMPORT_STATUS', '/Contact/ImportStatus'),
    'Returns an import status in Shop.',
  )
  assert.equal(
    said('RUN_MODEL', '/ai/run/@cf/meta/llama-2', 'create'),
    'Runs the model @cf/meta/llama-2 in Shop.',
  )
})
