import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolFailure } from '../../src/catalog/code-tool.ts'
import { tools } from '../../toolkits/googledocs/tools.ts'

const calls: { method: string; path: string; query?: Record<string, unknown> }[] = []
const read = (answer: unknown, args: Record<string, unknown> = {}) =>
  tools.GOOGLEDOCS_READ_DOCUMENT!(
    { document_id: 'doc-1', ...args },
    {
      request: async (call) => {
        calls.push(call)
        return answer
      },
      now: () => 0,
      signal: new AbortController().signal,
      saveFile: () => assert.fail('no file is kept'),
      upload: () => assert.fail('no file is uploaded'),
    },
  ) as Promise<{ blocks: Record<string, any>[]; truncated: boolean; tabs: unknown[]; title: string }>

const paragraph = (startIndex: number, text: string, more: object = {}) => ({
  startIndex,
  endIndex: startIndex + text.length,
  paragraph: { elements: [{ textRun: { content: text } }], ...more },
})
const tab = (tabId: string, content: unknown[], childTabs: unknown[] = []) => ({
  tabProperties: { tabId, title: tabId.toUpperCase() },
  documentTab: { body: { content } },
  childTabs,
})

test('a document is read as blocks, in their order, with tab, style, list and place in a table', async () => {
  const { blocks, tabs, truncated } = await read({
    documentId: 'doc-1',
    title: 'Notes',
    tabs: [
      tab(
        't.0',
        [
          { sectionBreak: {}, endIndex: 1 },
          paragraph(1, 'Plan\n', { paragraphStyle: { namedStyleType: 'HEADING_1' } }),
          paragraph(6, 'Buy\n', { bullet: { listId: 'l' } }),
          {
            startIndex: 10,
            endIndex: 30,
            table: {
              tableRows: [
                { tableCells: [{ content: [paragraph(13, 'a\n')] }, { content: [paragraph(16, 'b\n')] }] },
              ],
            },
          },
          {
            startIndex: 30,
            endIndex: 32,
            paragraph: { elements: [{ inlineObjectElement: {} }, { textRun: { content: '\n' } }] },
          },
        ],
        [tab('t.1', [paragraph(1, 'Child\n')])],
      ),
      tab('t.2', [paragraph(1, 'Last\n')]),
    ],
  })
  assert.deepEqual(calls.at(-1), {
    method: 'GET',
    path: '/v1/documents/doc-1',
    query: { includeTabsContent: true },
  })
  assert.deepEqual(
    blocks.map(({ text, start_index, tab_id }) => [text, start_index, tab_id]),
    [
      ['Plan', 1, 't.0'],
      ['Buy', 6, 't.0'],
      ['a', 13, 't.0'],
      ['b', 16, 't.0'],
      ['[object]', 30, 't.0'],
      ['Child', 1, 't.1'],
      ['Last', 1, 't.2'],
    ],
  )
  assert.deepEqual(
    [blocks[0]!.style, blocks[1]!.list_level, blocks[3]!.table],
    ['HEADING_1', 0, { start_index: 10, row: 0, column: 1 }],
  )
  assert.deepEqual([tabs.length, truncated], [3, false])
})

test('a long document is cut and says so', async () => {
  const { blocks, truncated } = await read(
    { tabs: [tab('t.0', [paragraph(1, 'abcdef\n'), paragraph(8, 'ghi\n')])] },
    { max_chars: 4 },
  )
  assert.deepEqual([blocks.map(({ text }) => text), truncated], [['abcd'], true])
})

test('replies without the parts that are read, and tables in tables without end, are borne', async () => {
  for (const answer of [
    undefined,
    {},
    { tabs: [{}] },
    {
      tabs: [
        tab('t', [
          {},
          { table: {} },
          { table: { tableRows: [{}] } },
          { tableOfContents: {} },
          { paragraph: {} },
        ]),
      ],
    },
  ]) {
    assert.ok(Array.isArray((await read(answer)).blocks))
  }
  let nested: object = paragraph(1, 'deep\n')
  for (let depth = 0; depth < 5_000; depth++)
    nested = { table: { tableRows: [{ tableCells: [{ content: [nested] }] }] } }
  assert.equal((await read({ tabs: [tab('t', [nested])] })).blocks[0]!.text, 'deep')
})

test('an id that would change the path is rejected, and no request is sent', async () => {
  const before = calls.length
  for (const document_id of ['', '../x', 'a/b', 'a?b', 7])
    await assert.rejects(read({}, { document_id }), ToolFailure)
  assert.equal(calls.length, before)
})
