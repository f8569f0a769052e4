import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ProcessTimes } from '../test/fixtures/processor-times.ts'

const DEAREST = 40
const root = join(import.meta.dirname, '..')
const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)

/**
 * Returns a table of the test files that took most processor time, from the lines that their processes wrote. The
 * load of the machine lengthens a run, but hardly changes these times.
 */
export function formatProcessorTimes(path: string): string {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ProcessTimes)
    .sort((a, b) => b.ownMs + b.childrenMs - a.ownMs - a.childrenMs)
  const sum = (key: 'ownMs' | 'childrenMs') => rows.reduce((total, row) => total + row[key], 0)
  const line = (ownMs: number, childrenMs: number, name: string) =>
    `${seconds(ownMs + childrenMs)} ${seconds(ownMs)} ${seconds(childrenMs)}  ${name}\n`
  return [
    '\nProcessor time in seconds: total, of the process, of processes that it started\n',
    ...rows
      .slice(0, DEAREST)
      .map(({ ownMs, childrenMs, file }) => line(ownMs, childrenMs, relative(root, file))),
    line(sum('ownMs'), sum('childrenMs'), `sum of ${rows.length}`),
  ].join('')
}
