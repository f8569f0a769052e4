import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const ID = '1234567890123456789'

test('a bot token has the prefix Bot, a user’s token Bearer; a reason is percent-encoded and optional', async (t) => {
  const { stub, run } = await vendor(t, 'discord', 'https://discord.com/api/v10')
  stub.answer = () => ({ status: 204, text: '' })
  const headers = () => {
    const { authorization, 'x-audit-log-reason': reason } = stub.requests.at(-1)!.headers
    return [authorization, reason]
  }
  const call = (args: object, ...connection: [string, Record<string, unknown>]) =>
    run('DISCORD_DELETE_MESSAGE', { channel_id: ID, message_id: ID, ...args }, ...connection)
  assert.equal(
    (await call({ reason: 'Spam, für alle' }, 'API_KEY', { generic_api_key: 'bot-1' })).successful,
    true,
  )
  assert.deepEqual(headers(), ['Bot bot-1', 'Spam%2C%20f%C3%BCr%20alle'])
  await call({}, 'BEARER_TOKEN', { token: 'user-1' })
  assert.deepEqual(headers(), ['Bearer user-1', undefined])
  assert.equal(stub.requests.at(-1)!.url, `/channels/${ID}/messages/${ID}`)
})

test('an emoji is one segment of the path, and what was not given is not sent', async (t) => {
  const { stub, run } = await vendor(t, 'discord', 'https://discord.com/api/v10')
  const connection = ['API_KEY', { generic_api_key: 'bot-1' }] as const
  await run('DISCORD_ADD_REACTION', { channel_id: ID, message_id: ID, emoji: 'blob:5' }, ...connection)
  assert.match(stub.requests.at(-1)!.url, /\/reactions\/blob%3A5\/@me$/)
  await run('DISCORD_SEND_MESSAGE', { channel_id: ID, content: 'Hi', allowed_mentions: [] }, ...connection)
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), {
    content: 'Hi',
    tts: false,
    allowed_mentions: { parse: [] },
  })
})
