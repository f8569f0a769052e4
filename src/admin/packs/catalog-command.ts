import { PACKS, type Pack, documentKey } from './packs.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { addedText, counted, some, statusOf, statusText } from './catalog-output.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { withDatabase } from '../with-database.ts'
import { openDataDir } from '../../platform/instance-lock.ts'
import { DatabaseUnavailable } from '../../platform/db/errors.ts'
import { createProgressOutput } from './progress-output.ts'
import { join } from 'node:path'
import { openSource } from './source.ts'
import { type AddResult, SOURCE_KIND, addPack } from './add-pack.ts'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../../server/version.ts'
import { availableParallelism } from 'node:os'
import {
  type InstanceToolkit,
  deleteInstanceToolkits,
  listInstanceToolkits,
} from '../../features/toolkits/custom/index.ts'

type Out = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }
export interface CatalogCommand {
  args: readonly string[]
  out: Out
  err: Out
  signal: AbortSignal
  packs?: readonly Pack[]
}

const STATEMENT_MS = 120_000
const THREADS_MAX = 8
/** The exit code of an interrupted program in shells. */
const INTERRUPTED = 130

interface CatalogArguments {
  readonly action: string
  readonly pack: Pack | undefined
  readonly from: string | undefined
  readonly only: string
  readonly again: boolean
  readonly isJson: boolean
}
interface CatalogContext {
  readonly db: Pool
  readonly dataDir: string
}

/** Runs `patchbay catalog list | add | status | remove`. Returns the exit code. @throws StartupError */
export async function catalogCommand({
  args,
  out,
  err,
  signal,
  packs = PACKS,
}: CatalogCommand): Promise<number> {
  const asked = readArgs(args, packs)
  const write = (value: object, text: string) => {
    out.write(asked.isJson ? `${JSON.stringify(value)}\n` : text)
  }
  return withCatalogs(async (place) => {
    if (asked.action === 'add')
      return add(asked as CatalogArguments & { pack: Pack }, place, { out, err, signal }, write)
    if (asked.action === 'remove') return remove(asked as CatalogArguments & { pack: Pack }, place, write)
    const states = await Promise.all(
      (asked.pack ? [asked.pack] : packs).map(async (pack) =>
        statusOf(pack, await toolkitsOf(place.db, pack)),
      ),
    )
    write(asked.pack ? states[0]! : { catalogues: states }, `\n${states.map(statusText).join('\n')}\n\n`)
    return 0
  })
}

function readArgs(args: readonly string[], packs: readonly Pack[]): CatalogArguments {
  const usage = (why: string) =>
    new StartupError(
      why,
      'Write `patchbay catalog list`, or `patchbay catalog add|status|remove <catalogue>`; `patchbay ' +
        'catalog --help` explains the flags.',
      { exitCode: 2 },
    )
  const [action = '', ...rest] = args
  if (!['list', 'add', 'status', 'remove'].includes(action))
    throw usage(action === '' ? 'catalog needs an action.' : `catalog does not take ${action}.`)
  const flags = {
    from: undefined as string | undefined,
    only: '',
    again: false,
    isJson: false,
    names: [] as string[],
  }
  for (let at = 0; at < rest.length; at++) {
    const [flag = '', value] = rest[at]!.split(/=(.*)/s)
    if (flag === '--json') flags.isJson = true
    else if (flag === '--again' && action === 'add') flags.again = true
    else if (
      (flag === '--from' && action === 'add') ||
      (flag === '--only' && ['add', 'remove'].includes(action))
    ) {
      const text = value ?? rest[++at]
      if (!text) throw usage(`${flag} takes a value.`)
      flags[flag === '--from' ? 'from' : 'only'] = text
    } else if (flag.startsWith('-')) throw usage(`catalog ${action} does not take ${flag}.`)
    else flags.names.push(flag)
  }
  const [name] = flags.names
  const pack = packs.find((one) => one.name === name)
  if (flags.names.length !== (action === 'list' ? 0 : 1))
    throw usage(
      action === 'list' ? 'catalog list takes no catalogue.' : `catalog ${action} takes one catalogue.`,
    )
  if (name !== undefined && !pack)
    throw usage(
      `Catalogue ${name.slice(0, 60)} does not exist. Available: ${packs.map((one) => one.name).join(', ')}.`,
    )
  return { action, pack, from: flags.from, only: flags.only, again: flags.again, isJson: flags.isJson }
}

