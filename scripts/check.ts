// All gates but the tests, two at a time: types, generated files, words, lengths, dependencies. `npm run check`.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { dependencies, lengths, type Verdict, words } from './file-gates.ts'

interface Gate {
  name: string
  run(): Verdict | Promise<Verdict>
}

const AT_ONCE = 2
const GATE_MS_MAX = 120_000
const root = join(import.meta.dirname, '..')
const generators = globSync('scripts/{write-*,dump-schema}.ts', { cwd: root }).sort()

const gates: Gate[] = [
  { name: 'types', run: () => program(join(root, 'node_modules', '.bin', 'tsc'), ['-p', '.']) },
  ...generators.map((script) => ({
    name: `${script} --check`,
    run: () => program(process.execPath, [script, '--check']),
  })),
  { name: 'words', run: words },
  { name: 'lengths', run: lengths },
  { name: 'dependencies', run: dependencies },
]

/** A program that is content ends with 0. */
function program(file: string, args: string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: GATE_MS_MAX })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', (error) => resolve({ faults: [error.message] }))
    child.on('close', (code) =>
      resolve({
        faults: code === 0 ? [] : [Buffer.concat(output).toString().trim() || `ended with ${code}`],
      }),
    )
  })
}

async function check({ name, run }: Gate): Promise<boolean> {
  const startedAt = performance.now()
  const { faults, notes = [] } = await Promise.resolve()
    .then(run)
    .catch((error: unknown): Verdict => ({ faults: [String(error)] }))
  process.stdout.write(
    `${faults.length ? '✖' : '✔'} ${name} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)\n`,
  )
  for (const line of [...faults, ...notes.map((note) => `note: ${note}`)].flatMap((text) => text.split('\n')))
    process.stdout.write(`    ${line}\n`)
  return faults.length === 0
}

if (generators.length < 5) throw new Error('the generators were not found')
const waiting = [...gates]
const failed: string[] = []
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift())
      if (!(await check(gate))) failed.push(gate.name)
  }),
)
process.stdout.write(
  failed.length
    ? `\n${failed.length} of ${gates.length} gates failed: ${failed.join(', ')}\n`
    : `\nall ${gates.length} gates passed\n`,
)
process.exitCode = failed.length ? 1 : 0
