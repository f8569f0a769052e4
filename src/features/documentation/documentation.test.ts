import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import type { DocumentationGroup } from './pages.ts'
import { createPages } from './pages.ts'
import { type Hit, searchSections } from './search.ts'

test('documentation: this repository is served as Markdown, with a list of pages and a search', async (t) => {
  const { app } = await testApp(t)
  const get = (url: string) => app.http.inject({ url })

  const page = await get('/docs/guides/errors.md')
  assert.equal(page.headers['content-type'], 'text/markdown; charset=utf-8')
  assert.equal(page.headers['x-content-type-options'], 'nosniff')
  assert.match(page.body, /^# Handle errors\n/)

  const { groups } = (await get('/docs/index.json')).json<{ groups: DocumentationGroup[] }>()
  const errors = groups.flatMap(({ pages }) => pages).find(({ path }) => path === 'guides/errors.md')
  assert.deepEqual(errors, {
    path: 'guides/errors.md',
    title: 'Handle errors',
    summary: 'There are two kinds of errors: API errors and tool failures.',
  })

  for (const { path, summary } of groups.flatMap(({ pages }) => pages))
    assert.doesNotMatch(summary, /^(sh|json|text) /, `${path} begins with its first paragraph, not with code`)

  const { items } = (await get('/docs/search.json?q=tool+failure')).json<{ items: Hit[] }>()
  assert.equal(items[0]?.path, 'guides/errors.md')

  const overview = (await get('/llms.txt')).body
  assert.match(overview, /^# Patchbay\n\n> /)
  for (const { path, title } of groups.flatMap(({ pages }) => pages))
    assert.ok(overview.includes(`- [${title}](http://localhost:3900/docs/${path})`), path)
  assert.match((await get('/llms-full.txt')).body, /# Install\n[^]*# Handle errors\n/)
  assert.equal((await get('/docs')).headers.location, './docs/README.md')
})

test('documentation: no other file can be read, and a search without words is rejected', async (t) => {
  const { app } = await testApp(t)
  for (const path of [
    '../package.json',
    '..%2fpackage.json',
    '%2e%2e/SECURITY.md',
    'guides/../../SECURITY.md',
    'guides/..%2f..%2fSECURITY.md',
    'reference/openapi.json',
    'guides/errors.md%00.png',
    'guides/none.md',
    'guides',
    '',
  ]) {
    const reply = await app.http.inject({ url: `/docs/${path}` })
    assert.ok([302, 404].includes(reply.statusCode), `${path}: ${reply.statusCode}`)
    assert.doesNotMatch(reply.body, /vulnerability|"name": "patchbay"/, path)
  }
  for (const query of ['', '?q=', '?q=%20', `?q=${'a'.repeat(201)}`, '?q=a&q=b'])
    assert.equal((await app.http.inject({ url: `/docs/search.json${query}` })).statusCode, 400, query)
})

test('documentation: what is in a code block is no heading, and a page belongs to its first group', async (t) => {
  const pages = await written(t, {
    'README.md': [
      '# Start\n\n## One\n\n- [A](guides/a.md)\n- [OpenAPI](openapi.json)\n\n',
      '## Two\n\n- [A](guides/a.md)\n- [B](b.md)\n',
    ].join(''),
    'guides/a.md':
      '# A `title`\n\nSee [the other](../b.md). More.\n\n```sh\n## a comment\n```\n\n## Part\n\ninner words\n',
    'b.md': '# B\n',
  })
  assert.deepEqual(
    (await pages.listGroups()).map(({ title, pages: own }) => [title, own.map(({ path }) => path)]),
    [
      ['One', ['guides/a.md']],
      ['Two', ['b.md']],
    ],
  )
  assert.deepEqual(
    (await pages.listSections()).map(({ heading, text }) => [heading, text]),
    [
      [null, 'See the other. More. ## a comment'],
      ['Part', 'inner words'],
    ],
  )
})

test('documentation: a search finds sections with every word, those with the words in the heading first', () => {
  const section = (title: string, heading: string | null, text: string) => ({
    path: 'a.md',
    title,
    heading,
    text,
  })
  const sections = [
    section('Errors', null, 'retry retry retry retry retry retry'),
    section('Webhooks', 'Retry', 'a delivery is repeated'),
    section('Webhooks', 'Secrets', 'signed'),
  ]
  assert.deepEqual(
    searchSections(sections, 'RETRY').map(({ heading, title }) => heading ?? title),
    ['Retry', 'Errors'],
  )
  assert.deepEqual(
    searchSections(sections, 'retry delivery').map(({ heading }) => heading),
    ['Retry'],
  )
  assert.deepEqual(searchSections(sections, '!?'), [])
  const [long] = searchSections(
    [section('Long', null, `${'word '.repeat(100)}needle ${'word '.repeat(100)}`)],
    'needle',
  )
  assert.match(long?.excerpt ?? '', /^… .*needle.* …$/)
})

async function written(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'guides'))
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return createPages(folder)
}
