import { writeFileSync } from 'node:fs'
import { encodeSegment } from '../../src/catalog/search/segments/snapshot.ts'
import { openApiCorpus } from './openapi-corpus.ts'
import { ours } from './ours.ts'

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
process.stdout.write(
  `    ${String(count).padStart(7)} tools   build ${seconds.toFixed(1)} s (processor ` +
    `${((user + system) / 1e6).toFixed(1)} s), snapshot ${(snapshot.length / 2 ** 20).toFixed(0)} MB`,
)
