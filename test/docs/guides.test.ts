import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { z } from 'zod'
import { sdkServer } from '../fixtures/mcp-client.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startNodeRed } from '../fixtures/real-applications/node-red.ts'
import { startParseServer } from '../fixtures/real-applications/parse-server.ts'
import { blocksOf, pages, type Page } from './markdown.ts'
import { type Product, startProduct, withOwnProject } from './product.ts'
import { examplesOf, fits, hasPrograms, needsPython, runPage } from './run-page.ts'

/** What pages need in addition to the server, by the variables that they use. */
const COMPANIONS: Readonly<Record<string, (t: TestContext) => Promise<Record<string, string>>>> = {
  MCP_: async (t) => {
    const number = z.number()
    const { url } = await sdkServer(
      t,
      (server) => {
        server.registerTool(
          'add',
          {
            description: 'Adds two numbers and returns the sum.',
            inputSchema: { a: number, b: number },
            outputSchema: { sum: number },
          },
          ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
        )
      },
      { json: true },
    )
    return { MCP_URL: url }
  },
  NODERED_: async (t) => {
    const peer = await startNodeRed()
    t.after(() => peer.stop())
    return { NODERED_URL: peer.url, NODERED_USER: peer.username, NODERED_PASSWORD: peer.password }
  },
  PARSE_: async (t) => {
    const peer = await startParseServer({ databaseUrl: await clonedDatabase(t, 'template1') })
    t.after(() => peer.stop())
    return {
      PARSE_URL: peer.url,
      PARSE_APP: peer.applicationId,
      PARSE_KEY: peer.restApiKey,
      PARSE_MASTER: peer.masterKey,
    }
  },
}

/** Pages about settings, about the files of an installation, or about everything that an organization has. */
const NEEDS_OWN_SERVER =
  /<!-- started with |\bpatchbay (?:doctor|panic|keys|status|toolkits try)\b|ORG_API_KEY/

/** Whether this machine has the Python that examples need. */
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Starts the companions of a page and runs its examples. */
async function checkPage(t: TestContext, page: Page, product: Product): Promise<void> {
  if (needsPython(page) && !hasPython)
    return t.skip(
      `this machine has no python3 of version 3.9 or later, so the examples of ${page.file} did not run`,
    )
  const companions = await Promise.all(
    Object.entries(COMPANIONS)
      .filter(([prefix]) => page.text.includes(`$${prefix}`))
      .map(([, start]) => start(t)),
  )
  // Commands find the server by themselves, programs receive its URL.
  const url = hasPrograms(page) ? { PATCHBAY_URL: product.url } : {}
  const env = Object.assign(
    { ...product.env, ...url, PATCHBAY_API_KEY: product.keys.project_api_key },
    ...companions,
  )
  assert.deepEqual(await runPage(page, { ...product, env }), [])
}

test('guides: the examples of every page work and print what the page shows', async (t) => {
  const [own, shared] = [true, false].map((needsOwn) =>
    pages().filter((page) => examplesOf(page).length && NEEDS_OWN_SERVER.test(page.text) === needsOwn),
  ) as [Page[], Page[]]
  assert.ok(own.length > 0 && shared.length > 0)
  const settings = { EGRESS_ALLOW: '127.0.0.0/8' }
  // A server takes seconds to start, so pages that need nothing but a project share one.
  const product = await startProduct(t, settings)
  // Pages wait for servers and commands more than they compute.
  await t.test('pages', { concurrency: 3 }, async (t) => {
    await Promise.all([
      ...shared.map((page) =>
        t.test(page.file, async (t) => checkPage(t, page, await withOwnProject(t, product))),
      ),
      ...own.map((page) =>
        t.test(page.file, async (t) =>
          checkPage(t, page, await startProduct(t, { ...settings, ...settingsOf(page) })),
        ),
      ),
    ])
  })
})

test('an ellipsis stands for a part of a line, and alone for lines', () => {
  assert.deepEqual(
    [
      ['a … c', 'a b c'],
      ['a … c', 'a\nc'],
      ['a\n…\nd', 'a\nb\nc\nd'],
      ['a\n…\nd', 'a\nd'],
      ['a', 'ab'],
    ].map(([expected = '', printed = '']) => fits(expected, printed)),
    [true, false, true, true, false],
  )
})

test('a block of output belongs to the block before it', () => {
  const text = '```sh run\ntrue\n```\n\n```text output\nfine\n```\n'
  assert.equal(examplesOf({ file: 'x', text, blocks: blocksOf(text) })[0]?.output?.text, 'fine')
  const stray = '```text output\nfine\n```\n'
  assert.throws(
    () => examplesOf({ file: 'x', text: stray, blocks: blocksOf(stray) }),
    /x:1: output of nothing/,
  )
})

/** A page about a setting says so in a comment that readers do not see: `<!-- started with WIRE_BRAND=composio -->`. */
function settingsOf({ text }: Page): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/<!-- started with (\w+)=(\S+) -->/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}
