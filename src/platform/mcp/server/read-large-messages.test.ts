import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countLoopTurns } from '../../../../test/fixtures/loop-turns.ts'
import { isPartlyUnparsed, unparsedMember } from '../../json-outline/index.ts'
import { outlineRequest } from '../../json-outline/request-outline.ts'
import { readMessages } from './read-messages.ts'

const ROWS = JSON.stringify(Array.from({ length: 300 }, (_, n) => ({ n, note: 'x'.repeat(20) })))

/** Reads a message like a large body that a thread has checked. */
function readChecked(bytes: Buffer) {
  return readMessages({
    method: 'POST',
    text: '',
    largeBody: { bytes, outline: outlineRequest(bytes, true) },
  })
}

/** Returns the error, or the messages with the arguments that were removed from them. */
async function outcomeOf(reading: ReturnType<typeof readMessages>): Promise<unknown> {
  const result = await reading
  if ('error' in result) return [result.error.status, await result.error.json()]
  const { messages, largeArguments } = result
  if (largeArguments === undefined) return messages
  const [message] = messages
  return [{ ...message, params: { ...message!.params, arguments: largeArguments } }]
}

const call = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"SAVE","arguments":${args}}}`
const MANY = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, n])))

const HOSTILE: Readonly<Record<string, string | Buffer>> = {
  'prototype keys below the arguments': call(
    `{"a":{"__proto__":{"x":1},"constructor":{"prototype":1},"b":${ROWS}}}`,
  ),
  'prototype keys of the message': `{"__proto__":${ROWS},"constructor":{"prototype":${ROWS}},"id":1}`,
  'prototype keys as parameters': `{"method":"tools/call","params":{"__proto__":{"arguments":{"a":${ROWS}}}}}`,
  'two arguments': call(`{"a":1},"arguments":{"b":${ROWS},"b":[2]}`),
  'two methods': `{"method":"tools/list",${call(`{"a":${ROWS}}`).slice(1)}`,
  'deep nesting': call(`{"a":${'['.repeat(200)}${']'.repeat(200)},"b":${ROWS}}`),
  NUL: call(`{"a":"\\u0000","b":${ROWS}}`),
  'an unpaired surrogate': call(`{"a\\ud800":1,"b":${ROWS}}`),
  'a huge number': call(`{"a":1e400,"b":${ROWS}}`),
  'invalid UTF-8': Buffer.from(call(`{"a":"\xff\xc0","b":${ROWS}}`), 'latin1'),
  'a byte order mark': `\ufeff${call(`{"b":${ROWS}}`)}`,
  'half a message': call(`{"b":${ROWS}}`).slice(0, -3),
  'no text': '',
  'a text instead of a message': ROWS.replaceAll('[', '"').replaceAll(/[{}:,]|"(?!$)/g, ''),
  'a number': '1',
  'a batch': `[${call(`{"a":${ROWS}}`)},{"id":2,"method":"ping"}]`,
  'an empty batch': '[]',
  'too many messages': `[${Array(51).fill('{"id":1,"method":"ping"}').join()}]`,
  'a subscription': `{"id":7,"method":"subscriptions/listen","params":{"a":${ROWS}}}`,
  'arguments that are a list': call(ROWS),
  'arguments that are a text': call(JSON.stringify('x'.repeat(9_000))),
  'arguments with many properties': call(MANY),
  'parameters with many properties': `{"method":"tools/call","params":${MANY.slice(0, -1)},"arguments":{"a":${ROWS}}}}`,
  'a long method': `{"method":${JSON.stringify('tools/call'.repeat(1_000))},"params":{"arguments":{"a":${ROWS}}}}`,
  'another method': `{"id":1,"method":"tools/list","params":{"arguments":{"a":${ROWS}}}}`,
}

test('mcp: a message that a thread has checked is read as a message in one piece', async () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    const bytes = Buffer.from(text as string)
    const inOnePiece = readMessages({ method: 'POST', text: bytes.toString('utf8') })
    assert.deepEqual(await outcomeOf(readChecked(bytes)), await outcomeOf(inOnePiece), name)
  }
  assert.equal(({} as Record<string, unknown>)['arguments'], undefined)
})

test('mcp: large arguments of a tool stay bytes, without a property __proto__, which the SDK removes too', async () => {
  const text = call(`{"rows":${ROWS},"__proto__":{"rows":${ROWS}}}`)
  const result = await readChecked(Buffer.from(text))
  assert.ok(!('error' in result))
  const { body, messages, largeArguments } = result
  assert.deepEqual(
    [messages, (body as { params: unknown }).params],
    [[body], { name: 'SAVE', arguments: {} }],
  )
  assert.ok(largeArguments && unparsedMember(largeArguments, 'rows'))
  assert.deepEqual(Reflect.ownKeys(largeArguments), ['rows'])
  assert.deepEqual(largeArguments, { rows: JSON.parse(ROWS) })
})

test('mcp: messages with more properties than an outline has are parsed in slices', async (t) => {
  const turn = countLoopTurns(t)
  const rows = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n, note: 'x'.repeat(20) })))
  const many = `${MANY.slice(0, -1)},"rows":${rows}}`
  for (const text of [call(many), call(rows), `{"method":"tools/call","params":${many}}`]) {
    const startedAt = turn()
    assert.deepEqual(await outcomeOf(readChecked(Buffer.from(text))), [JSON.parse(text)])
    assert.ok(turn() - startedAt >= 3, `${turn() - startedAt} turns`)
  }
})

test('mcp: other large values of a message are parsed before the SDK reads them', async () => {
  const result = await readChecked(
    Buffer.from(`{"id":1,"method":"ping","params":{"a":${ROWS},"b":{"c":${ROWS}}}}`),
  )
  assert.ok(!('error' in result))
  const { params } = result.messages[0]!
  assert.ok(params && isPartlyUnparsed(params))
  assert.equal(unparsedMember(params, 'a') ?? unparsedMember(params['b'] as object, 'c'), undefined)
})
