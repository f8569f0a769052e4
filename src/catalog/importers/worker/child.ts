import { ImportRejected } from '../import-rejected.ts'
import { prepareVersion, type PreviousVersion } from '../versions/prepared-version.ts'
import { importWithFormerSlugs } from './import-with-former-slugs.ts'
import { type WorkerInput, type WorkerMessage, type WorkerReply, Unreachable } from './messages.ts'

// A process that imports one document, and prepares a version of the toolkit. It has no access to the network and to
// the database: it requests documents and the previous version from its parent process.

const waiting = new Map<number, PromiseWithResolvers<unknown>>()
let count = 0
const say = (message: WorkerMessage) => {
  process.send?.(message)
}

process.on('message', (message: WorkerInput | WorkerReply) => {
  if ('source' in message) return void work(message)
  const asked = waiting.get(message.ask)
  waiting.delete(message.ask)
  if ('failure' in message) asked?.reject(new Unreachable(message.failure))
  else asked?.resolve(message.found)
})

function ask(request: { address: string; json: string | undefined } | { toolkit: string }): Promise<unknown> {
  const asked = Promise.withResolvers<unknown>()
  waiting.set(++count, asked)
  say({ ask: count, ...request })
  return asked.promise
}

const documents = new Map<string, Promise<string>>()
/** A document that is read again is requested once: the parent process limits the number of requests. */
function fetchText(address: string, json?: string): Promise<string> {
  const key = `${address}\n${json ?? ''}`
  let document = documents.get(key)
  if (!document) documents.set(key, (document = ask({ address, json }) as Promise<string>))
  return document
}
const readPrevious = (toolkit: string) => ask({ toolkit }) as Promise<PreviousVersion | undefined>

async function work({ source, options }: WorkerInput): Promise<void> {
  try {
    const { kind, imported, previous } = await importWithFormerSlugs(source, options, {
      fetchText,
      readPrevious,
    })
    const version = await prepareVersion(imported, previous)
    say({ outcome: { kind, version } })
  } catch (error) {
    if (error instanceof ImportRejected) say({ refused: { why: error.why, reason: error.message } })
    else if (error instanceof Unreachable) say({ unreachable: error.message })
    else say({ broken: (error as Error).stack ?? String(error) })
  }
}
