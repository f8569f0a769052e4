import { createHash } from 'node:crypto'
import { canonicalJson } from '../src/catalog/importers/versions/canonical-json.ts'
import type { ToolkitVersionSource } from '../src/catalog/manifest/load/read.ts'

/** Toolkit slug to version to SHA-256 of its content, in hexadecimal. */
export type Lock = Record<string, Record<string, string>>

interface LockedVersion {
  slug: string
  version: string
}

/**
 * Returns the SHA-256 of what a version of a toolkit promises: its manifest, tools and triggers, with
 * families and definitions written out. The layout of the files and the order of the tools do not count, nor
 * do the list of older releases and the code of tools, which is fixed like the rest of the program. Set-up
 * steps and descriptions of scopes do not count either: they describe pages of the vendor, which change.
 * Phrases do not count: only the search reads them.
 */
export function contentHash({ toolkit, tools, triggers }: ToolkitVersionSource): string {
  const { releases, auth, ...manifest } = withoutEditorSchema(toolkit) as {
    releases?: { version: string }[]
    auth?: Record<string, unknown>[]
  }
  const list = ((tools as { tools: { slug: string; phrases?: unknown }[] } | undefined)?.tools ?? []).map(
    ({ phrases: _, ...tool }) => tool,
  )
  return createHash('sha256')
    .update(
      canonicalJson({
        toolkit: {
          ...manifest,
          ...(auth && { auth: auth.map(withoutVendorTexts) }),
          releases: releases?.[0]?.version,
        },
        tools: list.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
        ...(triggers === undefined ? {} : { triggers: withoutEditorSchema(triggers) }),
      }),
    )
    .digest('hex')
}

function withoutVendorTexts({ setup: _, scopes, ...scheme }: Record<string, unknown>): object {
  if (typeof scopes !== 'object' || scopes === null) return scheme
  const { descriptions: __, ...names } = scopes as Record<string, unknown>
  return Object.keys(names).length > 0 ? { ...scheme, scopes: names } : scheme
}

function withoutEditorSchema(file: unknown): object {
  const { $schema: _, ...rest } = file as Record<string, unknown>
  return rest
}

/**
 * Compares a lock with the toolkits as they are: versions with other content, missing versions and new ones.
 */
export function compareLock(
  locked: Lock,
  current: Lock,
): { changed: LockedVersion[]; missing: LockedVersion[]; added: LockedVersion[] } {
  const versionsOf = (lock: Lock) =>
    Object.entries(lock).flatMap(([slug, versions]) =>
      Object.keys(versions).map((version) => ({ slug, version })),
    )
  const hashIn = (lock: Lock, { slug, version }: LockedVersion) => lock[slug]?.[version]
  return {
    changed: versionsOf(locked).filter(
      (one) => hashIn(current, one) && hashIn(current, one) !== hashIn(locked, one),
    ),
    missing: versionsOf(locked).filter((one) => !hashIn(current, one)),
    added: versionsOf(current).filter((one) => !hashIn(locked, one)),
  }
}
