import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { type CopyIn, type CopySession, openCopySession } from '../../platform/db/copy-session.ts'
import { addQueuedJobs, type QueuedJob } from '../../platform/jobs/copy-jobs.ts'
import type { FileStore, Spool } from '../../platform/storage/index.ts'
import { readEntries, type VerifiedBackup } from './archive-reader.ts'
import { quote, restorePartitions } from './database-copy.ts'
import { type Contents, damaged } from './manifest.ts'
import { buffer } from 'node:stream/consumers'

export interface RestoreOptions {
  file: string
  /** The result of `verifyBackup`. */
  backup: VerifiedBackup
  /** A database with the schema of the backup, and without rows. */
  databaseUrl: string
  files: { store: FileStore; spool: Spool }
  onStep(text: string): void
}

export interface RestoreReport {
  created_at: string
  program_version: string
  tables: number
  rows: number
  files: number
  jobs: number
}

/**
 * Restores a verified backup: first the files, then all rows in one transaction. After a failure the database
 * is empty. @throws the error of the database or of the file store
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { file, backup, onStep } = options
  const { manifest, contents } = backup
  const session = await openCopySession(options.databaseUrl, 'patchbay-restore')
  try {
    await session.rows('begin')
    await restorePartitions(session, manifest.partitions ?? [])
    const tables = tableWriter(session, manifest.tables, onStep)
    let [files, jobs] = [0, 0]
    await readEntries(file, async (name, entry) => {
      const [kind, rest] = splitName(name)
      if (kind === 'files') {
        await storeFile(options.files, rest, entry)
        files++
      } else if (kind === 'tables') await tables.write(rest.split('/')[0]!, entry)
      else if (kind === 'jobs') {
        await tables.end()
        jobs += await addJobs(session, entry)
      } else await discard(entry)
    })
    await tables.end()
    compareRows(file, contents, tables.rows)
    await setSequences(session, contents)
    await session.rows('commit')
    return {
      created_at: manifest.created_at,
      program_version: manifest.program_version,
      tables: manifest.tables.length,
      rows: Object.values(tables.rows).reduce((sum, count) => sum + count, 0),
      files,
      jobs,
    }
  } finally {
    await session.close()
  }
}

const splitName = (name: string): [string, string] => {
  const end = name.indexOf('/')
  return end < 0 ? ['', name] : [name.slice(0, end), name.slice(end + 1)]
}

/** Writes the portions of a table with one COPY, so that rows may reference rows of the same table. */
function tableWriter(
  session: CopySession,
  tables: VerifiedBackup['manifest']['tables'],
  onStep: (text: string) => void,
) {
  const rows: Record<string, number> = {}
  let open: { name: string; copy: CopyIn } | undefined
  const end = async () => {
    if (open) rows[open.name] = await open.copy.end()
    open = undefined
  }
  return {
    rows,
    end,
    async write(name: string, entry: Readable) {
      if (open?.name !== name) {
        await end()
        onStep(name)
        const columns = tables.find((table) => table.name === name)?.columns ?? []
        open = {
          name,
          copy: await session.copyIn(`public.${quote(name)} (${columns.map(quote).join(', ')})`),
        }
      }
      for await (const lines of entry as AsyncIterable<Buffer>) await open.copy.write(lines)
    },
  }
}

async function storeFile(
  { store, spool }: RestoreOptions['files'],
  key: string,
  entry: Readable,
): Promise<void> {
  await store.put(key, await spool.take(entry, Number.MAX_SAFE_INTEGER))
}

async function addJobs(session: CopySession, entry: Readable): Promise<number> {
  const jobs = JSON.parse((await buffer(entry)).toString('utf8')) as QueuedJob[]
  await addQueuedJobs(session, jobs)
  return jobs.length
}

async function discard(entry: Readable): Promise<void> {
  entry.resume()
  await once(entry, 'end')
}

function compareRows(file: string, contents: Contents, rows: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(contents.rows))
    if ((rows[name] ?? 0) !== count)
      throw damaged(file, `the table ${name} has ${rows[name] ?? 0} rows instead of ${count}`)
}

async function setSequences(session: CopySession, { sequences }: Contents): Promise<void> {
  for (const { table, column, value } of sequences)
    if (value > 0)
      await session.rows(
        "select setval(pg_get_serial_sequence(format('%I.%I', 'public', $1::text), $2), $3)",
        [table, column, value],
      )
}
