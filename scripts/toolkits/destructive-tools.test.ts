import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { type Catalog, loadCatalog } from '../../src/catalog/index.ts'
import { withRequired } from './input-parts.ts'
import { readOverlay } from './overlay.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
let catalog: Catalog

before(async () => {
  catalog = await loadCatalog({ folder: FOLDER })
})

const toolOf = (slug: string) => catalog.tool(slug, 'latest')?.tool
// Not `readAllTools`: it compiles the tools of all toolkits, which takes seconds.
const toolsOf = (toolkit: string) =>
  catalog.toolkit(toolkit, 'latest')!.tools.map(({ slug }) => toolOf(slug)!)

test('required arguments: the overlay adds them, and rejects one that the operation does not have', () => {
  const input = { type: 'object', properties: { id: { type: 'string' } } }
  assert.deepEqual(withRequired(input, ['id'], 'DELETE /items'), { ...input, required: ['id'] })
  assert.deepEqual(withRequired(input, [], 'DELETE /items'), input)
  assert.throws(() => withRequired(input, ['ids'], 'DELETE /items'), /DELETE \/items requires ids/)
})

test('SENTRY_DELETE_PROJECT_ISSUES: the id of the issue is required', () => {
  const { required } = toolOf('SENTRY_DELETE_PROJECT_ISSUES')!.manifest.input as { required: string[] }
  assert.ok(required.includes('id'))
})

test('tools that can also delete: each has the destructive hint and says how it deletes', () => {
  const destructive = globSync('*/overlay.json', { cwd: FOLDER }).flatMap((file) =>
    Object.entries(readOverlay(join(FOLDER, file)).destructive ?? {}).map(
      ([slug, text]) => [dirname(file), slug, text] as const,
    ),
  )
  assert.deepEqual([...new Set(destructive.map(([toolkit]) => toolkit))].sort(), [
    'docuseal',
    'docusign',
    'kibana',
    'prisma',
    'quickbooks',
    'snowflake',
    'twitter',
    'xero',
  ])
  for (const [, slug, text] of destructive) {
    const tool = toolOf(slug)!
    assert.ok(tool.tags.includes('destructiveHint'), slug)
    assert.ok(tool.description.includes(text), slug)
  }
})

test('tools of QuickBooks, DocuSign and Xero: one that says it deletes or voids has the destructive hint', () => {
  const silent = ['quickbooks', 'docusign', 'xero'].flatMap((toolkit) =>
    toolsOf(toolkit).filter(
      ({ manifest: { effect }, description, tags }) =>
        effect !== 'read' &&
        /\b(?:deletes|voids) (?!nothing)/.test(description) &&
        !tags.includes('destructiveHint'),
    ),
  )
  assert.deepEqual(
    silent.map(({ slug, description }) => `${slug}: ${description}`),
    [],
  )
})

test('Jira: no tool calls the search that Atlassian has removed, and its names lead to the current search', () => {
  for (const { slug, manifest } of toolsOf('jira'))
    assert.doesNotMatch(manifest.request?.path ?? '', /^\/search(?:\/id)?$/, slug)
  for (const name of ['JIRA_SEARCH_FOR_ISSUES_USING_JQL_GET', 'JIRA_SEARCH_FOR_ISSUES_USING_JQL_POST'])
    assert.equal(toolOf(name)?.slug, 'JIRA_SEARCH_ISSUES')
})
