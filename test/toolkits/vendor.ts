import type { TestContext } from 'node:test'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { type Manifest, startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

/**
 * A toolkit that ships, with a recording stub in the place of `host`. `run` executes one of its tools with
 * what a connection would hold.
 */
export async function vendor(t: TestContext, slug: string, host: string) {
  const { toolkit: manifest, tools } = await readBuiltInToolkit(slug)
  const { auth, base_url: base, ...toolkit } = manifest
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      (auth as Manifest[]).map((scheme) => ({ ...scheme, base_url: String(base).replace(host, url) })),
    toolkit,
    tools,
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
