import { isUtf8 } from 'node:buffer'
import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '../thread-priority.ts'
import { outlineJson } from './outline.ts'
import type { OutlineOrder } from './outline-thread.ts'
import { outlineRequest } from './request-outline.ts'

// A thread that checks one JSON text after the other, so that the objects that JSON.parse makes are garbage of this
// thread and not of the one that responds to requests.

lowerThreadPriority()
parentPort?.on('message', ({ memory, kind }: OutlineOrder) => {
  const bytes = Buffer.from(memory)
  if (kind === 'response') return parentPort?.postMessage(outlineJson(bytes, isUtf8(bytes)))
  const outline = outlineRequest(bytes, kind === 'message')
  parentPort?.postMessage(outline, outline.kind === 'object' && outline.bytes ? [outline.bytes.buffer] : [])
})
