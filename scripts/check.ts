// All gates except the tests, two at a time. `npm run check`.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_COMPILE_CACHE } from './compile-cache.ts'
import { dependencies, fileContents, type Verdict } from './file-gates.ts'
import { wordList } from './word-gate.ts'

interface Gate {
  name: string
  run(): Verdict | Promise<Verdict>
}

const CONCURRENCY = 2
/** Ends only a gate that hangs: on a loaded machine the linter takes ten minutes. */
const GATE_MS_MAX = 1_800_000
const root = join(import.meta.dirname, '..')
const generators = globSync('scripts/{write-*,dump-schema}.ts', { cwd: root }).sort()

const gates: Gate[] = [
  { name: 'lint', run: () => runPackage('oxlint', []) },
  { name: 'types', run: () => runPackage('tsc', ['-p', '.']) },
  { name: 'types of the console', run: () => runPackage('tsc', ['--noEmit', '-p', 'src/console']) },
  { name: 'format', run: () => runPackage('oxfmt', ['--check']) },
  ...generators.map((script) => ({
    name: `${script} --check`,
    run: () => runProgram(process.execPath, [script, '--check']),
  })),
  {
    name: 'API changes since the last release',
    run: () => runProgram(process.execPath, ['scripts/api-changes/main.ts']),
  },
  { name: 'word list', run: wordList },
  { name: 'file contents', run: fileContents },
  { name: 'dependencies', run: dependencies },
]

const runPackage = (name: string, args: string[]): Promise<Verdict> =>
  runProgram(join(root, 'node_modules', '.bin', name), args)

/** Runs a program that exits with 0 when it has nothing to report. */
function runProgram(file: string, args: string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: GATE_MS_MAX,
      env: { NODE_COMPILE_CACHE, ...process.env },
    })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', (error) => resolve({ faults: [error.message] }))
    child.on('close', (code) =>
      resolve({
        faults: code === 0 ? [] : [Buffer.concat(output).toString().trim() || `exit code ${code}`],
      }),
    )
  })
}

async function check({ name, run }: Gate): Promise<boolean> {
  const startedAt = performance.now()
  const { faults } = await Promise.resolve()
    .then(run)
    .catch((error: unknown): Verdict => ({ faults: [String(error)] }))
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  process.stdout.write(`${faults.length ? '✖' : '✔'} ${name} (${seconds} s)\n`)
  for (const line of faults.flatMap((text) => text.split('\n'))) process.stdout.write(`    ${line}\n`)
  return faults.length === 0
}

if (generators.length < 5) throw new Error('the generators were not found')
const queue = [...gates]
const failed: string[] = []
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      if (!(await check(next))) failed.push(next.name)
  }),
)
process.stdout.write(
  failed.length
    ? `\n${failed.length} of ${gates.length} gates failed: ${failed.join(', ')}\n`
    : `\nall ${gates.length} gates passed\n`,
)
process.exitCode = failed.length ? 1 : 0
