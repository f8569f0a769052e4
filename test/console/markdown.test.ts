import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import {
  type Block,
  type Inline,
  parseInline,
  parseMarkdown,
  textOf,
} from '../../src/console/pages/docs/markdown.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const text = (value: string): Inline => ({ kind: 'text', text: value })

/** Every text of a page that is not code. */
function* textsOf(blocks: readonly Block[]): Generator<string> {
  const plain = (content: readonly Inline[]): string[] =>
    content.flatMap((part) =>
      part.kind === 'text' ? [part.text] : 'content' in part ? plain(part.content) : [],
    )
  for (const block of blocks) {
    if (block.kind === 'list') for (const item of block.items) yield* textsOf(item)
    else if (block.kind === 'quote') yield* textsOf(block.content)
    else if (block.kind === 'table') for (const cell of [block.head, ...block.rows].flat()) yield* plain(cell)
    else if (block.kind !== 'code') yield* plain(block.content)
  }
}

test('markdown: every page of this repository is read without marks that are left over', () => {
  const left: string[] = []
  for (const file of globSync('{*,guides/*,reference/*,decisions/*}.md', { cwd: DOCS })) {
    const blocks = parseMarkdown(readFileSync(join(DOCS, file), 'utf8'))
    assert.equal(blocks[0]?.kind, 'heading', file)
    for (const found of textsOf(blocks))
      if (/`|\*\*|\]\(|^\||^#+ |^- /.test(found)) left.push(`${file}: ${found.slice(0, 100)}`)
  }
  assert.deepEqual(left, [])
})

test('markdown: nothing of a page is lost', () => {
  const page = readFileSync(join(DOCS, 'guides/errors.md'), 'utf8')
  const letters = (value: string) =>
    value.replace(/\]\([^)]*\)|^```.*$|^\|?[-| ]+$/gm, '').replace(/[^\p{L}\p{N}]/gu, '')
  const all = (blocks: readonly Block[]): string =>
    blocks
      .map((block) => {
        if (block.kind === 'code') return block.text
        if (block.kind === 'list') return block.items.map(all).join('')
        if (block.kind === 'quote') return all(block.content)
        if (block.kind === 'table') return [block.head, ...block.rows].flat().map(textOf).join('')
        return textOf(block.content)
      })
      .join('')
  assert.equal(letters(all(parseMarkdown(page))), letters(page))
})

test('markdown: blocks', () => {
  const page = [
    '# A `b`',
    '',
    'one',
    'two',
    '',
    '- x',
    '  y',
    '  1. deep',
    '- z',
    '',
    '  after',
    '',
    '3. third',
    '',
    '| a | b |',
    '|---|:-:|',
    '| `x|y` | p \\| q |',
    '',
    '````sh run',
    '```',
    '# no heading',
    '````',
    '> quoted',
    '## A b',
  ].join('\n')
  const paragraph = (value: string): Block => ({ kind: 'paragraph', content: [text(value)] })
  assert.deepEqual(parseMarkdown(page), [
    { kind: 'heading', level: 1, id: 'a-b', content: [text('A '), { kind: 'code', text: 'b' }] },
    paragraph('one two'),
    {
      kind: 'list',
      isOrdered: false,
      start: 1,
      items: [
        [paragraph('x y'), { kind: 'list', isOrdered: true, start: 1, items: [[paragraph('deep')]] }],
        [paragraph('z'), paragraph('after')],
      ],
    },
    { kind: 'list', isOrdered: true, start: 3, items: [[paragraph('third')]] },
    {
      kind: 'table',
      head: [[text('a')], [text('b')]],
      rows: [[[{ kind: 'code', text: 'x|y' }], [text('p | q')]]],
    },
    { kind: 'code', language: 'sh', text: '```\n# no heading' },
    { kind: 'quote', content: [paragraph('quoted')] },
    { kind: 'heading', level: 2, id: 'a-b-1', content: [text('A b')] },
  ] satisfies Block[])
})

test('markdown: texts', () => {
  assert.deepEqual(
    parseInline('a **b `c`** *d* [e `f`](g.md#h) <https://i.example> ![j](k.png) \\*l\\* 2 * 3 * 4'),
    [
      text('a '),
      { kind: 'strong', content: [text('b '), { kind: 'code', text: 'c' }] },
      text(' '),
      { kind: 'emphasis', content: [text('d')] },
      text(' '),
      { kind: 'link', href: 'g.md#h', content: [text('e '), { kind: 'code', text: 'f' }] },
      text(' '),
      { kind: 'link', href: 'https://i.example', content: [text('https://i.example')] },
      text(' '),
      { kind: 'image', src: 'k.png', alt: 'j' },
      text(' *l* 2 * 3 * 4'),
    ],
  )
  assert.deepEqual(parseInline('``a ` b``'), [{ kind: 'code', text: 'a ` b' }])
})
