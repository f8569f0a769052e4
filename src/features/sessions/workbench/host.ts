import { ApiError } from '../../../platform/http/api-error.ts'
import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { isObject, type JsonObject } from '../../../platform/json-object.ts'
import type { Model } from '../../../platform/llm/index.ts'
import type { HostReply, SandboxHost, SandboxOperation } from '../../../sandbox/index.ts'
import type { FileStorage } from '../../../engine/index.ts'
import type { MountFiles } from '../../files/index.ts'
import { describeError } from '../meta-tools/create-meta-tool.ts'
import { executeSessionProxy, type SessionProxyDeps } from '../scope/session-proxy.ts'
import type { SessionScope } from '../scope/scope.ts'

/** An error whose text is for the code in the sandbox. */
class HelperError extends Error {}

export interface WorkbenchHostDeps extends SessionProxyDeps {
  mounts: MountFiles
  saveFile: FileStorage['save']
  /** Undefined: `invoke_llm` returns an error. */
  model: Model | undefined
  /** The tool of `web_search`; it gets `query`. */
  searchTool: string | undefined
  /** All files of a session together. */
  mountBytesMax: number
  isMeta(slug: string): boolean
}

const MODEL_CALLS_PER_RUN_MAX = 50
const MODEL_CHARACTERS_MAX = 200_000
const MODEL_MS = 120_000
const FILES_MAX = 10_000
const NOT_CONFIGURED = 'not configured on this deployment'

/** The files of the mount when a run starts, and during the run. */
export type MountSizes = Map<string, number>

/**
 * Performs the requests of one run. It can do what the caller of the session can do through the API, and nothing else:
 * the session, the project and the user come from the scope, never from the request.
 */
export function createWorkbenchHost(
  deps: WorkbenchHostDeps,
  scope: SessionScope,
  logId: string,
  sizes: MountSizes,
): SandboxHost {
  let modelCalls = 0
  const operations: Record<
    SandboxOperation,
    (text: string, body: Uint8Array, signal: AbortSignal) => Promise<HostReply>
  > = {
    tool: async (_text, body, signal) => runTool(deps, scope, logId, readJson(body), signal),
    proxy: async (_text, body, signal) => sendProxy(deps, scope, readJson(body), signal),
    async model(_text, body, signal) {
      if (++modelCalls > MODEL_CALLS_PER_RUN_MAX)
        throw new HelperError(`A run can call the model at most ${MODEL_CALLS_PER_RUN_MAX} times.`)
      return callModel(deps, scope, readJson(body), signal)
    },
    async search(_text, body, signal) {
      const { searchTool } = deps
      if (searchTool === undefined) throw new HelperError(NOT_CONFIGURED)
      const args = { query: String(readJson(body)['query'] ?? '') }
      return runTool(deps, scope, logId, { slug: searchTool, arguments: args }, signal)
    },
    upload: async (text, body) => uploadFile(deps, scope, text, body),
    'mount.read': async (path) => ({
      body: await deps.mounts.read(scope.projectId, scope.sessionId, path),
    }),
    'mount.write': (path, body) => writeMount(deps, scope, sizes, path, body),
    async 'mount.remove'(path) {
      await deps.mounts.remove(scope.projectId, scope.sessionId, path)
      sizes.delete(path)
      return {}
    },
  }
  return async (operation, text, body, signal) => {
    try {
      return await operations[operation](text, body, signal)
    } catch (error) {
      if (error instanceof HelperError) throw error
      // Only the text for API clients reaches the sandbox; the cause of an error of this server is for its log.
      if (!(error instanceof ApiError) || error.status >= 500)
        scope.caller.log.error(
          { err: error, request_id: scope.caller.requestId },
          'a request of the workbench failed',
        )
      throw new Error(describeError(error), { cause: error })
    }
  }
}

function readJson(body: Uint8Array): JsonObject {
  let json: unknown
  try {
    json = parseBoundedJson(Buffer.from(body).toString())
  } catch {
    throw new HelperError('The arguments are not valid JSON, or nested too deep.')
  }
  if (!isObject(json)) throw new HelperError('The arguments must be an object.')
  return json
}

const toBody = (value: unknown): HostReply => ({ body: Buffer.from(JSON.stringify(value)) })
const optionalText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

