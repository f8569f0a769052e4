import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  lookupFrom,
  type QueryStyle,
  type RenderedRequest,
  renderRequest,
  ToolFailure,
  UnsafeValue,
  readAllTools,
} from '../../catalog/index.ts'
import { catalogFromSources } from '../../catalog/manifest/load/load.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { encodeBody, serializeLongBody } from './encode-body.ts'

/** The body that a tool sends, and its content type. */
function sent(request: Record<string, unknown>, args: Record<string, unknown>) {
  const properties = Object.fromEntries(Object.keys(args).map((name) => [name, { description: name }]))
  const catalog = catalogFromSources([
    sampleSource({}, [
      sampleTool({
        input: { type: 'object', properties },
        request: { method: 'POST', path: '/x', ...request },
      }),
    ]),
  ])
  return encoded(renderRequest([...readAllTools(catalog)][0]!.request!, args, lookupFrom({ subdomain: 's' })))
}

function encoded(rendered: Pick<RenderedRequest, 'body' | 'bodyType'> & Partial<RenderedRequest>) {
  const headers = { ...rendered.headers }
  const body = encodeBody(rendered as RenderedRequest, headers)
  return { body, type: headers['content-type'] }
}

/** The platform's own reader of forms. */
const parsed = async ({ body, type }: ReturnType<typeof sent>) => [
  ...(await new Response(body as ConstructorParameters<typeof Response>[0], {
    headers: { 'content-type': String(type) },
  }).formData()),
]

test('body: a form serializes lists and objects in the style of the property', () => {
  const body = {
    plain: [1, 2],
    card: { number: '42 42', exp: { month: 1 } },
    items: [{ price: 'a' }, { price: 'b' }],
    csv: ['a,b', 'c'],
  }
  const { body: text, type } = sent(
    {
      body: ['plain', 'card', 'items', 'csv'],
      body_type: 'form',
      body_style: { card: 'brackets', items: 'brackets', csv: 'comma' },
    },
    body,
  )
  assert.equal(type, 'application/x-www-form-urlencoded')
  assert.equal(
    text,
    'plain=1&plain=2&card%5Bnumber%5D=42+42&card%5Bexp%5D%5Bmonth%5D=1&items%5B0%5D%5Bprice%5D=a&items%5B1%5D%5Bprice%5D=b&csv=a%2Cb,c',
  )
})

test('body: a multipart body contains texts, JSON and files, each with its type', async () => {
  const request = {
    body: {
      note: { $: 'note' },
      meta: { $: 'meta' },
      raw: { $: 'raw' },
      doc: { $: 'doc', as: 'file' },
      many: { $: 'many', as: 'file' },
    },
    body_type: 'multipart',
    part_types: { raw: 'application/json', doc: 'text/csv' },
  }
  const sentBody = sent(request, {
    note: 'é "q"',
    meta: { a: [1] },
    raw: 'x',
    doc: 'a;b',
    many: [
      {
        name: 'p"\r\nx.png',
        mimetype: 'image/png',
        content: Buffer.from([0, 255, 10]).toString('base64'),
        encoding: 'base64',
      },
      { content: '2' },
    ],
  })
  assert.match(String(sentBody.type), /^multipart\/form-data; boundary=-{4}[0-9a-f]{32}$/)
  const text = String(sentBody.body)
  assert.match(text, /name="meta"\r\ncontent-type: application\/json\r\n\r\n\{"a":\[1\]\}\r\n/)
  assert.match(text, /name="raw"\r\ncontent-type: application\/json\r\n\r\n"x"\r\n/)
  assert.match(text, /name="doc"; filename="doc"\r\ncontent-type: text\/csv\r\n\r\na;b\r\n/)
  assert.match(text, /filename="p%22%0D%0Ax\.png"\r\ncontent-type: image\/png/)
  const fields = await parsed(sentBody)
  assert.deepEqual(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.size]),
    [
      ['note', 'é "q"'],
      ['meta', '{"a":[1]}'],
      ['raw', '"x"'],
      ['doc', 3],
      ['many', 3],
      ['many', 1],
    ],
  )
  assert.deepEqual([...new Uint8Array(await (fields[4]![1] as File).arrayBuffer())], [0, 255, 10])
})

test('property: a multipart reader returns all names and texts unchanged', async () => {
  // A lone CR or LF in a name or text is normalised by readers, as browsers do; bytes of files are not.
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !/[\r\n]/.test(one))
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        text.filter((one) => !/["%]/.test(one) && one !== ''),
        text,
        { noNullPrototype: false, minKeys: 1 },
      ),
      async (body) => {
        assert.deepEqual(await parsed(encoded({ body, bodyType: 'multipart' })), Object.entries(body))
      },
    ),
    { numRuns: 50 },
  )
})

