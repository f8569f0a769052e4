import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { buildIndex, stopIndexThreads } from './build-index.ts'

/** More tools than are indexed in the thread of the test, in several toolkits. */
const SLUGS = ['barn', 'clinic', 'farm', 'school']
const TOOLS_EACH = 100

const catalog = () =>
  catalogFromSources(
    SLUGS.map((slug) => ({
      slug,
      icon: '<svg/>',
      toolkit: sampleToolkit({ slug, name: `My ${slug}` }),
      tools: {
        tools: Array.from({ length: TOOLS_EACH }, (_, at) =>
          sampleTool({ slug: `${slug.toUpperCase()}_GET_${at}`, name: `Get ${slug} report ${at}` }),
        ),
      },
    })),
  )

test('index: a thread that indexes ends between two toolkits when the process stops', async (t) => {
  const exitCodes: number[] = []
  const onWorker = (worker: Worker) => void worker.once('exit', (code) => exitCodes.push(code))
  // Other threads of this process may index for an earlier test.
  await stopIndexThreads()
  process.once('worker', onWorker)
  t.after(() => process.off('worker', onWorker))
  const built = assert.rejects(buildIndex(catalog(), SLUGS, 'key'), /ended before it was done/)
  await stopIndexThreads()
  // A thread that is ended from outside has the exit code 1.
  assert.deepEqual(exitCodes, [0])
  await built
  assert.ok((await buildIndex(catalog(), SLUGS, 'key')).length > 0)
  await stopIndexThreads()
})
