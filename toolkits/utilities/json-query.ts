import { Worker } from 'node:worker_threads'
import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, DATA_CHARS_MAX, optionalText, RESULT_CHARS_MAX, text } from './args.ts'

const TIME_MS_MAX = 2000
const MEMORY_MB_MAX = 96
const AT_ONCE_MAX = 4
const WAITING_MAX = 100
const EXPRESSION_CHARS_MAX = 2000

export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new ToolFailure(`The text is not JSON: ${(error as Error).message.slice(0, 200)}`, { cause: error })
  }
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE_MAX) {
    if (waiting.length >= WAITING_MAX)
      throw new ToolFailure('Too many queries at once; try again in a moment')
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/**
 * A short expression can ask for a result of any size (`[@,@][]|[@,@][]|…` doubles with each step), so it runs in
 * a thread of its own
 * that is ended when it takes too long or too much memory.
 */
export async function queryJson(json: string, expression: string, signal?: AbortSignal): Promise<unknown> {
  const worker = new Worker(new URL('./json-query.worker.ts', import.meta.url), {
    workerData: { json, expression, resultCharsMax: RESULT_CHARS_MAX },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX, maxYoungGenerationSizeMb: 16 },
    execArgv: [],
    env: {},
  })
  const outcome = Promise.withResolvers<{ result: string } | { failure: string }>()
  const fail = (failure: string) => outcome.resolve({ failure })
  const timer = setTimeout(() => fail('The query takes too long'), TIME_MS_MAX)
  const abort = () => fail('The call was ended')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  worker.once('message', outcome.resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? 'The query takes too much memory'
        : `The query failed: ${error.message.slice(0, 200)}`,
    ),
  )
  worker.once('exit', () => fail('The query was ended'))
  try {
    const answer = await outcome.promise
    if ('failure' in answer) throw new ToolFailure(answer.failure)
    return JSON.parse(answer.result)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

async function queryTool(args: Args, { signal }: CodeToolContext) {
  const expression = text(args, 'expression', { max: EXPRESSION_CHARS_MAX })
  const source = optionalText(args, 'json_text', DATA_CHARS_MAX)
  if ((source === undefined) === (args.data === undefined))
    throw new ToolFailure('Give either data or json_text')
  const json = source ?? JSON.stringify(args.data)
  if (json.length > DATA_CHARS_MAX * 2)
    throw new ToolFailure(`data is larger than ${DATA_CHARS_MAX} characters`)
  if (source !== undefined) parseJson(source)
  return { result: await inTurn(() => queryJson(json, expression, signal)) }
}

export const jsonTools: Record<string, CodeTool> = { UTILITIES_QUERY_JSON: queryTool }
