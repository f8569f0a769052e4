import { useEffect, useRef, useState } from 'react'
import type { PlaygroundMessage } from '../../../contract/playground.ts'
import { ApiFailure, failureOf } from '../../api/index.ts'
import { type AgentTool, type Entry, runAgent } from './agent-run.ts'

/** A conversation with an agent in a session. It lasts as long as the page. */
export function useAgent(sessionId: string, prompt: string, tools: readonly AgentTool[]) {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [isRunning, setRunning] = useState(false)
  const messages = useRef<PlaygroundMessage[]>([{ role: 'system', content: prompt }])
  const decisions = useRef(new Map<string, () => void>())
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const onEntry = (entry: Entry) => setEntries((current) => withEntry(current, entry))
  const waitForDecision = (callId: string) =>
    new Promise<void>((resolve, reject) => {
      decisions.current.set(callId, resolve)
      stop.current?.signal.addEventListener('abort', () => reject(new ApiFailure('The agent was stopped.')))
    })

  /** Returns whether the message is in the conversation: it is not if the model could not be reached. */
  const send = async (text: string): Promise<boolean> => {
    const controller = new AbortController()
    stop.current = controller
    const before = messages.current.length
    messages.current.push({ role: 'user', content: text })
    const id = crypto.randomUUID()
    onEntry({ kind: 'text', id, role: 'user', text })
    let hasResponse = false
    setFailure(null)
    setRunning(true)
    try {
      await runAgent({
        sessionId,
        tools,
        messages: messages.current,
        signal: controller.signal,
        onEntry(entry) {
          hasResponse = true
          onEntry(entry)
        },
        waitForDecision,
      })
      hasResponse = true
    } catch (error) {
      // A call without its result is rejected by models, so the conversation returns to where it was.
      messages.current.length = before
      if (!controller.signal.aborted) setFailure(failureOf(error))
      if (!hasResponse) setEntries((current) => current.filter((entry) => entry.id !== id))
    }
    decisions.current.clear()
    setRunning(false)
    return hasResponse
  }
  return {
    entries,
    failure,
    isRunning,
    send,
    stop: () => stop.current?.abort(),
    /** Continues a call after its approvals were decided. */
    onDecided: (callId: string) => decisions.current.get(callId)?.(),
  }
}

/** Returns the conversation with an entry that is new, or has changed. */
const withEntry = (entries: readonly Entry[], entry: Entry): readonly Entry[] =>
  entries.some(({ id }) => id === entry.id)
    ? entries.map((one) => (one.id === entry.id ? entry : one))
    : [...entries, entry]
