import type { Catalog } from '../../../catalog/index.ts'
import type { PreparedVersion, PreviousVersion } from '../../../catalog/importers/versions/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { runInSlices } from '../../../platform/http/turns/run-in-slices.ts'
import { exportVersion } from './export-version.ts'
import type { ProjectCatalogs } from './project-catalogs.ts'
import * as store from './store.ts'
import { type ImportSource, planVersion, type StoredToolkit, storeVersion } from './store-version.ts'
import { readCompressed } from './read-compressed.ts'
import { assertValid } from './validate-version.ts'

export interface CustomToolkitDeps {
  readonly db: Pool
  readonly catalogs: ProjectCatalogs
}

interface PutOptions {
  readonly quiet?: boolean
  /** Number of the new version. Default: the next one of today. */
  readonly version?: string | undefined
  readonly confirmedAccounts?: readonly string[] | undefined
}

/** Custom toolkits of projects and of the instance (owner null). */
export function createCustomToolkits(deps: CustomToolkitDeps) {
  const { db } = deps
  return {
    put: (
      owner: store.ToolkitOwner,
      prepared: PreparedVersion,
      source: ImportSource,
      now: number,
      options?: PutOptions,
    ) => putToolkit(deps, owner, prepared, source, now, options),

    preview: (owner: store.ToolkitOwner, prepared: PreparedVersion, now: number, options?: PutOptions) =>
      previewToolkit(deps, owner, prepared, now, options),

    /** Notifies all processes of toolkits that were stored with `quiet`. */
    async announce(owner: store.ToolkitOwner): Promise<void> {
      await store.announceChange(db, owner)
      await forget(deps, owner)
    },

    /** Reads the newest version of a toolkit. */
    async findNewest(owner: store.ToolkitOwner, slug: string): Promise<PreviousVersion | undefined> {
      const newest = await store.findNewestVersion(db, owner, slug)
      return newest && { ...newest, content: await readCompressed(db, newest.digest) }
    },

    /** Lists the versions of a toolkit, newest first. */
    versions: (owner: store.ToolkitOwner, slug: string): Promise<store.ToolkitVersionRow[]> =>
      store.listVersionsOfToolkit(db, owner, slug),

    /** Lists all versions of all toolkits of an owner. */
    list: (owner: store.ToolkitOwner): Promise<store.ToolkitVersionRow[]> => store.listVersions(db, owner),

    /** Returns a version of a toolkit of a project, with its content as gzip. @throws ApiError 404, 413 */
    exportVersion: (projectId: string, slug: string, version: string) =>
      exportVersion(db, projectId, slug, version),

    remove: (owner: store.ToolkitOwner, slug: string) => deleteToolkit(deps, owner, slug.toLowerCase()),
  }
}

export type CustomToolkits = ReturnType<typeof createCustomToolkits>

/**
 * Stores a prepared version of a toolkit and notifies all processes. Content equal to the newest version creates no
 * version. Tools that no model vendor accepts are left out and listed in the result. `quiet` skips the
 * notification, for callers that store many toolkits and then call `announce`. `confirmedAccounts` are as in
 * `confirmRecipients`.
 * @throws ApiError 409 if a slug is in use, a limit is reached, or stored credentials would go to other hosts; 503 if
 * another version was stored after this one was prepared
 */
async function putToolkit(
  deps: CustomToolkitDeps,
  owner: store.ToolkitOwner,
  prepared: PreparedVersion,
  source: ImportSource,
  now: number,
  { quiet = false, version: number, confirmedAccounts }: PutOptions = {},
): Promise<StoredToolkit> {
  const { db } = deps
  await runInSlices(assertValid(await catalogOf(deps, owner), owner, prepared))
  const result = await db.begin(async (tx) => {
    const stored = await storeVersion(tx, owner, { prepared, source, number, now, confirmedAccounts })
    if (stored.created && !quiet) await store.announceChange(tx, owner)
    return stored
  })
  if (!quiet) await forget(deps, owner)
  return result
}

/**
 * Returns the result of `put` without storing anything; `version` is null if `put` would create one.
 * @throws ApiError as `put`, except for the limits of a project
 */
async function previewToolkit(
  deps: CustomToolkitDeps,
  owner: store.ToolkitOwner,
  prepared: PreparedVersion,
  now: number,
  { version: number }: PutOptions = {},
): Promise<Omit<StoredToolkit, 'version'> & { readonly version: string | null }> {
  await runInSlices(assertValid(await catalogOf(deps, owner), owner, prepared))
  const { existing, changes } = await planVersion(deps.db, owner, { prepared, number, now })
  return {
    slug: prepared.toolkit.slug,
    version: existing?.version ?? number ?? null,
    created: !existing,
    difference: changes?.difference,
    quarantined: prepared.quarantined,
  }
}

const catalogOf = ({ catalogs }: CustomToolkitDeps, owner: store.ToolkitOwner) =>
  owner === null ? catalogs.instance() : catalogs.of(owner)

/** Applies a change in this process immediately; the others are notified. */
async function forget({ catalogs }: CustomToolkitDeps, owner: store.ToolkitOwner): Promise<void> {
  if (owner === null) await catalogs.refreshInstance()
  else catalogs.forget(owner)
}

/**
 * Deletes a toolkit with all its versions.
 * @throws ApiError 404; 403 for a toolkit of another owner; 409 while it has auth configs
 */
async function deleteToolkit(
  deps: CustomToolkitDeps,
  owner: store.ToolkitOwner,
  slug: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    await store.lockForChange(tx, owner, 'remove')
    const toolkit = await store.findToolkit(tx, owner, slug)
    if (!toolkit) throw notOwnToolkit(await catalogOf(deps, owner), slug)
    const count = await store.countAuthConfigs(tx, owner, slug)
    if (count > 0)
      throw new ApiError(
        'Toolkit_InUse',
        `${slug} has ${count} auth config${count === 1 ? '' : 's'}. Delete ${count === 1 ? 'it' : 'them'} first.`,
      )
    await store.deleteToolkit(tx, toolkit)
    await store.announceChange(tx, owner)
  })
  await forget(deps, owner)
}

function notOwnToolkit(catalog: Catalog, slug: string): ApiError {
  return catalog.toolkit(slug)
    ? new ApiError('Toolkit_NotOwn', `${slug} is built in and cannot be deleted by a project.`)
    : new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found`)
}
