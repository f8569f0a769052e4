import type { TestContext } from 'node:test'
import { type Answer, type Recorded, upstream } from '../../../test/fixtures/upstream.ts'
import { catalogFrom, compiledSchemeOf } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '../../catalog/testing.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import type { ExchangeNote, Grant, Setup, Values } from '../index.ts'
import { oauth2 } from './index.ts'

export const NOW = Date.UTC(2026, 1, 3)
export const OK: Answer = {
  json: { access_token: 'a-1', refresh_token: 'r-1', expires_in: 3600, token_type: 'Bearer', scope: 's' },
}
export type Parts = Record<string, unknown>
export interface Change {
  authorize?: Parts
  token?: Parts
  refresh?: Parts | null
  more?: Parts
  credentials?: Parts
  val?: Parts
  reply?: Answer | ((request: Recorded) => Answer)
  callback?: Parts
  /** In place of what was made up for the walk. */ secrets?: Parts
  fields?: Parts
}

/** Looked at anew for each request: a test may answer with a getter. */
const answerOf =
  (change: Change, usual: Answer = OK) =>
  (request: Recorded): Answer => {
    const { reply } = change
    return typeof reply === 'function' ? reply(request) : (reply ?? usual)
  }

/** A scheme with one change to its manifest, and what it does at a provider that records. */
export async function provider(t: TestContext) {
  const stub = await upstream(t)
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const tools = { egress, now: () => NOW }

  function setup({ authorize, token, refresh, more, credentials, val, fields }: Change): Setup {
    const auth = {
      scheme: 'OAUTH2',
      authorize: { url: `${stub.url}/authorize`, ...authorize },
      token: { url: `${stub.url}/token`, ...token },
      ...(refresh === null ? {} : { refresh: { rotates: 'sometimes', ...refresh } }),
      ...(fields ? { fields } : {}),
      ...more,
    }
    const catalog = catalogFrom([sampleSource({ base_url: stub.url, auth: [auth] }, [sampleTool()])])
    const scheme = compiledSchemeOf(catalog.toolkit('shop')!, 'OAUTH2')!
    return {
      scheme,
      credentials: {
        client_id: 'id 1',
        client_secret: 'secret+1',
        scopes: ['read', 'write'],
        ...credentials,
      },
      shared: {},
      val: val ?? {},
      redirectUri: 'https://int.example/cb',
    }
  }
  const lastRequest = () => stub.requests.at(-1) as Recorded
  return {
    stub,
    lastRequest,
    async authorize(change: Change, state = 'the-state', redirectUri = 'https://int.example/cb') {
      const { url, secrets } = await oauth2.start!({ ...setup(change), redirectUri }, state, tools)
      return { url, secrets, params: new URL(url).searchParams }
    },
    async exchange(change: Change): Promise<Grant & { request: Recorded; secrets: Values }> {
      stub.answer = answerOf(change)
      const made = setup(change)
      const started = await oauth2.start!(made, 'the-state', tools)
      const secrets = { ...started.secrets, ...change.secrets }
      const grant = await oauth2.finish!(made, secrets, { code: 'c-1', ...change.callback }, tools)
      return { ...grant, request: lastRequest(), secrets }
    },
    /** As `renew`, with what is told and kept on the way. */
    async renewNoting(change: Change, notes: ExchangeNote[], kept: Values[]): Promise<Grant> {
      stub.answer = answerOf(change)
      return oauth2.renew!(
        setup({ ...change, val: { access_token: 'a-0', refresh_token: 'r-0', ...change.val } }),
        {
          ...tools,
          note: (note) => {
            notes.push(note)
          },
          keep: async (part) => {
            kept.push(part)
          },
        },
      )
    },
    async renew(change: Change): Promise<Grant & { request: Recorded }> {
      stub.answer = answerOf(change)
      return {
        ...(await oauth2.renew!(
          setup({ ...change, val: { access_token: 'a-0', refresh_token: 'r-0', ...change.val } }),
          tools,
        )),
        request: lastRequest(),
      }
    },
    renewable: (change: Change) =>
      oauth2.renewable!(
        setup({ ...change, val: { access_token: 'a-0', refresh_token: 'r-0', ...change.val } }),
      ),
    revocable: (change: Change) =>
      oauth2.revocable!(
        setup({ ...change, val: { access_token: 'a-0', refresh_token: 'r-0', ...change.val } }),
      ),
    /** What the provider took back, and the requests that asked for it. */
    async revoke(change: Change) {
      stub.answer = answerOf(change, {})
      const before = stub.requests.length
      const { tokens } = await oauth2.revoke!(
        setup({ ...change, val: { access_token: 'a-0', refresh_token: 'r-0', ...change.val } }),
        tools,
      )
      return { tokens, requests: stub.requests.slice(before) }
    },
    margin: (change: Change) => oauth2.marginMs!(setup(change)),
  }
}
export const formOf = ({ body }: Recorded) => new URLSearchParams(body)
