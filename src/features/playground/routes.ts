import * as contract from '../../contract/playground.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Egress, EgressError } from '../../platform/egress/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import type { Logger } from '../../platform/log.ts'
import { readCompletion } from './completion.ts'
import * as store from './store.ts'

export interface PlaygroundDeps {
  db: Db
  encryptor: Encryptor
  egress: Egress
  log: Pick<Logger, 'warn'>
}

/** A model may think for a while; the console waits for 70 seconds. */
const TIMEOUT_MS = 65_000
const RESPONSE_BYTES_MAX = 2_000_000
const TOKENS_MAX = 8_192

const contextOf = (projectId: string): string => `project_models:${projectId}:key`

const present = (row: store.ModelRow | undefined): { model: contract.ProjectModel | null } => ({
  model: row
    ? {
        base_url: row.base_url,
        model: row.model,
        has_api_key: row.encrypted_key !== null,
        updated_at: row.updated_at.toISOString(),
      }
    : null,
})

/** The language model of a project, and conversations with it. */
export function playgroundRoutes(api: Api, deps: PlaygroundDeps): void {
  const { db, encryptor } = deps
  api.on(contract.readModel, async ({ projectId }) => present(await store.findModel(db, projectId)))
  api.on(contract.setModel, async ({ projectId, body }) => {
    const baseUrl = body.base_url.replace(/\/+$/, '')
    assertUrl(deps, baseUrl)
    const key = body.api_key ?? null
    await store.upsertModel(
      db,
      projectId,
      {
        base_url: baseUrl,
        model: body.model,
        encrypted_key:
          key === null ? null : (await encryptor.ofProject(projectId)).encrypt(key, contextOf(projectId)),
      },
      body.api_key === undefined,
    )
    return present(await store.findModel(db, projectId))
  })
  api.on(contract.deleteModel, async ({ projectId }) => {
    await store.deleteModel(db, projectId)
    return { success: true }
  })
  api.on(contract.chat, async ({ projectId, body, signal }) => {
    const row = await store.findModel(db, projectId)
    if (!row) throw new ApiError('Playground_NoModel', 'The project has no language model.')
    const { messages, tools = [] } = body
    return complete(deps, projectId, row, { messages, tools }, signal)
  })
}

/** @throws ApiError 400 for a URL that can never be called */
function assertUrl({ egress }: PlaygroundDeps, url: string): void {
  if (/[?#]/.test(url)) throw badRequest('Error in payload.base_url: must have no query and no fragment')
  try {
    egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw badRequest(`Error in payload.base_url: ${error.message}`)
  }
}

async function complete(
  { encryptor, egress, log }: PlaygroundDeps,
  projectId: string,
  { base_url: baseUrl, model, encrypted_key: sealed }: store.ModelRow,
  { messages, tools }: { messages: readonly object[]; tools: readonly object[] },
  signal: AbortSignal,
) {
  const key = sealed === null ? undefined : encryptor.decrypt<string>(sealed, contextOf(projectId))
  try {
    const reply = await egress.send({
      method: 'POST',
      url: `${baseUrl}/chat/completions`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages,
        max_completion_tokens: TOKENS_MAX,
        ...(tools.length > 0 && { tools }),
      }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
      maxRedirects: 0,
      signal,
    })
    return readCompletion(reply, key)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    log.warn({ err: error }, 'the language model of a project cannot be reached')
    throw new ApiError('Playground_ModelFailed', `The language model cannot be reached: ${error.message}`)
  }
}