async function runTool(
  { isMeta }: WorkbenchHostDeps,
  scope: SessionScope,
  logId: string,
  { slug, arguments: args, account }: JsonObject,
  signal: AbortSignal,
): Promise<HostReply> {
  if (typeof slug !== 'string' || slug === '') throw new HelperError('Name the slug of a tool.')
  if (isMeta(slug))
    throw new HelperError(`${slug} is a meta tool. The workbench runs tools of applications only.`)
  if (args !== undefined && args !== null && !isObject(args))
    throw new HelperError(`The arguments of ${slug} must be an object.`)
  const options = { account: optionalText(account), signal, parentLogId: logId }
  const { data, error, successful } = await scope.execute(slug, args ?? {}, options)
  if (!successful) throw new HelperError(error ?? `${slug} failed.`)
  return toBody({ data })
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'] as const
const nameValues = (json: unknown, type: 'query' | 'header') =>
  Object.entries(isObject(json) ? json : {}).map(([name, value]) => ({ name, type, value: String(value) }))

async function sendProxy(
  deps: WorkbenchHostDeps,
  scope: SessionScope,
  { method, endpoint, toolkit, body, query_params: query, headers }: JsonObject,
  signal: AbortSignal,
): Promise<HostReply> {
  if (!scope.config.workbench.enable_proxy_execution)
    throw new HelperError('workbench.enable_proxy_execution is false in this session. Use a tool instead.')
  const verb = METHODS.find((one) => one === String(method).toUpperCase())
  if (!verb) throw new HelperError(`method must be one of ${METHODS.join(', ')}.`)
  if (typeof endpoint !== 'string' || typeof toolkit !== 'string')
    throw new HelperError('endpoint and toolkit must be texts.')
  const { status, data, file } = await executeSessionProxy(
    deps,
    scope,
    {
      toolkit,
      endpoint,
      method: verb,
      body: isObject(body) ? body : undefined,
      parameters: [...nameValues(query, 'query'), ...nameValues(headers, 'header')],
    },
    signal,
  )
  const value = file ? { url: file.url, content_type: file.mimetype, size: file.size } : data
  if (status >= 400)
    throw new HelperError(
      `The application returned ${status}: ${JSON.stringify(value ?? null).slice(0, 1_000)}`,
    )
  return toBody(value ?? null)
}

const TEXT_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
}

async function callModel(
  { model }: WorkbenchHostDeps,
  { projectId, userId, sessionId }: SessionScope,
  { query }: JsonObject,
  signal: AbortSignal,
): Promise<HostReply> {
  if (!model) throw new HelperError(NOT_CONFIGURED)
  if (typeof query !== 'string' || query.length > MODEL_CHARACTERS_MAX)
    throw new HelperError(`query must be a text of at most ${MODEL_CHARACTERS_MAX} characters.`)
  const reply = await model.complete({
    caller: { projectId, userId, sessionId },
    messages: [
      { role: 'system', content: 'Answer with a JSON object that has one field, text: your whole answer.' },
      { role: 'user', content: query },
    ],
    schema: { name: 'answer', schema: TEXT_SCHEMA, isStrict: true },
    headers: {},
    timeoutMs: MODEL_MS,
    signal,
  })
  if ('refusal' in reply) throw new HelperError(`The model declined: ${reply.refusal}`)
  return toBody(answerOf(reply.text))
}

/** Models without schema support may return plain text. */
function answerOf(text: string): string {
  try {
    const json = parseBoundedJson(text)
    return isObject(json) && typeof json['text'] === 'string' ? json['text'] : text
  } catch {
    return text
  }
}

async function uploadFile(
  { saveFile }: WorkbenchHostDeps,
  { projectId, caller }: SessionScope,
  text: string,
  body: Uint8Array,
): Promise<HostReply> {
  const { name, mimetype } = readJson(Buffer.from(text))
  const filename = (optionalText(name) ?? '').replace(/[^\w. -]/g, '_').slice(0, 200) || 'file'
  const file = await saveFile(
    projectId,
    {
      toolkit: 'workbench',
      tool: 'UPLOAD_LOCAL_FILE',
      name: filename,
      mimetype: /^[\w.+-]+\/[\w.+-]+$/.test(String(mimetype)) ? String(mimetype) : 'application/octet-stream',
      bytes: Buffer.from(body),
    },
    caller.settings.fileUrlSeconds,
  )
  return toBody({
    s3_url: file.url,
    s3key: file.key,
    uploaded_file: file.name,
    name: file.name,
    mimetype: file.mimetype,
    type: file.mimetype,
    id: file.key,
    message: 'Pass {"name", "mimetype", "s3key"} as a file argument of a tool.',
  })
}

async function writeMount(
  { mounts, mountBytesMax }: WorkbenchHostDeps,
  { projectId, sessionId, caller }: SessionScope,
  sizes: MountSizes,
  path: string,
  body: Uint8Array,
): Promise<HostReply> {
  const others = [...sizes].reduce((sum, [name, size]) => sum + (name === path ? 0 : size), 0)
  if (others + body.length > mountBytesMax || (sizes.size >= FILES_MAX && !sizes.has(path)))
    throw new HelperError(
      `The files of a session can have at most ${Math.floor(mountBytesMax / 1_000_000)} MB, and ${FILES_MAX} files.`,
    )
  sizes.set(path, body.length)
  const file = { path, mimetype: 'application/octet-stream', bytes: Buffer.from(body) }
  const { id } = await mounts.write(projectId, sessionId, file, caller.settings.fileUrlSeconds)
  return { text: id }
}
