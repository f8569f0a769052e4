import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const KEY = ['API_KEY', { generic_api_key: 'rk_test_1' }] as const
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'stripe', 'https://api.stripe.com')

test('what is nested goes in brackets, and what is made carries its key and the version', async (t) => {
  const { stub, run } = await stand(t)
  const args = {
    customer: 'cus_1',
    items: [{ price: 'price_1', quantity: 2 }, { price: 'price_2' }],
    metadata: { order: '6735' },
    idempotency_key: 'once-1',
  }
  assert.equal((await run('STRIPE_CREATE_SUBSCRIPTION', args, ...KEY)).successful, true)
  const { method, url, headers, body } = stub.requests.at(-1)!
  assert.deepEqual(
    [method, url, headers.authorization, headers['idempotency-key'], headers['stripe-version']],
    ['POST', '/v1/subscriptions', 'Bearer rk_test_1', 'once-1', '2024-06-20'],
  )
  assert.match(headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/)
  assert.deepEqual(
    [...new URLSearchParams(body)],
    [
      ['customer', 'cus_1'],
      ['items[0][price]', 'price_1'],
      ['items[0][quantity]', '2'],
      ['items[1][price]', 'price_2'],
      ['collection_method', 'charge_automatically'],
      ['metadata[order]', '6735'],
    ],
  )
  await run('STRIPE_LIST_CUSTOMERS', { created: { gte: 5, lt: 9 } }, ...KEY)
  assert.deepEqual(
    [...stub.requests.at(-1)!.query],
    [
      ['created[gte]', '5'],
      ['created[lt]', '9'],
      ['limit', '10'],
    ],
  )
})

test('a declined card is reported with the message of the vendor', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({
    status: 402,
    json: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
  })
  const { successful, error } = await run(
    'STRIPE_CREATE_PAYMENT_INTENT',
    { amount: 1099, currency: 'usd', confirm: true },
    ...KEY,
  )
  assert.equal(successful, false)
  assert.match(error ?? '', /Your card was declined\./)
})
