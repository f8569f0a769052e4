import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import { createProject, createProjectKey } from '../../src/contract/projects/index.ts'
import { createSession } from '../../src/contract/sessions/index.ts'
import type { ApiVersion, Route } from '../../src/contract/route.ts'
import { createApiKey, createOrganization } from '../../src/features/projects/api-keys/keys.ts'
import type { Encryptor } from '../../src/platform/crypto/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { openAiModel } from '../../src/platform/llm/index.ts'
import { newId } from '../../src/platform/ids.ts'
import type { AppOptions } from '../../src/app/create-app.ts'
import { emptyApplications } from '../fixtures/empty-applications.ts'
import { testApp, type TestApp } from '../fixtures/app.ts'
import type { Client } from '../fixtures/client.ts'
import { upstream } from '../fixtures/upstream.ts'
import { send, type Raw, type Sent } from './send.ts'

/**
 * The objects of one project. A sweep of an organization needs one, and a second that belongs to another organization.
 */
export interface Place {
  project: string
  authConfig: string
  account: string
  session: string
  key: string
  call: Client
}

export interface World extends TestApp {
  own: Place
  /** Another project of the organization; its project and key ids belong to another organization. */
  foreign: Place
  /** Headers that the route accepts. */
  credentials(route: Route): Record<string, string>
  send(route: Route, version: ApiVersion, request?: Raw): Promise<Sent>
  /** A project that nothing else uses. */
  project(): Promise<{ id: string; key: string }>
  authConfig(call?: Client): Promise<string>
  account(call?: Client, authConfig?: string): Promise<string>
  /** An application that answers everything. */
  application: { url: string }
  projectKey(project: string, draft?: object): Promise<{ id: string; key: string }>
}

export const unique = () => randomBytes(6).toString('hex')

/** The application with something of everything in it, and the same again where the caller must not see it. */
export async function world(t: TestContext, options: Partial<AppOptions> = {}): Promise<World> {
  const application = await upstream(t, ({ path, headers }) => ({
    json: replyTo(path, `http://${headers.host}`),
  }))
  const app = await testApp(t, {
    // The realtime channel needs https.
    publicUrl: 'https://localhost:3900',
    model: openAiModel({ baseUrl: `${application.url}/v1`, model: 'any', apiKey: undefined }),
    simulateApplications: emptyApplications,
    ...options,
  })
  const samples = createSamples(app)
  const { project, projectKey, place } = samples
  const { call, keys } = app
  const other = await project()
  return {
    application,
    ...app,
    project,
    projectKey,
    authConfig: samples.authConfig,
    account: samples.account,
    own: await place(keys.projectId, call),
    foreign: { ...(await place(other.id, app.as({ 'x-api-key': other.key }))), ...(await stranger(app)) },
    credentials: (route): Record<string, string> =>
      route.audience === 'organization'
        ? { 'x-org-api-key': keys.organizationApiKey }
        : { 'x-api-key': keys.projectApiKey },
    send: (route, version, request = {}) => send(app.app.http, route, version, request),
  }
}

/** What the application returns: as a model, as an OpenID provider, and as anything else. */
function replyTo(path: string, url: string): object {
  if (path === '/v1/chat/completions')
    return { choices: [{ message: { content: '{"arguments": {}, "error": null}' } }] }
  if (path === '/.well-known/openid-configuration')
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/openid/token`,
      jwks_uri: `${url}/jwks`,
    }
  if (path === '/openid/token') return { error: 'invalid_grant' }
  if (path === '/jwks') return { keys: [{ kty: 'RSA' }] }
  return {}
}

/** Functions that create objects over the API. */
function createSamples({ org, call }: TestApp) {
  const project = async () => {
    const { body } = made(
      await org(createProject, { body: { name: `p-${unique()}`, should_create_api_key: true } }),
    )
    return { id: body.id, key: body.api_key as string }
  }
  const projectKey = async (id: string, draft: object = {}) => {
    const { body } = made(await org(createProjectKey, { params: { nano_id: id }, body: draft }))
    return { id: body.id, key: body.key }
  }
  const authConfig = async (by: Client = call) =>
    made(
      await by(createAuthConfig, {
        body: {
          toolkit: { slug: 'nodered' },
          auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
        },
      }),
    ).body.auth_config.id
  const account = async (by: Client = call, config?: string) =>
    made(
      await by(createConnectedAccount, {
        body: {
          auth_config: { id: config ?? (await authConfig(by)) },
          connection: {
            user_id: `user-${unique()}`,
            state: { authScheme: 'BEARER_TOKEN', val: { token: 'secret', server_url: 'http://127.0.0.1:9' } },
          },
        },
      }),
    ).body.id

  const place = async (id: string, by: Client): Promise<Place> => {
    const config = await authConfig(by)
    return {
      project: id,
      authConfig: config,
      account: await account(by, config),
      session: made(await by(createSession, { body: { user_id: 'user-1' } })).body.session_id,
      key: (await projectKey(id)).id,
      call: by,
    }
  }
  return { project, projectKey, authConfig, account, place }
}

/** What a test stands on has to be there. */
function made<T extends { status: number; body: unknown }>(reply: T): T {
  assert.ok(reply.status < 300, `${reply.status}: ${JSON.stringify(reply.body).slice(0, 500)}`)
  return reply
}

const SEALS_ANYTHING: Pick<Encryptor, 'encryptWithRing'> = {
  encryptWithRing: () => Buffer.from('sealed'),
}

/** A project of another organization with a key. The API has one organization; the tables may hold more. */
async function stranger({ app: { db } }: TestApp): Promise<{ project: string; key: string }> {
  const organizationId = newId('org')
  const projectId = newId('proj')
  await createOrganization(db, organizationId, 'Strangers')
  await db.run(
    sql`insert into projects (id, organization_id, name) values (${projectId}, ${organizationId}, 'theirs')`,
  )
  const { id } = await createApiKey(db, SEALS_ANYTHING, { organizationId, projectId })
  return { project: projectId, key: id }
}
