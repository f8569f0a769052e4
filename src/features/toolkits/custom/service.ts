import type { Catalog, Quarantined } from '../../../catalog/index.ts'
import type { Imported } from '../../../catalog/importers/index.ts'
import { type Difference, differenceOf, nextVersion } from '../../../catalog/importers/versions/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { describeChanges } from './changelog.ts'
import { confirmRecipients } from './confirm-recipients.ts'
import { packContent } from './content.ts'
import { exportVersion } from './export-version.ts'
import type { ProjectCatalogs } from './project-catalogs.ts'
import * as store from './store.ts'
import { findSameVersion } from './same-version.ts'
import { assertWithinLimits, readStoredContent, validateImport } from './validate-import.ts'

/** Source of a toolkit. The URL has no credentials and no query. */
export interface ImportSource {
  readonly kind: string
  readonly address?: string | undefined
}

/** Result of an import. */
export interface StoredToolkit {
  readonly slug: string
  readonly version: string
  /** False if the newest version has the same content. */
  readonly created: boolean
  /** Changes since the previous version; undefined for the first version, and if nothing was created. */
  readonly difference: Difference | undefined
  readonly quarantined: readonly Quarantined[]
}

export interface CustomToolkitDeps {
  readonly db: Pool
  readonly catalogs: ProjectCatalogs
}

interface PutOptions {
  readonly quiet?: boolean
  /** Number of the new version. Default: the next one of today. */
  readonly version?: string | undefined
  readonly confirmedAccounts?: readonly string[] | undefined
  /** Why no model vendor accepts a tool, by slug, if all tools were checked. */
  readonly faults?: ReadonlyMap<string, string> | undefined
}

type ValidatedImport = Awaited<ReturnType<typeof validateImport>>

/** Custom toolkits of projects and of the instance (owner null). */
export function createCustomToolkits(deps: CustomToolkitDeps) {
  const { db } = deps
  return {
    put: (
      owner: store.ToolkitOwner,
      imported: Imported,
      source: ImportSource,
      now: number,
      options?: PutOptions,
    ) => putToolkit(deps, owner, imported, source, now, options),

    preview: (owner: store.ToolkitOwner, imported: Imported, now: number, options?: PutOptions) =>
      previewToolkit(deps, owner, imported, now, options),

    /** Notifies all processes of toolkits that were stored with `quiet`. */
    async announce(owner: store.ToolkitOwner): Promise<void> {
      await store.announceChange(db, owner)
      await forget(deps, owner)
    },

    /** Tool slugs of earlier imports by operation, so that the next import keeps them. */
    async formerSlugs(owner: store.ToolkitOwner, slug: string): Promise<ReadonlyMap<string, string>> {
      return new Map(Object.entries((await store.findToolkit(db, owner, slug))?.origins ?? {}))
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
 * Stores an import as a toolkit and notifies all processes. Content equal to the newest version creates no
 * version. Tools that no model vendor accepts are left out and listed in the result. `quiet` skips the
 * notification, for callers that store many toolkits and then call `announce`. `confirmedAccounts` are as in
 * `confirmRecipients`.
 * @throws ApiError 409 if a slug is in use, a limit is reached, or stored credentials would go to other hosts
 */
async function putToolkit(
  deps: CustomToolkitDeps,
  owner: store.ToolkitOwner,
  imported: Imported,
  source: ImportSource,
  now: number,
  { quiet = false, version: number, confirmedAccounts, faults }: PutOptions = {},
): Promise<StoredToolkit> {
  const { db } = deps
  const validated = await validateImport(db, await catalogOf(deps, owner), owner, imported, faults)
  const content = await packContent(validated.snapshot.text)
  const result = await db.begin(async (tx) => {
    const version = { source, now, number, content, confirmedAccounts }
    const stored = await storeVersion(tx, owner, imported, validated, version)
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
  imported: Imported,
  now: number,
  { version: number, faults }: PutOptions = {},
): Promise<Omit<StoredToolkit, 'version'> & { readonly version: string | null }> {
  const { toolkit } = imported
  const catalog = await catalogOf(deps, owner)
  const validated = await validateImport(deps.db, catalog, owner, imported, faults)
  const { previous, tools, quarantined, snapshot } = validated
  const versions = await store.listVersionsOfToolkit(deps.db, owner, toolkit.slug)
  const existing = findSameVersion(versions, { slug: toolkit.slug, digest: snapshot.sha256, number, now })
  const isSame = existing !== undefined
  return {
    slug: toolkit.slug,
    version: existing?.version ?? number ?? null,
    created: !isSame,
    difference: previous && !isSame ? differenceOf(previous.content, { toolkit, tools }) : undefined,
    quarantined,
  }
}

const catalogOf = ({ catalogs }: CustomToolkitDeps, owner: store.ToolkitOwner) =>
  owner === null ? catalogs.instance() : catalogs.of(owner)

/** Applies a change in this process immediately; the others are notified. */
async function forget({ catalogs }: CustomToolkitDeps, owner: store.ToolkitOwner): Promise<void> {
  if (owner === null) await catalogs.refreshInstance()
  else catalogs.forget(owner)
}

/** Stores a validated import as a new version, unless the newest version has the same content. */
async function storeVersion(
  tx: Db,
  owner: store.ToolkitOwner,
  imported: Imported,
  { previous, tools, quarantined, snapshot }: ValidatedImport,
  {
    source,
    now,
    number,
    content,
    confirmedAccounts,
  }: {
    source: ImportSource
    now: number
    number: string | undefined
    content: Buffer
    confirmedAccounts: readonly string[] | undefined
  },
): Promise<StoredToolkit> {
  const { slug } = imported.toolkit
  await store.lockForChange(tx, owner, 'add')
  const versions = await store.listVersionsOfToolkit(tx, owner, slug)
  const newest = versions[0]
  const existing = findSameVersion(versions, { slug, digest: snapshot.sha256, number, now })
  if (existing) return { slug, version: existing.version, created: false, difference: undefined, quarantined }
  const before =
    newest && (newest.digest === previous?.digest ? previous.content : await readStoredContent(tx, newest))
  const after = { toolkit: imported.toolkit, tools }
  if (before && owner !== null) await confirmRecipients(tx, owner, before, after, confirmedAccounts)
  const difference = before && differenceOf(before, after)
  if (owner !== null)
    await assertWithinLimits(tx, owner, {
      slug,
      tools: tools.length,
      versions: versions.length,
      bytes: content.length,
    })
  const toolkit = (await store.findToolkit(tx, owner, slug)) ?? (await store.insertToolkit(tx, owner, slug))
  const version =
    number ??
    nextVersion(
      versions.map((row) => row.version),
      now,
    )
  const row = {
    version,
    digest: snapshot.sha256,
    changes: difference ? describeChanges(difference) : 'First import.',
    source_kind: source.kind,
    source_url: urlWithoutSecrets(source.address),
    tools_count: tools.length,
    size: content.length,
    quarantined: [...quarantined],
  }
  await store.insertVersion(tx, owner, toolkit, row, content, { ...toolkit.origins, ...imported.origins })
  return { slug, version, created: true, difference, quarantined }
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

/** Removes credentials and query from a URL: users who may list versions must not see them. */
function urlWithoutSecrets(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { origin, pathname, protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname}`.slice(0, 2_000) : null
}
