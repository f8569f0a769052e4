import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog } from '../../src/catalog/index.ts'
import { effectBySentence } from './effect.ts'

type Effect = ReturnType<typeof effectBySentence>
const OF_METHOD: Record<string, Effect> = { GET: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' }
const effectOf = (request: string, sentence: string, effect?: Effect) => {
  const [method = '', path = ''] = request.split(' ')
  return effectBySentence(effect ?? OF_METHOD[method]!, sentence, { method, path })
}

test('effect by sentence: a POST reads where its sentence does, unless something is made for the caller', () => {
  assert.equal(effectOf('POST /reports', 'Returns statistics of campaigns.'), 'read')
  assert.equal(effectOf('POST /monitor/validate', 'Validates a monitor without creating it.'), 'read')
  assert.equal(effectOf('POST /ids/batch/read', 'Translates several legacy ids.'), 'read')
  assert.equal(effectOf('PUT /envelopes/status', 'Returns the status of several envelopes.'), 'read')
  assert.equal(
    effectOf('POST /meetings/get', 'Returns a meeting, and creates it if there is none.'),
    'create',
  )
  assert.equal(effectOf('POST /views', 'Returns a one-time address of a page to sign.'), 'create')
  assert.equal(effectOf('POST /items/{id}/checkout', 'Checks out a file of a drive.'), 'create')
  assert.equal(effectOf('POST /database/query', 'Runs an SQL query, which can write.', 'read'), 'create')
})

test('effect by sentence: a POST deletes or updates where its sentence does', () => {
  assert.equal(effectOf('POST /jobs/{id}/erase', 'Erases the log of a job.'), 'delete')
  assert.equal(effectOf('POST /orders/batch/archive', 'Archives several orders.'), 'delete')
  assert.equal(effectOf('POST /orders/{id}/cancel', 'Cancels an order.'), 'update')
  assert.equal(effectOf('POST /orders', 'Creates an order.'), 'create')
  assert.equal(effectOf('POST /delete-jobs', 'Starts a job that deletes orders.', 'delete'), 'delete')
  assert.equal(effectOf('PUT /quotes', 'Creates one or more quotes.'), 'create')
  assert.equal(effectOf('PUT /quotes/{id}', 'Creates or replaces a quote.'), 'update')
  assert.equal(effectOf('PUT /rules/delete', 'Deletes rules of an app.'), 'delete')
  assert.equal(effectOf('DELETE /sessions', 'Returns nothing.'), 'delete')
})

test('effect by sentence: a GET that writes is no read', () => {
  assert.equal(effectOf('GET /cohorts/{id}/duplicate', 'Creates a copy of a cohort.'), 'create')
  assert.equal(effectOf('GET /files/unfiled', 'Files what has no folder yet.'), 'update')
  assert.equal(effectOf('GET /apps/{id}/remove', 'Uninstalls an app.'), 'delete')
  assert.equal(effectOf('GET /views/{id}/execute', 'Returns the rows of a view.', 'update'), 'read')
})

test('effect of shipped tools: searches and reports sent by POST read, and others do what they say', async () => {
  const catalog = await loadCatalog({ folder: join(import.meta.dirname, '..', '..', 'toolkits') })
  const expected: Record<Effect, string[]> = {
    read: [
      'HUBSPOT_BATCH_READ_COMPANIES_BY_PROPERTIES',
      'HUBSPOT_POST_CRM_V3_OBJECTS_ORDERS_SEARCH',
      'KLAVIYO_QUERY_CAMPAIGN_VALUES',
      'KLAVIYO_CREATE_TEMPLATE_RENDER',
      'PAGERDUTY_GET_AGGREGATED_INCIDENT_DATA',
      'PAGERDUTY_RENDER_TEMPLATE_FOR_INCIDENT',
      'OUTLOOK_INVOKE_ACTION_GET_SCHEDULE',
      'OUTLOOK_INVOKE_ACTION_FIND_MEETING_TIMES',
      'GOOGLESHEETS_GET_SPREADSHEET_BY_DATA_FILTER',
      'DATADOG_AGGREGATE_EVENTS',
      'DATADOG_VALIDATE_A_MONITOR',
      'POSTHOG_QUERY_UPGRADE_CREATE',
      'EXCEL_GET_CELL_OF_WORKSHEET',
    ],
    create: [
      'DATADOG_TAKE_GRAPH_SNAPSHOTS',
      'POSTHOG_RETRIEVE_COHORTS_DUPLICATE_AS_STATIC_COHORT',
      'POSTHOG_RETRIEVE_USERS_TWO_FACTOR_START_SETUP',
      'SUPABASE_BETA_RUN_SQL_QUERY',
      'ELEVENLABS_AUDIO_ISOLATION',
    ],
    update: [
      'DATADOG_CANCEL_DOWNTIMES_BY_SCOPE',
      'HUBSPOT_BATCH_UPDATE_EVENT_SUBSCRIPTIONS',
      'POSTHOG_RETRIEVE_FILE_SYSTEM_UNFILED',
    ],
    delete: ['HUBSPOT_ARCHIVE_BATCH_OF_CONTACTS_BY_ID', 'KLAVIYO_BULK_DELETE_CATALOG_ITEMS'],
  }
  const actual = Object.fromEntries(
    Object.entries(expected).map(([effect, slugs]) => [
      effect,
      slugs.filter((slug) => catalog.tool(slug, 'latest')?.tool.manifest.effect === effect),
    ]),
  )
  assert.deepEqual(actual, expected)
})
