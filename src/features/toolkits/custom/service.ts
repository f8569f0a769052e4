import { type Catalog, quarantine, type Quarantined } from '../../../catalog/index.ts'
import { type Difference, differenceOf } from '../../../catalog/importers/difference.ts'
import type { Imported } from '../../../catalog/importers/index.ts'
import { canonicalJson, nextVersion, snapshotOf } from '../../../catalog/importers/snapshot.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { changesIn } from './changelog.ts'
import { CONTENT_BYTES_MAX, packContent, readContent, type Stored } from './content.ts'
import * as store from './store.ts'
import type { ToolkitViews } from './project-catalogs.ts'

/** What a project may have. The instance is the operator's own. */
export const BOUNDS = { toolkits: 200, versions: 100, tools: 20_000, bytes: 256 * 1024 * 1024 } as const

/** Where a toolkit came from. The address has no credentials and no query. */
export interface Source {
  readonly kind: string
  readonly address?: string | undefined
}

export interface Put {
  readonly slug: string
  readonly version: string
  /** False: the newest version is the same already. */
  readonly created: boolean
  /** Against the version before; undefined for the first, and when nothing was created. */
  readonly difference: Difference | undefined
  readonly quarantined: readonly Quarantined[]
}

export interface OwnToolkitDeps {
  readonly db: Pool
  readonly views: ToolkitViews
}

export function ownToolkits({ db, views }: OwnToolkitDeps) {
  const catalogOf = (owner: store.Owner) => (owner === null ? views.instance() : views.of(owner))

  async function stored(of: Db, row: Pick<store.VersionRow, 'digest'>): Promise<Stored> {
    const bytes = await store.contentOf(of, row.digest)
    if (!bytes) throw new Error(`The content ${row.digest} of a toolkit is not in the database.`)
    return readContent(bytes)
  }

  return {
    /**
     * Stores an import as a toolkit of a project (null: of the instance) and tells every process. The same content as the newest version makes no new one.
     * Tools that no vendor of models would take are left out and named. `quiet`: nobody is told before `announce`, for whoever stores many at once. @throws ApiError 409 when the slug, or that of a tool, is another's, or a bound is met
     */
    async put(
      owner: store.Owner,
      imported: Imported,
      source: Source,
      now: number,
      { quiet = false }: { quiet?: boolean } = {},
    ): Promise<Put> {
      const { slug } = imported.toolkit
      const { before, sound, quarantined, snapshot } = await judged(owner, imported)
      const content = await packContent(snapshot.text)
      const put = await db.begin(async (tx): Promise<Put> => {
        await store.lockForChange(tx, owner, 'add')
        const versions = await store.versionsOfToolkit(tx, owner, slug)
        const newest = versions[0]
        if (newest?.digest === snapshot.sha256)
          return { slug, version: newest.version, created: false, difference: undefined, quarantined }
        const difference =
          newest &&
          differenceOf(newest.digest === before?.digest ? before.content : await stored(tx, newest), {
            toolkit: imported.toolkit,
            tools: sound,
          })
        if (owner !== null)
          await refuseTooMuch(tx, owner, {
            slug,
            tools: sound.length,
            versions: versions.length,
            bytes: content.length,
          })
        const toolkit =
          (await store.findToolkit(tx, owner, slug)) ?? (await store.insertToolkit(tx, owner, slug))
        const version = nextVersion(
          versions.map((one) => one.version),
          now,
        )
        await store.insertVersion(
          tx,
          owner,
          toolkit,
          {
            version,
            digest: snapshot.sha256,
            changes: difference ? changesIn(difference) : 'First import.',
            source_kind: source.kind,
            source_url: addressOf(source.address),
            tools_count: sound.length,
            size: content.length,
            quarantined: [...quarantined],
          },
          content,
          { ...toolkit.origins, ...imported.origins },
        )
        if (!quiet) await store.announce(tx, owner)
        return { slug, version, created: true, difference, quarantined }
      })
      if (!quiet) await forget(owner)
      return put
    },

    /** What `put` would answer, and nothing is stored; `version` is null when there would be a new one. @throws ApiError as `put`, but for the bounds of a project */
    async preview(
      owner: store.Owner,
      imported: Imported,
    ): Promise<Omit<Put, 'version'> & { readonly version: string | null }> {
      const { slug } = imported.toolkit
      const { before, sound, quarantined, snapshot } = await judged(owner, imported)
      const same = before?.digest === snapshot.sha256
      return {
        slug,
        version: same ? before!.version : null,
        created: !same,
        difference:
          before && !same
            ? differenceOf(before.content, { toolkit: imported.toolkit, tools: sound })
            : undefined,
        quarantined,
      }
    },

    /** Tells every process of what was stored quietly. */
    async announce(owner: store.Owner): Promise<void> {
      await store.announce(db, owner)
      await forget(owner)
    },

    /** Tool slugs that former imports gave, by operation: for the next import, so that they stay. */
    async formerSlugs(owner: store.Owner, slug: string): Promise<ReadonlyMap<string, string>> {
      return new Map(Object.entries((await store.findToolkit(db, owner, slug))?.origins ?? {}))
    },

    /** The versions of a toolkit of an owner, newest first. */
    versions: (owner: store.Owner, slug: string): Promise<store.VersionRow[]> =>
      store.versionsOfToolkit(db, owner, slug),

    /** Every version of every toolkit of an owner. */
    list: (owner: store.Owner): Promise<store.VersionRow[]> => store.versionsOf(db, owner),

    /** Takes a toolkit away with all its versions. @throws ApiError 404; 403 when it is not the owner's; 409 while it has auth configs */
    async remove(owner: store.Owner, given: string): Promise<void> {
      const slug = given.toLowerCase()
      await db.begin(async (tx) => {
        await store.lockForChange(tx, owner, 'remove')
        const toolkit = await store.findToolkit(tx, owner, slug)
        if (!toolkit) throw notOwn(await catalogOf(owner), slug)
        const configs = await store.authConfigsOf(tx, owner, slug)
        if (configs > 0)
          throw new ApiError(
            'Toolkit_InUse',
            `${slug} has ${configs} auth config${configs === 1 ? '' : 's'}, whose accounts would be of no use without it.`,
          )
        await store.deleteToolkit(tx, toolkit)
        await store.announce(tx, owner)
      })
      await forget(owner)
    },
  }

  /** An import beside the version before, without the tools that no model would be given. @throws ApiError */
  async function judged(owner: store.Owner, imported: Imported) {
    const { slug } = imported.toolkit
    const before = await latest(owner, slug)
    const known = new Map(before?.content.tools.map((tool) => [tool.slug, canonicalJson(tool.input)]))
    const { sound, quarantined } = await quarantine(
      imported.tools,
      (tool) => known.get(tool.slug) === canonicalJson(tool.input),
    )
    if (sound.length === 0)
      throw new ApiError(
        'Toolkit_LimitReached',
        `No tool of ${slug} can be told to a model: ${quarantined[0]?.reason ?? 'there are none'}.`,
      )
    const snapshot = snapshotOf({ ...imported, tools: sound })
    if (snapshot.text.length > CONTENT_BYTES_MAX)
      throw new ApiError(
        'Toolkit_LimitReached',
        `${slug} is larger than ${CONTENT_BYTES_MAX / 2 ** 20} MB of JSON.`,
      )
    refuseTaken(
      await catalogOf(owner),
      owner,
      slug,
      sound.map((tool) => tool.slug),
    )
    return { before, sound, quarantined, snapshot }
  }

  async function latest(
    owner: store.Owner,
    slug: string,
  ): Promise<{ version: string; digest: string; content: Stored } | undefined> {
    const [newest] = await store.versionsOfToolkit(db, owner, slug)
    return newest && { version: newest.version, digest: newest.digest, content: await stored(db, newest) }
  }

  /** This process knows at once what the others are told. */
  async function forget(owner: store.Owner): Promise<void> {
    if (owner === null) await views.renewInstance()
    else views.forget(owner)
  }
}