const withCatalogs = <T>(use: (place: CatalogContext) => Promise<T>): Promise<T> =>
  withDatabase('catalog', { max: 2, statementTimeoutMs: STATEMENT_MS }, async ({ config, db }) => {
    try {
      return await use({ db, dataDir: await openDataDir(config.dataDir) })
    } catch (error) {
      if (error instanceof DatabaseUnavailable)
        throw new StartupError(
          'The connection to the database was lost.',
          'Run this command again when the database is available. It continues where it stopped.',
          { cause: error },
        )
      throw error
    }
  })

async function add(
  { pack, from, only, again, isJson }: CatalogArguments & { pack: Pack },
  { db, dataDir }: CatalogContext,
  { out, err, signal }: Pick<CatalogCommand, 'out' | 'err' | 'signal'>,
  write: (value: object, text: string) => void,
): Promise<number> {
  const startedAt = performance.now()
  const output = createProgressOutput({ out, err, isJson })
  const cache = join(dataDir, 'cache')
  const source = await openSource(pack, { path: from, cache: join(cache, 'packs'), onStep: output.step })
  let added: AddResult | undefined
  try {
    const reservedSlugs = new Set(
      (await readdir(fileURLToPath(new URL('toolkits', ROOT)), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    )
    added = await addPack({
      pack,
      documents: source.documents,
      includes: (key) => key.includes(only),
      again,
      db,
      now: Date.now,
      toolkitCacheDir: join(cache, 'toolkits'),
      reservedSlugs,
      threads: Math.min(THREADS_MAX, availableParallelism()),
      signal,
      onProgress: output.progress,
    })
  } finally {
    output.end()
    await source.close(added !== undefined && !added.interrupted)
  }
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  write(
    {
      event: 'done',
      catalogue: pack.name,
      version: pack.version,
      ...added,
      seconds,
      peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
    },
    addedText(pack, added, seconds),
  )
  return added.interrupted ? INTERRUPTED : 0
}

async function remove(
  { pack, only }: CatalogArguments & { pack: Pack },
  { db }: CatalogContext,
  write: (value: object, text: string) => void,
): Promise<number> {
  const there = (await toolkitsOf(db, pack)).filter(({ address }) =>
    documentKey(pack, address)!.includes(only),
  )
  const gone = await deleteInstanceToolkits(
    db,
    there.map(({ slug }) => slug),
  )
  const removed = new Set(gone)
  const remaining = there.map(({ slug }) => slug).filter((slug) => !removed.has(slug))
  write(
    { event: 'removed', catalogue: pack.name, removed: gone.length, remaining },
    `\n  ${counted(gone.length, 'toolkit')} removed.\n${remaining.length > 0 ? describeRemaining(remaining) : ''}\n`,
  )
  return remaining.length > 0 ? 1 : 0
}

const describeRemaining = (slugs: string[]): string =>
  `  ${counted(slugs.length, 'toolkit')} not removed, because auth configs use ` +
  `${slugs.length === 1 ? 'it' : 'them'}: ${some(slugs)}.\n` +
  '  → Delete these auth configs, and run this command again.\n'

const toolkitsOf = async (db: Pool, pack: Pack): Promise<InstanceToolkit[]> =>
  (await listInstanceToolkits(db, SOURCE_KIND)).filter(
    ({ address }) => documentKey(pack, address) !== undefined,
  )
