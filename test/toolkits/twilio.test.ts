import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const ACCOUNT = `AC${'1'.repeat(32)}`
const KEY = `SK${'2'.repeat(32)}`
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

test('the account is in the path with all credentials, and a message is a form with its media repeated', async (t) => {
  const { stub, run } = await vendor(t, 'twilio', 'https://api.twilio.com')
  const args = {
    to: '+14155550123',
    from: '+14155550100',
    body: 'Hi & bye',
    media_url: ['https://x.example/1', 'https://x.example/2'],
  }
  for (const [scheme, val, authorization] of [
    ['BASIC', { account_sid: ACCOUNT, password: 'token-1' }, basic(ACCOUNT, 'token-1')],
    [
      'API_KEY',
      { account_sid: ACCOUNT, api_key_sid: KEY, generic_api_key: 'secret-1' },
      basic(KEY, 'secret-1'),
    ],
  ] as const) {
    await run('TWILIO_SEND_MESSAGE', args, scheme, val)
    const { url, headers, body } = stub.requests.at(-1)!
    assert.deepEqual(
      [url, headers.authorization],
      [`/2010-04-01/Accounts/${ACCOUNT}/Messages.json`, authorization],
    )
    assert.deepEqual(
      [...new URLSearchParams(body)],
      [
        ['To', '+14155550123'],
        ['From', '+14155550100'],
        ['Body', 'Hi & bye'],
        ['MediaUrl', 'https://x.example/1'],
        ['MediaUrl', 'https://x.example/2'],
      ],
    )
  }
})

test('days after and before are parameters whose names end with a sign', async (t) => {
  const { stub, run } = await vendor(t, 'twilio', 'https://api.twilio.com')
  await run(
    'TWILIO_LIST_MESSAGES',
    { date_sent_after: '2026-11-01', date_sent_before: '2026-11-30' },
    'BASIC',
    { account_sid: ACCOUNT, password: 'token-1' },
  )
  assert.match(stub.requests.at(-1)!.url, /\?DateSent%3E=2026-11-01&DateSent%3C=2026-11-30&PageSize=50$/)
})
