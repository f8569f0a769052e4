import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { FileSettings } from '../../src/features/files/index.ts'
import { localStore, spoolDirectory } from '../../src/platform/storage/index.ts'

/** Files in a directory that goes with the test. */
export function temporaryFiles(
  t: TestContext,
  url = 'http://localhost:3900',
): FileSettings & { directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-files-'))
  t.after(() => {
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    directory,
    store: localStore(directory),
    spool: spoolDirectory(join(directory, 'incoming')),
    url,
    bytesMax: 20_000_000,
    projectBytesMax: 100_000_000,
    retentionMs: 3_600_000,
  }
}

/** A directory for what can be made again, gone with the test. */
export function temporaryCache(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'patchbay-cache-'))
  t.after(() => {
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}