test('property: a form reader returns all names and texts unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' }), { noNullPrototype: false }),
      async (body) => {
        const { body: text } = encoded({ body, bodyType: 'form' })
        assert.deepEqual([...new URLSearchParams(String(text))], Object.entries(body))
      },
    ),
  )
})

test('body: one file can be the whole body, with the type of the file or the tool', () => {
  const args = { file: { mimetype: 'image/png', content: 'AP8K', encoding: 'base64' } }
  const body = { $: 'file', as: 'file' }
  assert.deepEqual(sent({ body, body_type: 'binary' }, args), {
    body: Buffer.from([0, 255, 10]),
    type: 'image/png',
  })
  assert.equal(
    sent({ body, body_type: 'binary', headers: { 'content-type': 'application/pdf' } }, args).type,
    'application/pdf',
  )
  assert.deepEqual(sent({ body, body_type: 'binary' }, { file: 'plain' }), {
    body: Buffer.from('plain'),
    type: 'application/octet-stream',
  })
})

test('body: a value that is not a file and a name that would end a header are failures with a text', () => {
  for (const file of [
    { content: 'a*b', encoding: 'base64' },
    {},
    { content: 1 },
    7,
    { content: 'x', encoding: 'gzip' },
    { content: 'x', mimetype: 'a/b\r\nx: y' },
    { content: 'x', name: 5 },
  ]) {
    assert.throws(
      () => sent({ body: { $: 'file', as: 'file' }, body_type: 'binary' }, { file }),
      UnsafeValue,
      JSON.stringify(file),
    )
  }
  for (const bodyType of ['binary', 'multipart'] as const)
    assert.throws(() => encoded({ body: 'text', bodyType }), ToolFailure)
})

test('body: an optional body without arguments is not sent', () => {
  const request = { body: { a: { $: 'a' } }, body_optional: true }
  assert.deepEqual(sent(request, { a: undefined }), { body: undefined, type: undefined })
  assert.deepEqual(sent(request, { a: 1 }), { body: '{"a":1}', type: 'application/json' })
})

test('body: cookies are encoded, so that no value ends a cookie or starts another', () => {
  const tool = sampleTool({
    input: { type: 'object', properties: { a: { description: 'A.' }, b: { description: 'B.' } } },
    request: { method: 'GET', path: '/x', cookies: { 's a': { $: 'a' }, b: { $: 'b' } } },
  })
  const { request } = [...readAllTools(catalogFromSources([sampleSource({}, [tool])]))][0]!
  const cookies = (args: Record<string, unknown>) =>
    renderRequest(request!, args, lookupFrom({})).headers['cookie']
  assert.equal(cookies({ a: 'x; admin=1', b: [1, 2] }), 's%20a=x%3B%20admin%3D1; b=1%2C2')
  assert.equal(cookies({}), undefined)
})

test('body: a style without its parameter is an error of the manifest', () => {
  const wrong = (request: Record<string, unknown>) => () => sent({ body: ['a'], ...request }, { a: 1 })
  for (const [request, reason] of [
    [{ body_style: { b: 'comma' }, body_type: 'form' }, /not a property of the body/],
    [{ body_style: { a: 'comma' } }, /for form and multipart/],
    [{ part_types: { a: 'text/x' }, body_type: 'form' }, /for multipart/],
    [{ path_style: { a: 'label' } }, /is not a placeholder of the path/],
    [{ query_style: { a: 'comma' } }, /is not a query parameter/],
    [{ query: { q: { $: 'a' } }, query_style: { q: 'dots' as QueryStyle } }, /must be repeat, comma/],
  ] as const)
    assert.throws(wrong(request), reason)
})

test('body: a long JSON body is serialized once in slices, and sent as these bytes unless it is replaced', async () => {
  const body = { rows: Array.from({ length: 5_000 }, (_, n) => ({ id: n })), skipped: undefined }
  const request = { body, bodyType: 'json' } as const
  const expected = JSON.stringify(body)
  await serializeLongBody(request)
  assert.equal(serializeLongBody(request), undefined)
  body.rows.length = 0
  assert.equal(String(encodeBody(request, {})), expected, 'the bytes that were made before')
  assert.equal(encodeBody({ ...request, body: { ...body, key: 1 } }, {}), '{"rows":[],"key":1}')
  assert.equal(serializeLongBody({ body: 'text', bodyType: 'json' }), undefined)
  assert.equal(serializeLongBody({ body, bodyType: 'form' }), undefined)
})
