import { importFrom } from '../import-source.ts'
import { Refused } from '../import-rejected.ts'
import { type Said, type Told, Unreachable, type Work } from './messages.ts'

// A process that imports one document. It reaches nothing by itself: it asks for what it needs, and whoever began it fetches that or not.

const waiting = new Map<number, PromiseWithResolvers<string>>()
const say = (message: Said) => {
  process.send?.(message)
}

process.on('message', (message: Work | Told) => {
  if ('source' in message) return void work(message)
  const asked = waiting.get(message.ask)
  waiting.delete(message.ask)
  if ('text' in message) asked?.resolve(message.text)
  else asked?.reject(new Unreachable(message.failure))
})

let count = 0
function fetchText(address: string, json?: string): Promise<string> {
  const asked = Promise.withResolvers<string>()
  waiting.set(++count, asked)
  say({ ask: count, address, json })
  return asked.promise
}

async function work({ source, options }: Work): Promise<void> {
  try {
    say({ outcome: await importFrom(source, options, fetchText) })
  } catch (error) {
    if (error instanceof Refused) say({ refused: { why: error.why, reason: error.message } })
    else if (error instanceof Unreachable) say({ unreachable: error.message })
    else say({ broken: (error as Error).stack ?? String(error) })
  }
}
