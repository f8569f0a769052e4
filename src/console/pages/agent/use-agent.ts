import { useEffect, useRef, useState } from 'react'
import type { PlaygroundMessage } from '../../../contract/playground.ts'
import { ApiFailure } from '../../api/index.ts'
import { type AgentTool, type Entry, runAgent } from './agent-run.ts'

/** A conversation with an agent in a session. It lasts as long as the page. */
export function useAgent(sessionId: string, prompt: string, tools: readonly AgentTool[]) {
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [isRunning, setRunning] = useState(false)
  const messages = useRef<PlaygroundMessage[]>([])
  const decisions = useRef(new Map<string, () => void>())
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const onEntry = (entry: Entry) =>
    setEntries((current) =>
      current.some(({ id }) => id === entry.id)
        ? current.map((one) => (one.id === entry.id ? entry : one))
        : [...current, entry],
    )
  const waitForDecision = (callId: string) =>
    new Promise<void>((resolve, reject) => {
      decisions.current.set(callId, resolve)
      stop.current?.signal.addEventListener('abort', () => reject(new ApiFailure('The agent was stopped.')))
    })

  const send = async (text: string) => {
    const controller = new AbortController()
    stop.current = controller
    if (messages.current.length === 0) messages.current.push({ role: 'system', content: prompt })
    const before = messages.current.length
    messages.current.push({ role: 'user', content: text })
    onEntry({ kind: 'text', id: crypto.randomUUID(), role: 'user', text })
    setFailure(null)
    setRunning(true)
    try {
      await runAgent({
        sessionId,
        tools,
        messages: messages.current,
        signal: controller.signal,
        onEntry,
        waitForDecision,
      })
    } catch (error) {
      // A call without its result is rejected by models, so the conversation returns to where it was.
      messages.current.length = before
      if (!controller.signal.aborted)
        setFailure(error instanceof ApiFailure ? error : new ApiFailure(String(error)))
    } finally {
      decisions.current.clear()
      setRunning(false)
    }
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
