import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renameFile } from '../../platform/rename-file.ts'
import { CHANNEL_FD } from '../process.ts'
import { SandboxStopped } from '../types.ts'

const START_MS = 120_000

/** A memory image of Python after its start, which makes the start of a sandbox eight times faster. */
export async function findOrCreateSnapshot(
  cacheDir: string,
  version: string,
  startProcess: () => ChildProcess,
): Promise<string> {
  const folder = join(cacheDir, 'sandbox')
  const key = createHash('sha256').update(`${version} ${process.version} ${SNAPSHOT_FORMAT}`).digest('hex')
  const path = join(folder, `python-${key.slice(0, 16)}.snapshot`)
  if (existsSync(path)) return realpathSync(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder))
    if (name.endsWith('.snapshot')) rmSync(join(folder, name), { force: true })
  const bytes = await readOutput(startProcess())
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(temporary, bytes, { mode: 0o600 })
  await renameFile(temporary, path)
  return realpathSync(path)
}

/** Increase it when the modules of the snapshot change. */
const SNAPSHOT_FORMAT = 1
const SNAPSHOT_BYTES_MIN = 1_000_000

async function readOutput(child: ChildProcess): Promise<Buffer> {
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  const chunks: Buffer[] = []
  let diagnostics = ''
  child.stdio[CHANNEL_FD]?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (diagnostics += text.slice(0, 2_000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => clearTimeout(timer))
  const bytes = Buffer.concat(chunks)
  if (code === 0 && bytes.length > SNAPSHOT_BYTES_MIN) return bytes
  throw new SandboxStopped('Python could not be prepared', { cause: diagnostics.slice(0, 2_000) })
}
