import type { Load } from './callers.ts'
import { type Product, startPart, startProduct } from './processes.ts'
import { postJson } from '../post.ts'

/** Whose credentials a call uses: the tool that carries them, and the argument that names an answer of so many KB. */
export const ACCOUNTS = {
  key: {
    tool: 'PARSE_GET_OBJECT',
    arguments: (kb: number) => ({ class_name: 'Score', object_id: `kb${kb}` }),
  },
  oauth: { tool: 'GITLAB_GET_PROJECT', arguments: (kb: number) => ({ project_id: `kb${kb}` }) },
  effect: {
    tool: 'PARSE_UPDATE_OBJECT',
    arguments: (kb: number) => ({ class_name: 'Score', object_id: `kb${kb}`, data: { score: 1 } }),
  },
} as const
export type AccountKind = keyof typeof ACCOUNTS

export interface Stage {
  upstream: string
  forwarder: { url: string; pid: number }
  products: Product[]
  forward(kb: number, more: Partial<Load>): Load
  execute(kind: AccountKind, kb: number, more: Partial<Load>, product?: Product): Load
  stop(): Promise<void>
}

/** How one server starts: its environment, and the folder of its program. Default: this repository. */
export interface ProductStart {
  env?: Record<string, string>
  root?: string | undefined
}

/**
 * The upstream, the bare forwarder and the product, each a process of its own. Several products share a database if
 * their environments name one.
 */
export async function raise(starts: readonly ProductStart[] = [{}]): Promise<Stage> {
  const upstream = await startPart('./upstream.ts')
  const forwarder = await startPart('./forwarder.ts', upstream.url)
  const products: Product[] = []
  async function stop(): Promise<void> {
    for (const product of products) await product.stop()
    forwarder.stop()
    upstream.stop()
  }
  try {
    for (const { env = {}, root } of starts) {
      const product = await startProduct(env, root)
      const isFirstOfDatabase = products.length === 0 || env['DATABASE_URL'] === undefined
      products.push(product)
      if (isFirstOfDatabase) await connectAccounts(product, upstream.url)
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    upstream: upstream.url,
    forwarder,
    products,
    forward: (kb, more) => ({
      url: forwarder.url,
      path: '/execute',
      headers: {},
      body: JSON.stringify({ user_id: 'u-17', arguments: ACCOUNTS.key.arguments(kb) }),
      callers: 32,
      seconds: 3,
      ...more,
    }),
    execute: (kind, kb, more, product = products[0] as Product) => ({
      url: product.url,
      path: `/api/v3.1/tools/execute/${ACCOUNTS[kind].tool}`,
      headers: { 'x-api-key': product.key },
      body: JSON.stringify({ user_id: 'u-17', arguments: ACCOUNTS[kind].arguments(kb) }),
      callers: 32,
      seconds: 3,
      ...more,
    }),
    stop,
  }
}

/** Connects one account of `u-17` for each kind of call. */
export async function connectAccounts(server: Pick<Product, 'url' | 'key'>, upstream: string): Promise<void> {
  const account = async (toolkit: string, authScheme: string, credentials: object, val: object) => {
    const { auth_config: config } = await postJson<{ auth_config: { id: string } }>(server, '/auth_configs', {
      toolkit: { slug: toolkit },
      auth_config: { type: 'use_custom_auth', authScheme, credentials },
    })
    await postJson(server, '/connected_accounts', {
      auth_config: { id: config.id },
      connection: { user_id: 'u-17', state: { authScheme, val: { status: 'ACTIVE', ...val } } },
    })
  }
  await account(
    'parse',
    'API_KEY',
    {},
    { server_url: upstream, application_id: 'bench', generic_api_key: 'key-of-the-bench' },
  )
  await account(
    'gitlab',
    'OAUTH2',
    { client_id: 'bench', client_secret: 'secret-of-the-bench', server_url: upstream },
    {
      access_token: 'access-token-of-the-bench',
      refresh_token: 'refresh-token-of-the-bench',
      expires_in: 86_400,
    },
  )
}
