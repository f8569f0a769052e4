import type { Quarantined } from '../../../catalog/index.ts'
import {
  type Comparison,
  type Difference,
  nextVersion,
  type PreparedVersion,
} from '../../../catalog/importers/versions/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { describeChanges } from './changelog.ts'
import { confirmRecipients } from './confirm-recipients.ts'
import { findSameVersion } from './same-version.ts'
import * as store from './store.ts'
import { assertWithinLimits } from './validate-version.ts'

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

interface NewVersion {
  readonly prepared: PreparedVersion
  /** Requested number; undefined for the next one of today. */
  readonly number: string | undefined
  readonly now: number
}

interface StoredVersion extends NewVersion {
  readonly source: ImportSource
  readonly confirmedAccounts: readonly string[] | undefined
}

/** What storing a version will do. */
interface VersionPlan {
  readonly versions: readonly store.ToolkitVersionRow[]
  /** The version that has the content already, so that none is created. */
  readonly existing: store.ToolkitVersionRow | undefined
  /** The changes since the newest version, if one is created after it. */
  readonly changes: Comparison | undefined
}

/**
 * Finds out what storing a version will do.
 * @throws ApiError as findSameVersion; 503 if another version was stored after this one was prepared
 */
export async function planVersion(
  db: Db,
  owner: store.ToolkitOwner,
  { prepared: { toolkit, digest, compared }, number, now }: NewVersion,
): Promise<VersionPlan> {
  const { slug } = toolkit
  const versions = await store.listVersionsOfToolkit(db, owner, slug)
  const existing = findSameVersion(versions, { slug, digest, number, now })
  if (existing) return { versions, existing, changes: undefined }
  if (versions[0]?.digest !== compared?.digest)
    throw new ApiError(
      'HTTP_ServiceUnavailable',
      `Another import changed ${slug} meanwhile, and nothing was stored. Try again.`,
    )
  return { versions, existing, changes: compared }
}

/** Stores a prepared version, unless a version has its content. */
export async function storeVersion(
  tx: Db,
  owner: store.ToolkitOwner,
  version: StoredVersion,
): Promise<StoredToolkit> {
  const { prepared, source, confirmedAccounts, number, now } = version
  const { toolkit, tools, quarantined, content, digest } = prepared
  const { slug } = toolkit
  await store.lockForChange(tx, owner, 'add')
  const { versions, existing, changes } = await planVersion(tx, owner, version)
  if (existing) return { slug, version: existing.version, created: false, difference: undefined, quarantined }
  if (owner !== null) {
    if (changes) await confirmRecipients(tx, owner, slug, changes.addedRecipients, confirmedAccounts)
    const size = { slug, tools: tools.length, versions: versions.length, bytes: content.length }
    await assertWithinLimits(tx, owner, size)
  }
  const row = (await store.findToolkit(tx, owner, slug)) ?? (await store.insertToolkit(tx, owner, slug))
  const numbers = versions.map((one) => one.version)
  const stored = {
    version: number ?? nextVersion(numbers, now),
    digest,
    changes: changes ? describeChanges(changes.difference) : 'First import.',
    source_kind: source.kind,
    source_url: urlWithoutSecrets(source.address),
    tools_count: tools.length,
    size: content.length,
    quarantined: [...quarantined],
  }
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  await store.insertVersion(tx, owner, row, stored, bytes, prepared.origins)
  return { slug, version: stored.version, created: true, difference: changes?.difference, quarantined }
}

/** Removes credentials and query from a URL: users who may list versions must not see them. */
function urlWithoutSecrets(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  const { origin, pathname, protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname}`.slice(0, 2_000) : null
}
