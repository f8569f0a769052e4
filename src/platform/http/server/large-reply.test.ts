import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeTool, listTools } from '../../../contract/tools/index.ts'
import { bytesOfConstant, constantJson, serializedItem } from '../../constant-json.ts'
import { JsonText, rememberJsonSource } from '../../json-source.ts'
import { largeReplySerializer, toBody } from './large-reply.ts'
import { createRequestTurns, runInTurn } from '../turns/request-turns.ts'
import { schemaCompilers } from './schema-compilers.ts'

const listItem = (n: number, more: object = {}) => ({
  slug: `TOOL_${n}`,
  name: `"Tool" ${n} é`,
  description: 'x'.repeat(3_000),
  human_description: '',
  toolkit: { slug: 'tool', name: 'Tool', logo: '' },
  input_parameters: { type: 'object', properties: { a: { type: 'string' } } },
  output_parameters: {},
  no_auth: false,
  version: '20260101_00',
  available_versions: ['20260101_00'],
  scopes: [],
  scope_requirements: null,
  tags: [],
  is_deprecated: false,
  deprecated: {
    displayName: '',
    version: '',
    available_versions: [],
    is_deprecated: false,
    toolkit: { logo: '' },
  },
  ...more,
})
const page = (items: object[]) => ({
  items,
  total_items: items.length,
  total_pages: 1,
  current_page: 1,
  next_cursor: null,
})
const serializeWhole = (schema: object, reply: object) => String(schemaCompilers().serializer(schema)(reply))

/** Runs work to its end. Returns its result and how often it could be interrupted. */
function run(work: Generator<void, Buffer[]> | undefined) {
  assert.ok(work, 'the response is large')
  for (let interruptions = 0; ; interruptions++) {
    const step = work.next()
    if (step.done)
      return { parts: step.value, text: Buffer.concat(step.value).toString('utf8'), interruptions }
  }
}

test('large reply: a long list is serialized item by item, with the same JSON as in one piece', () => {
  const serialize = largeReplySerializer(listTools.reply)!
  const reply = page(Array.from({ length: 200 }, (_, n) => listItem(n, { undeclared: 'x' })))
  const { parts, text, interruptions } = run(serialize(reply))
  assert.equal(text, serializeWhole(listTools.reply, reply))
  assert.equal(interruptions, 200)
  assert.ok(parts.length <= 8, `${parts.length} parts of 700 kB: small items are joined`)
  assert.ok(parts.every(({ length }) => length <= 128 * 1_024))
  assert.equal(
    serialize(page(reply.items.slice(0, 20))),
    undefined,
    'a short list is serialized in one piece',
  )
})

test('large reply: an item that is JSON already is sent as it is, also in a short list', () => {
  const serialize = largeReplySerializer(listTools.reply)!
  const expected = serializeWhole(listTools.reply, page([listItem(1), listItem(2)]))
  const constant = constantJson<object>(JSON.stringify(listItem(1)))
  const reply = page([constant, listItem(2)])
  const { parts, text } = run(serialize(reply))
  assert.equal(text, expected)
  assert.equal(parts[1], bytesOfConstant(constant), 'without a copy')
  assert.equal(serializeWhole(listTools.reply, reply), expected, 'also in one piece')
  assert.equal(parts[1]!.buffer.byteLength, parts[1]!.length, 'the bytes share no memory with others')
})

test('large reply: small items that are JSON already are joined, between items that are not', () => {
  const serialize = largeReplySerializer(listTools.reply)!
  const small = (n: number) => listItem(n, { description: `é ${n}` })
  const items = Array.from({ length: 300 }, (_, n) => small(n))
  const mixed = items.map((item, n) => (n % 7 === 0 ? item : serializedItem<object>(JSON.stringify(item))))
  const { parts, text } = run(serialize(page(mixed)))
  assert.equal(text, serializeWhole(listTools.reply, page(items)))
  assert.ok(parts.length <= 3, `${parts.length} parts`)
})

test('large reply: a large response of an application is sent without copying its bytes', () => {
  const serialize = largeReplySerializer(executeTool.reply)!
  const reply = (data: object) => ({
    data,
    error: null,
    successful: true,
    session_info: null,
    log_id: 'log_1',
  })
  const bytes = Buffer.from(JSON.stringify({ text: 'é'.repeat(100_000) }))
  const data = JSON.parse(bytes.toString('utf8')) as object
  rememberJsonSource(data, new JsonText(bytes.toString('utf8'), bytes))
  const { parts, text } = run(serialize(reply(data)))
  assert.equal(parts[1], bytes)
  assert.equal(text, serializeWhole(executeTool.reply, reply(data)))
  assert.equal(serialize(reply({ ...data })), undefined, 'changed data is serialized as usual')
})

test('large reply: the process handles other events between the chunks of a body', async () => {
  const parts = [Buffer.alloc(10, 'a'), Buffer.alloc(1_000_000, 'b'), Buffer.alloc(10, 'c')]
  const bytes = 1_000_020
  const log: string[] = []
  const countTurns = () => {
    log.push('turn')
    next = setImmediate(countTurns)
  }
  let next = setImmediate(countTurns)
  const chunks: Buffer[] = []
  for await (const chunk of toBody(parts, bytes) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    log.push('chunk')
  }
  clearImmediate(next)
  assert.deepEqual(Buffer.concat(chunks), Buffer.concat(parts))
  assert.ok(chunks.length >= 8 && chunks.every(({ length }) => length <= 128 * 1_024))
  assert.doesNotMatch(log.join(' '), /chunk chunk chunk chunk/)
  assert.ok(Buffer.isBuffer(toBody([Buffer.from('{}')], 2)), 'a small body is sent at once')
})

test('large reply: while other projects are active, each chunk of a body waits for its turn', async () => {
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const turn = await turns.start('a', 'list', () => new AbortController().signal, 0)
  let waits = 0
  const hasNeighbour = () => {
    waits++
    return false
  }
  const shared = Object.assign(turn, { isShared: () => true, hasNeighbour })
  const body = runInTurn(shared, () => toBody([Buffer.alloc(1_000_000, 'a')], 1_000_000))
  let [bytes, chunks] = [0, 0]
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    chunks++
  }
  assert.deepEqual([bytes, waits], [1_000_000, chunks - 1])
})
