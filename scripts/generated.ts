import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes a generated file of the repository; with `--check` only says whether it is up to date, and fails if not. */
export function writeGenerated(path: string, text: string, script: string, args: readonly string[]): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const current = read(file)
  if (args.includes('--check')) {
    if (current === text) return
    process.stderr.write(`${path} is not what ${script} writes: run node ${script} and commit the result.\n`)
    process.exitCode = 1
  } else if (current === text) process.stdout.write(`${relative('.', file)} is up to date\n`)
  else {
    writeFileSync(file, text)
    process.stdout.write(`${relative('.', file)} written\n`)
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
