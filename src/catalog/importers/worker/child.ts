import { faultOfTool } from '../../manifest/load/quarantine.ts'
import { importFrom, type Outcome } from '../import-source.ts'
import { ImportRejected } from '../import-rejected.ts'
import { type WorkerMessage, type WorkerRequest, Unreachable, type WorkerInput } from './messages.ts'

// A process that imports one document. It has no network access: it requests documents from its parent
// process.

const waiting = new Map<number, PromiseWithResolvers<string>>()
const say = (message: WorkerMessage) => {
  process.send?.(message)
}

process.on('message', (message: WorkerInput | WorkerRequest) => {
  if ('source' in message) return void work(message)
  if ('more' in message) return sendMore?.()
  const asked = waiting.get(message.ask)
  waiting.delete(message.ask)
  if ('text' in message) asked?.resolve(message.text)
  else asked?.reject(new Unreachable(message.failure))
})

/** Continues sending tools. */
let sendMore: (() => void) | undefined
let count = 0
function fetchText(address: string, json?: string): Promise<string> {
  const asked = Promise.withResolvers<string>()
  waiting.set(++count, asked)
  say({ ask: count, address, json })
  return asked.promise
}

async function work({ source, options }: WorkerInput): Promise<void> {
  try {
    await sendOutcome(await importFrom(source, options, fetchText))
  } catch (error) {
    if (error instanceof ImportRejected) say({ refused: { why: error.why, reason: error.message } })
    else if (error instanceof Unreachable) say({ unreachable: error.message })
    else say({ broken: (error as Error).stack ?? String(error) })
  }
}

/** Reading a message blocks the server: a thousand tools in one message take 30 ms. */
const TOOLS_PER_MESSAGE = 25

/** Checks tools, and sends them in portions, the next one when the server requests it. */
async function sendOutcome({ kind, imported }: Outcome): Promise<void> {
  const { tools } = imported
  for (let from = 0; from < tools.length; from += TOOLS_PER_MESSAGE) {
    const requested = new Promise<void>((resolve) => (sendMore = resolve))
    const portion = tools.slice(from, from + TOOLS_PER_MESSAGE)
    say({ tools: portion, faults: portion.map(faultOfTool) })
    await requested
  }
  say({ outcome: { kind, imported: { ...imported, tools: [] } } })
}
