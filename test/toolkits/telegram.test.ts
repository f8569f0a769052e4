import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const TOKEN = '123456:AA-bc_D'
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'telegram', 'https://api.telegram.org')

test('the token is in the path as the vendor writes it, and in no log', async (t) => {
  const { stub, run, logs } = await stand(t)
  stub.answer = () => ({ json: { ok: true, result: { message_id: 7 } } })
  const { successful, data } = await run(
    'TELEGRAM_SEND_MESSAGE',
    {
      chat_id: '@news',
      text: 'Hi',
      reply_to_message_id: 3,
      buttons: [[{ text: 'Yes', callback_data: 'y' }]],
    },
    'API_KEY',
    { generic_api_key: TOKEN },
  )
  assert.deepEqual([successful, data], [true, { message_id: 7 }])
  const { url, body, headers } = stub.requests[0]!
  assert.deepEqual([url, headers.authorization], ['/bot123456:AA-bc_D/sendMessage', undefined])
  assert.deepEqual(JSON.parse(body), {
    chat_id: '@news',
    text: 'Hi',
    disable_notification: false,
    protect_content: false,
    reply_parameters: { message_id: 3 },
    reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'y' }]] },
  })
  assert.equal(JSON.stringify(await logs()).includes('AA-bc_D'), false)
})

test('a response that is not ok is a failure with its description, also with status 200', async (t) => {
  const { stub, run } = await stand(t)
  for (const status of [200, 400]) {
    stub.answer = () => ({
      status,
      json: { ok: false, error_code: 400, description: 'Bad Request: chat not found' },
    })
    const { successful, error } = await run('TELEGRAM_GET_CHAT', { chat_id: 5 }, 'API_KEY', {
      generic_api_key: TOKEN,
    })
    assert.equal(successful, false)
    assert.match(String(error), /Bad Request: chat not found$/)
    assert.equal(String(error).includes('AA-bc_D'), false)
  }
})

test('a list is `items` and a plain value `value`', async (t) => {
  const { stub, run } = await stand(t)
  for (const [tool, result, data] of [
    ['TELEGRAM_GET_UPDATES', [{ update_id: 1 }], { items: [{ update_id: 1 }] }],
    ['TELEGRAM_DELETE_WEBHOOK', true, { value: true }],
  ] as const) {
    stub.answer = () => ({ json: { ok: true, result } })
    assert.deepEqual((await run(tool, {}, 'API_KEY', { generic_api_key: TOKEN })).data, data)
  }
})
