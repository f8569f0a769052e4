import { createContext, useMemo, useState } from 'react'
import type { ApiRequest } from '../../api/index.ts'
import type { Arguments } from './shared-call.ts'
import type { UploadTarget } from './upload-file.ts'

interface Uploads {
  target: UploadTarget
  /** Called when an upload starts (1), and when it ends in any way (-1). */
  onRunning(change: 1 | -1): void
  onUploaded(key: string, request: ApiRequest): void
}

/** What the fields for files need. The form library is between them and the page. */
export const UploadsContext = createContext<Uploads | undefined>(undefined)

/** Counts the uploads that run, and remembers their requests: those of the files that the arguments contain. */
export function useUploads(target: UploadTarget, args: Arguments) {
  const [requests, setRequests] = useState<ReadonlyMap<string, ApiRequest>>(new Map())
  const [running, setRunning] = useState(0)
  const { toolkit_slug: toolkit, tool_slug: tool } = target
  const context = useMemo(
    (): Uploads => ({
      target: { toolkit_slug: toolkit, tool_slug: tool },
      onRunning: (change) => setRunning((count) => count + change),
      onUploaded: (key, request) => setRequests((before) => new Map(before).set(key, request)),
    }),
    [toolkit, tool],
  )
  const text = JSON.stringify(args)
  return {
    context,
    isRunning: running > 0,
    requests: [...requests].flatMap(([key, request]) =>
      text.includes(JSON.stringify(key)) ? [request] : [],
    ),
  }
}
