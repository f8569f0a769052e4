import { parentPort, workerData } from 'node:worker_threads'
import type { SearchToolkit } from '../segments/document.ts'
import { SegmentBuilder } from '../segments/segment.ts'
import { encodeSegment } from '../segments/snapshot.ts'
import { wordVectors } from '../tool-search.ts'

// A thread that indexes the toolkits it is sent; `null` is the end, and the snapshot is the answer.

const builder = new SegmentBuilder(wordVectors())
parentPort?.on('message', (toolkit: SearchToolkit | null) => {
  if (toolkit) return builder.add(toolkit)
  const bytes = new Uint8Array(encodeSegment(builder.done(), workerData as string))
  parentPort?.postMessage(bytes, [bytes.buffer])
})
