import type { TestContext } from 'node:test'
import type { CodeTool } from '../../src/catalog/index.ts'
import { readBuiltInToolkit } from '../fixtures/built-in-toolkits.ts'
import { type Manifest, startConnectedAccountsApp } from '../fixtures/connected-accounts.ts'

type CodeLoader = () => Promise<Readonly<Record<string, CodeTool>>>

/**
 * A toolkit that ships, with a recording stub in the place of `host`. `run` executes one of its tools with
 * what a connection would hold.
 */
export async function vendor(t: TestContext, slug: string, host: string, code?: CodeLoader) {
  const { toolkit: manifest, tools } = await readBuiltInToolkit(slug)
  const { auth, base_url: base, releases, ...toolkit } = manifest
  const s = await startConnectedAccountsApp(t, {
    auth: (url) =>
      (auth as Manifest[]).map((scheme) => ({ ...scheme, base_url: String(base).replace(host, url) })),
    toolkit: { ...toolkit, releases: releases.slice(0, 1) },
    tools,
    code: { slug, code },
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
  return { stub: s.stub, logs: s.executionRows, run, call: s.call, http: s.app.http }
}