export type OwnToolkits = ReturnType<typeof ownToolkits>

function notOwn(catalog: Catalog, slug: string): ApiError {
  return catalog.toolkit(slug)
    ? new ApiError('Toolkit_NotOwn', `${slug} comes with the server and is not the project's.`)
    : new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found`)
}

/** A slug means one thing to a project. */
function refuseTaken(catalog: Catalog, owner: store.Owner, slug: string, tools: readonly string[]): void {
  const there = catalog.toolkit(slug)
  const own = owner === null ? 'instance' : 'project'
  if (there && there.origin !== own)
    throw new ApiError(
      'Toolkit_SlugTaken',
      `There is a toolkit ${slug} already: ${there.name}. Import this one under another slug.`,
    )
  for (const tool of tools) {
    const taken = catalog.ownerOf(tool)
    if (taken !== undefined && taken !== slug)
      throw new ApiError(
        'Toolkit_SlugTaken',
        `The tool ${tool} would have the slug of a tool of ${taken}. Import ${slug} under another slug.`,
      )
  }
}

async function refuseTooMuch(
  tx: Db,
  projectId: string,
  { slug, tools, versions, bytes }: { slug: string; tools: number; versions: number; bytes: number },
): Promise<void> {
  const rows = await store.versionsOf(tx, projectId)
  const newest = [...Map.groupBy(rows, (row) => row.slug)]
    .filter(([other]) => other !== slug)
    .map(([, [row]]) => row!)
  const faults = [
    versions === 0 &&
      newest.length >= BOUNDS.toolkits &&
      `The project has ${BOUNDS.toolkits} toolkits of its own, the most that it may have.`,
    versions >= BOUNDS.versions &&
      `${slug} has ${BOUNDS.versions} versions, the most that a toolkit may have. Import it under another slug, or delete it.`,
    newest.reduce((sum, row) => sum + row.tools_count, tools) > BOUNDS.tools &&
      `The project would have more than ${BOUNDS.tools} tools of its own.`,
    rows.reduce((sum, row) => sum + row.size, bytes) > BOUNDS.bytes &&
      `The toolkits of the project would be larger than ${BOUNDS.bytes / 2 ** 20} MB.`,
  ].filter((fault) => typeof fault === 'string')
  if (faults[0] !== undefined) throw new ApiError('Toolkit_LimitReached', faults[0])
}

/** Whoever may read the versions may not read what stood in an address beside it. */
function addressOf(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null
  const { origin, pathname, protocol } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname}`.slice(0, 2_000) : null
}
