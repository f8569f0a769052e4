import { writeFileSync } from 'node:fs'
import { encodeSegment } from '../../src/catalog/search/segments/snapshot.ts'
import { createOverlaySearch, indexOf } from '../../src/catalog/search/tool-search.ts'
import { openApiCorpus } from './openapi-corpus.ts'
import { ours, toolkitsOf } from './ours.ts'

// Builds one size of the catalogue and writes its snapshot. Started by main.ts.

const [cache = '', size = '', file = ''] = process.argv.slice(2)
const all = await openApiCorpus(cache, '')
// Every n-th, so that a small catalogue is a cross-section.
const count = Math.min(all.length, Number(size))
const tools = Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]!)
const startedAt = performance.now()
const cpu = process.cpuUsage()
const {
  part: { segment },
} = ours(tools)
const seconds = (performance.now() - startedAt) / 1_000
const { user, system } = process.cpuUsage(cpu)
const snapshot = encodeSegment(segment, 'bench')
writeFileSync(file, snapshot)

// One toolkit changes: it is indexed, and hidden in the index of all.
const changed = Math.floor(segment.toolkits.length / 2)
const { slug } = segment.toolkits[changed]!
const toolkit = toolkitsOf(tools).find((one) => one.slug === slug)!
createOverlaySearch([{ segment }])
const updatedAt = performance.now()
const updateCpu = process.cpuUsage()
const hidden = Uint8Array.from(segment.toolkits, (_, number) => (number === changed ? 1 : 0))
createOverlaySearch([{ segment, hidden }, { segment: indexOf([toolkit]) }])
const updateMs = performance.now() - updatedAt
const updateUsed = process.cpuUsage(updateCpu)
process.stdout.write(
  `    ${String(count).padStart(7)} tools   build ${seconds.toFixed(1)} s (processor ` +
    `${((user + system) / 1e6).toFixed(1)} s), snapshot ${(snapshot.length / 2 ** 20).toFixed(0)} MB; a change ` +
    `of one toolkit (${toolkit.tools.length} tools) ` +
    `${updateMs.toFixed(1)} ms (processor ${((updateUsed.user + updateUsed.system) / 1_000).toFixed(1)})`,
)
