import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

const jmespath = createRequire(import.meta.url)('jmespath') as {
  search(data: unknown, expression: string): unknown
}
const { json, expression, resultCharsMax } = workerData as {
  json: string
  expression: string
  resultCharsMax: number
}

function answer(): { result: string } | { failure: string } {
  try {
    const result = JSON.stringify(jmespath.search(JSON.parse(json), expression) ?? null)
    return result.length > resultCharsMax
      ? { failure: `The result is larger than ${resultCharsMax} characters` }
      : { result }
  } catch (error) {
    const message = error instanceof RangeError ? 'it or its result is too large' : (error as Error).message
    return { failure: `The expression could not be applied: ${message.slice(0, 300)}` }
  }
}

parentPort!.postMessage(answer())
