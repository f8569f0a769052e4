import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { AppOptions } from '../../src/app/create-app.ts'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount, readConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import type { AuthSchemeName } from '../../src/contract/schemes.ts'
import { createProject } from '../../src/contract/projects/index.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import type { Client, ErrorBody, Reply } from '../fixtures/client.ts'
import { temporaryFiles } from '../fixtures/files.ts'
import { findFreePort } from '../../src/platform/free-port.ts'
import { httpClient } from './http-client.ts'

type Values = Record<string, unknown>
type Scheme = AuthSchemeName
export interface Outcome {
  data: Values
  error: string | null
  successful: boolean
  log_id: string
}

/** One project as its developer sees it: everything goes over HTTP. */
export interface Project {
  call: Client
  authConfig(toolkit: string, authScheme: Scheme, credentials?: Record<string, string>): Promise<string>
  /** The whole response, also of rejected calls. */
  tryConnect(
    authConfigId: string,
    authScheme: Scheme,
    userId: string,
    val: Values,
    more?: Values,
  ): Promise<Reply<Values>>
  /** The id of an account that was taken. */
  connect(
    authConfigId: string,
    authScheme: Scheme,
    userId: string,
    val: Values,
    more?: Values,
  ): Promise<string>
  account(id: string): Promise<{ status: string; status_reason: string | null; val: Values; text: string }>
  /** Calls a tool; the whole reply. */
  callTool(
    slug: string,
    args: Values,
    who: { user_id?: string; connected_account_id?: string },
  ): Promise<Reply<Outcome>>
  /** Calls a tool that ran, with success or without. */
  run(slug: string, args: Values, userId: string): Promise<Outcome>
  /** The data of a tool that succeeded. */
  data(slug: string, args: Values, userId: string): Promise<any>
}

export interface Platform extends TestApp, Project {
  url: string
  /** A further project with other settings. */
  project(config: { mask_secret_keys_in_connected_account: boolean }): Promise<Project>
}

interface PlatformPlace {
  /** Passkeys need a host name. */
  host?: 'localhost' | '127.0.0.1'
  /** For a redirect URI that is registered before the start. Default: any free port. */
  port?: number
}

/** The real application, listening, on a database of its own. Gone when the test ends. */
export async function startPlatform(
  t: TestContext,
  { host = '127.0.0.1', port: givenPort, ...options }: Partial<AppOptions> & PlatformPlace = {},
): Promise<Platform> {
  const port = givenPort ?? (await findFreePort())
  const url = `http://${host}:${port}`
  const it = await testApp(t, { publicUrl: url, files: temporaryFiles(t, url), ...options })
  await it.app.http.listen({ host: '127.0.0.1', port })
  const organization = httpClient(url, { 'x-org-api-key': it.keys.organizationApiKey })
  return {
    ...it,
    ...projectAt(url, it.keys.projectApiKey),
    url,
    async project(config) {
      const body = {
        name: `p_${port}_${Date.now()}`,
        should_create_api_key: true,
        config: { is_2FA_enabled: true, log_visibility_setting: 'show_all' as const, ...config },
      }
      const made = await organization(createProject, { body })
      assert.ok(made.status < 300, JSON.stringify(made.body))
      return projectAt(url, made.body.api_key as string)
    },
  }
}

/** A project by its key, at any address where the platform answers. */
export function projectAt(url: string, key: string): Project {
  const call = httpClient(url, { 'x-api-key': key })
  const tryConnect: Project['tryConnect'] = (id, authScheme, userId, val, more = {}) => {
    const { validate_credentials, ...connection } = more
    return call(createConnectedAccount, {
      body: {
        auth_config: { id },
        connection: { user_id: userId, state: { authScheme, val }, ...connection },
        ...(validate_credentials === undefined ? {} : { validate_credentials }),
      } as never,
    }) as never
  }
  const callTool: Project['callTool'] = (slug, args, who) =>
    call(executeTool, { params: { tool_slug: slug }, body: { arguments: args, ...who } }) as never
  const run: Project['run'] = async (slug, args, userId) => {
    const { status, body } = await callTool(slug, args, { user_id: userId })
    assert.equal(status, 200, `${slug}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    call,
    tryConnect,
    callTool,
    run,
    async authConfig(toolkit, authScheme, credentials = {}) {
      const { status, body } = await call(createAuthConfig, {
        body: {
          toolkit: { slug: toolkit },
          auth_config: { type: 'use_custom_auth', authScheme, credentials },
        },
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body.auth_config.id
    },
    async connect(...connection) {
      const { status, body } = await tryConnect(...connection)
      assert.equal(status, 201, JSON.stringify(body))
      return body['id'] as string
    },
    async account(id) {
      const { status, body } = await call(readConnectedAccount, { params: { nanoid: id } })
      assert.equal(status, 200, JSON.stringify(body))
      return {
        status: body.status,
        status_reason: body.status_reason,
        val: body.state.val as Values,
        text: JSON.stringify(body),
      }
    },
    async data(slug, args, userId) {
      const { successful, error, data } = await run(slug, args, userId)
      assert.ok(successful, `${slug}: ${error}`)
      return data
    },
  }
}

/** Asserts that the call was rejected before anything ran: status and number, with a message and a next step. */
export function assertRejected(
  reply: { status: number; body: Partial<ErrorBody> },
  status: number,
  code: number,
  message: RegExp,
): void {
  assert.deepEqual([reply.status, reply.body.error?.code], [status, code], JSON.stringify(reply.body))
  assert.match(reply.body.error!.message, message)
  assert.ok(reply.body.error!.suggested_fix.length > 10)
}
