import type { TestContext } from 'node:test'
import { testApp, type TestApp } from '../../../test/fixtures/app.ts'
import type { Client } from '../../../test/fixtures/client.ts'
import { CookieJar } from '../../../test/fixtures/real-applications/cookie-jar.ts'
import { type Recorded, upstream } from '../../../test/fixtures/upstream.ts'
import type { AppOptions } from '../../app/create-app.ts'
import { catalogFrom } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '../../catalog/testing.ts'
import { createAuthConfig } from '../../contract/auth-configs.ts'
import { createConnectedAccount, readConnectedAccount } from '../../contract/connected-accounts.ts'
import { executeTool } from '../../contract/tools.ts'
import { sql } from '../../platform/db/sql.ts'

export type Manifest = Record<string, unknown>

export const API_KEY: Manifest = {
  scheme: 'API_KEY',
  apply: { headers: { 'x-key': '{generic_api_key}' } },
  validate: { path: '/me' },
}
export const BASIC: Manifest = { scheme: 'BASIC' }
export const BEARER: Manifest = { scheme: 'BEARER_TOKEN' }
export const SIGN_IN: Manifest = {
  scheme: 'BASIC',
  sign_in: {
    path: '/session',
    params: { user: '{username}', pass: '{password}' },
    token: 'token',
    expires_in: 'ttl',
  },
  apply: { headers: { authorization: 'Session {session_token}' } },
}
/** Its endpoints stand at the stub: `/authorize`, `/token`. */
export const oauth = (url: string, more: Manifest = {}): Manifest => ({
  scheme: 'OAUTH2',
  authorize: { url: `${url}/authorize`, ...(more['authorize'] as Manifest) },
  token: { url: `${url}/token`, ...(more['token'] as Manifest) },
  refresh: { rotates: 'sometimes', ...(more['refresh'] as Manifest) },
  ...Object.fromEntries(
    Object.entries(more).filter(([key]) => !['authorize', 'token', 'refresh'].includes(key)),
  ),
})
export const CLIENT = { client_id: 'client-id-1', client_secret: 'client-secret-1' }

export interface StageOptions {
  auth: Manifest[] | ((url: string) => Manifest[])
  tools?: unknown[]
  toolkit?: Manifest
  app?: Partial<AppOptions>
  answer?: Parameters<typeof upstream>[1]
  code?: Parameters<typeof sampleSource>[2]
}
export type Stage = Awaited<ReturnType<typeof stage>>

/** The application with one toolkit, SHOP, whose API and authorization server are a recording stub. */
export async function stage(
  t: TestContext,
  { auth, tools = [sampleTool()], toolkit = {}, app: options = {}, answer, code = {} }: StageOptions,
) {
  const stub = await upstream(t, answer)
  const schemes = typeof auth === 'function' ? auth(stub.url) : auth
  const catalog = catalogFrom([sampleSource({ base_url: stub.url, auth: schemes, ...toolkit }, tools, code)])
  const main = await testApp(t, { catalog, ...options })
  return { ...main, stub, catalog, ...onStage(main, main.call) }
}

/** What tests do over and over, with the key of one project. */
export function onStage(main: TestApp, call: Client) {
  const { db } = main.app
  const browser = new CookieJar()
  return {
    async config(
      authScheme: string,
      credentials: Record<string, unknown> = {},
      more: Record<string, unknown> = {},
    ): Promise<string> {
      const reply = await call(createAuthConfig, {
        body: {
          toolkit: { slug: 'shop' },
          auth_config: { type: 'use_custom_auth', authScheme, credentials, ...more },
        } as never,
      })
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
      return reply.body.auth_config.id
    },
    connect: (
      configId: string,
      connection: Record<string, unknown> = {},
      more: Record<string, unknown> = {},
    ) =>
      call(createConnectedAccount, { body: { auth_config: { id: configId }, connection, ...more } as never }),
    async account(
      configId: string,
      authScheme: string,
      val: Record<string, unknown>,
      more: Record<string, unknown> = {},
    ): Promise<string> {
      const reply = await call(createConnectedAccount, {
        body: {
          auth_config: { id: configId },
          connection: { user_id: 'u1', state: { authScheme, val }, ...more },
        } as never,
      })
      if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
      return reply.body.id
    },
    read: async (id: string) => (await call(readConnectedAccount, { params: { nanoid: id } })).body,
    run: (body: Record<string, unknown> = {}, slug = 'SHOP_GET_ORDER') =>
      call(executeTool, {
        params: { tool_slug: slug },
        body: { user_id: 'u1', arguments: { id: '7' }, ...body } as never,
      }),
    row: async (id: string) =>
      (await db.one<Record<string, unknown>>(
        sql`select * from connected_accounts where id = ${id}`,
      )) as Record<string, any>,
    logs: () => db.rows<Record<string, any>>(sql`select * from tool_executions order by created_at, id`),
    browser,
    /** A browser's visit; without another one's cookies it is always the same browser. With `form` it sends a form. */
    async visit(
      url: string,
      { cookies = browser, form: fields }: { cookies?: CookieJar; form?: Record<string, string> } = {},
    ) {
      const at = new URL(url)
      const cookie = cookies.headerFor(at)
      const { statusCode, headers, body } = await main.app.http.inject({
        method: fields ? 'POST' : 'GET',
        url: `${at.pathname}${at.search}`,
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(fields ? { payload: new URLSearchParams(fields).toString() } : {}),
      })
      cookies.store(at, [headers['set-cookie'] ?? []].flat())
      return { status: statusCode, location: String(headers['location'] ?? ''), headers, text: body }
    },
  }
}

/** The walk of a browser to the provider: follows the short link and answers the authorization request. */
export async function authorizeRequest(s: Pick<Stage, 'visit'>, redirectUrl: string): Promise<URL> {
  const { status, location } = await s.visit(redirectUrl)
  if (status !== 302) throw new Error(`the link answered ${status}`)
  return new URL(location)
}

/** The provider sends the browser back. */
export const comeBack = (
  s: Pick<Stage, 'visit'>,
  params: Record<string, string>,
  options?: Parameters<Stage['visit']>[1],
) => s.visit(`http://localhost:3900/api/v3/toolkits/auth/callback?${new URLSearchParams(params)}`, options)

export const form = ({ body }: Recorded): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body))
export const requestsTo = (s: Pick<Stage, 'stub'>, path: string): Recorded[] =>
  s.stub.requests.filter((request) => request.path === path)
/** The open part of a state, for looking inside. */
export const valOf = ({ val }: { val: object }) => val as Record<string, any>
