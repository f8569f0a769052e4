import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { type Manifest, startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

const FOLDER = new URL('../../toolkits/', import.meta.url)
const json = (file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, any>

/**
 * A toolkit that ships, with a recording stub in the place of `host`. `run` executes one of its tools with
 * what a connection would hold.
 */
export async function vendor(t: TestContext, slug: string, host: string) {
  const { auth, base_url: base, ...toolkit } = json(`${slug}/toolkit.json`)
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      (auth as Manifest[]).map((scheme) => ({ ...scheme, base_url: String(base).replace(host, url) })),
    toolkit,
    tools: json(`${slug}/tools.json`)['tools'],
    code: { slug },
  })
  const run = async (
    tool: string,
    args: Record<string, unknown>,
    authScheme: string,
    val: Record<string, unknown>,
  ) =>
    (
      await s.callTool(
        { arguments: args, custom_connection_data: { authScheme, toolkitSlug: slug, val } },
        tool,
      )
    ).body
  return { stub: s.stub, logs: s.executionRows, run }
}
