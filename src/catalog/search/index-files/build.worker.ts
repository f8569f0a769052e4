import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../../platform/thread-priority.ts'
import type { SearchToolkit } from '../segments/document.ts'
import { SegmentBuilder } from '../segments/segment.ts'
import { encodeSegment } from '../segments/snapshot.ts'
import { wordVectors } from '../tool-search.ts'
import type { IndexThreadData } from './build-index.ts'
import { toolkitReader, type ToolkitToRead } from './read-toolkit.ts'

// A thread that indexes the toolkits of its messages: their texts, or where it reads them. `null` is the end, and the
// snapshot is the response.

lowerThreadPriority()
const { key, stopFlag } = workerData as IndexThreadData
const builder = new SegmentBuilder(wordVectors())
const readToolkit = toolkitReader()
parentPort?.on('message', (toolkit: SearchToolkit | ToolkitToRead | null) => {
  // Without its port the thread has nothing to wait for, and ends.
  if (Atomics.load(stopFlag, 0) !== 0) return parentPort?.close()
  if (toolkit) return builder.add('location' in toolkit ? readToolkit(toolkit) : toolkit)
  const bytes = new Uint8Array(encodeSegment(builder.done(), key))
  parentPort?.postMessage(bytes, [bytes.buffer])
})
