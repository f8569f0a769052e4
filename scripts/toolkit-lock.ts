import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson } from '../src/catalog/importers/snapshot.ts'

/** Toolkit slug to version to SHA-256 of its content, in hexadecimal. */
export type Lock = Record<string, Record<string, string>>

interface Named {
  slug: string
  version: string
}

/** Of what a toolkit promises: its manifest, tools and triggers. Not how the files are laid out, not the list of older releases, and not the code behind a tool, which may be mended like the rest of the program. */
export function contentHash(folder: string): string {
  const toolkit = JSON.parse(readFileSync(join(folder, 'toolkit.json'), 'utf8')) as {
    releases?: { version: string }[]
  }
  const tools: unknown = JSON.parse(readFileSync(join(folder, 'tools.json'), 'utf8'))
  const triggers = existsSync(join(folder, 'triggers.json'))
    ? { triggers: JSON.parse(readFileSync(join(folder, 'triggers.json'), 'utf8')) as unknown }
    : {}
  return createHash('sha256')
    .update(
      canonicalJson({
        toolkit: { ...toolkit, releases: toolkit.releases?.[0]?.version },
        tools,
        ...triggers,
      }),
    )
    .digest('hex')
}

/** What differs: versions whose content is another, that are gone, and that are new. */
export function compareLock(
  locked: Lock,
  found: Lock,
): { changed: Named[]; missing: Named[]; added: Named[] } {
  const every = (lock: Lock) =>
    Object.entries(lock).flatMap(([slug, versions]) =>
      Object.keys(versions).map((version) => ({ slug, version })),
    )
  const has = (lock: Lock, { slug, version }: Named) => lock[slug]?.[version]
  return {
    changed: every(locked).filter((one) => has(found, one) && has(found, one) !== has(locked, one)),
    missing: every(locked).filter((one) => !has(found, one)),
    added: every(found).filter((one) => !has(locked, one)),
  }
}
