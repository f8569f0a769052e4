import { globSync } from 'node:fs'

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts']

/** Files that share processes: to load the application and its catalogue takes a second of processor time. */
interface SharedFiles {
  patterns: readonly string[]
  /** Files of one process. */
  most: number
}

/** Each process has one Chromium, which takes more than a second to start too. */
const BROWSERS: SharedFiles = { patterns: ['test/{browser,console}/**/*.test.ts'], most: 6 }
const OTHERS: SharedFiles = {
  patterns: [
    'src/**/*.test.ts',
    'test/*.test.ts',
    'test/{contract,deploy,docs,e2e,requirements,sdk,security,simulation,toolkits}/**/*.test.ts',
    'scripts/**/*.test.ts',
  ],
  most: 32,
}
const APART = [
  'src/catalog/manifest/load/disk-cache/disk-cache.test.ts',
  // Tests what the first search of a process prepares.
  'src/catalog/search/prepare-queries.test.ts',
]
// They take longest, because they start servers one after another: first, so that no core is idle at the end.
const FIRST = [
  'test/docs/guides.test.ts',
  'test/failure-injection/database-lost.test.ts',
  'test/failure-injection/killed.test.ts',
  'test/failure-injection/doctor.test.ts',
  'test/sandbox/escape.test.ts',
  'test/failure-injection/workers.test.ts',
  'test/failure-injection/start-errors.test.ts',
  'test/failure-injection/rotate-keys.test.ts',
  'test/failure-injection/stop.test.ts',
  'test/package/package.test.ts',
]

/** Returns all test files of a folder, sorted. */
export const allTestFiles = (root: string): string[] => globSync(EVERYTHING, { cwd: root }).sort()

/**
 * Returns the files of each process, in the order in which the processes start. Those that compute and those that wait
 * for servers alternate, so that both cores are busy. With `isEachAlone`, each file has its own process, so that its
 * time can be measured.
 */
export function groupTestFiles(root: string, isEachAlone = false): string[][] {
  const rest = new Set(allTestFiles(root))
  for (const file of FIRST) rest.delete(file)
  const take = ({ patterns, most }: SharedFiles): string[][] => {
    const files = globSync([...patterns], { cwd: root }).filter(
      (file) => rest.has(file) && !APART.includes(file),
    )
    for (const file of files) rest.delete(file)
    return divide(files.sort(), isEachAlone ? 1 : most)
  }
  const browsers = take(BROWSERS)
  const others = take(OTHERS)
  const alone = (files: Iterable<string>) => [...files].map((file) => [file])
  return [...alone(FIRST), ...browsers, ...alternate(alone(rest), others)]
}

/** Distributes files over as few groups as possible. Neighbours are of one folder and take similar time, so they part. */
function divide(files: readonly string[], most: number): string[][] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group))
}

/** Distributes the groups among the files. The last tenth are files: none of them leaves the others idle for long. */
const alternate = (files: readonly string[][], groups: readonly string[][]): string[][] => {
  const place = (list: readonly string[][], end: number) =>
    list.map((item, index) => ({ item, at: ((index + 0.5) / list.length) * end }))
  return [...place(files, 1), ...place(groups, 0.9)].sort((a, b) => a.at - b.at).map(({ item }) => item)
}
