import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Catalog, createCatalog, overlayCatalogs, type ToolkitReleases } from '../../../catalog/index.ts'
import type { Logger } from '../../../platform/log.ts'
import { StartupError } from '../../../platform/startup-error.ts'
import { checkToolkit } from './check-toolkit.ts'
import { FAMILIES, type FileListing, listToolkitFiles, snapshotRoot, writeSnapshot } from './files.ts'
import { readLastValid, removeOldSnapshots, writeLastValid } from './last-valid.ts'

export interface ToolkitsFolderOptions {
  /** Folder with one folder for each toolkit. */
  readonly folder: string
  /** Folder for copies of toolkits. */
  readonly cache: string
  readonly builtIn: Catalog
  /** Slugs of shipped toolkits that the folder may replace. */
  readonly replaceable: readonly string[]
  readonly log: Pick<Logger, 'info' | 'error'>
}

/** Why a toolkit of the folder, or its present version, is not in use. */
export interface ToolkitProblem {
  /** Missing if the folder itself cannot be read. */
  readonly slug: string | undefined
  readonly reasons: readonly string[]
  /** Whether an earlier version is in use. */
  readonly usesEarlierVersion: boolean
}

interface LoadedToolkit {
  readonly digest: string
  readonly releases: ToolkitReleases
}

const REASONS_MAX = 10
const NO_FILES = 'none'
const UNKNOWN = 'unknown'

/**
 * The toolkits of the administrator's folder over those of the program. A toolkit that becomes invalid keeps its last
 * valid version, and one that is removed leaves.
 */
export class ToolkitsFolder {
  readonly #options: ToolkitsFolderOptions
  readonly #loaded = new Map<string, LoadedToolkit>()
  readonly #problems = new Map<string, ToolkitProblem>()
  /** Signatures of the files that were checked last. */
  readonly #checked = new Map<string, string>()
  /** Signatures of changed files, which are checked when they are the same in two looks. */
  #changed: ReadonlyMap<string, string> = new Map()
  readonly #listeners: (() => void)[] = []
  #folderProblem: ToolkitProblem | undefined
  #catalog: Catalog

  private constructor(options: ToolkitsFolderOptions) {
    this.#options = options
    this.#catalog = options.builtIn
  }

  /** Loads the toolkits of a folder. Invalid ones do not prevent a start. @throws StartupError without the folder */
  static async open(options: ToolkitsFolderOptions): Promise<ToolkitsFolder> {
    const toolkits = new ToolkitsFolder(options)
    await mkdir(options.cache, { recursive: true, mode: 0o700 })
    const listings = await listToolkitFiles(options.folder).catch((cause: Error) => {
      throw new StartupError(
        `The folder ${options.folder} of TOOLKITS_DIR cannot be read: ${cause.message}.`,
        'Give a folder that contains one folder for each toolkit.',
        { cause },
      )
    })
    const lastValid = await readLastValid(options.cache)
    await toolkits.#use(listings, slugsOf(listings), lastValid)
    const inUse = [...toolkits.#loaded.values()].map(({ digest }) => basename(snapshotRoot('', digest)))
    await removeOldSnapshots(options.cache, new Set(inUse), Date.now())
    return toolkits
  }

  /** The toolkits of the program with those of the folder. */
  catalog(): Catalog {
    return this.#catalog
  }

  /** Number of toolkits of the folder that are in use. */
  get count(): number {
    return this.#loaded.size
  }

  problems(): ToolkitProblem[] {
    return [...(this.#folderProblem ? [this.#folderProblem] : []), ...this.#problems.values()]
  }

  /** Calls `listener` after every change of the catalogue. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Uses toolkits whose files have changed and are complete. Returns whether some may still be written. */
  async look(): Promise<boolean> {
    let listings: ReadonlyMap<string, FileListing>
    try {
      listings = await listToolkitFiles(this.#options.folder)
      this.#folderProblem = undefined
    } catch (error) {
      this.#reportFolder((error as Error).message)
      return false
    }
    const changed = new Map<string, string>()
    const stable: string[] = []
    for (const slug of new Set([...this.#checked.keys(), ...slugsOf(listings)])) {
      const signature = signatureOf(listings, slug)
      if (signature === this.#checked.get(slug)) continue
      if (signature === this.#changed.get(slug)) stable.push(slug)
      else changed.set(slug, signature)
    }
    this.#changed = changed
    if (stable.length > 0) await this.#use(listings, stable, new Map())
    return changed.size > 0
  }

  async #use(
    listings: ReadonlyMap<string, FileListing>,
    slugs: readonly string[],
    lastValid: ReadonlyMap<string, string>,
  ): Promise<void> {
    const before = new Map(this.#loaded)
    for (const slug of slugs) {
      const listing = listings.get(slug)
      if (listing) {
        this.#checked.set(slug, signatureOf(listings, slug))
        await this.#load(
          slug,
          [...listing.paths, ...(listings.get(FAMILIES)?.paths ?? [])],
          lastValid.get(slug),
        )
      } else this.#remove(slug)
    }
    const isSame =
      before.size === this.#loaded.size &&
      [...before].every(([slug, toolkit]) => this.#loaded.get(slug) === toolkit)
    if (isSame) return
    // What they conflicted with may be gone.
    for (const slug of this.#problems.keys()) this.#checked.set(slug, UNKNOWN)
    const upper = createCatalog([...this.#loaded.values()].map(({ releases }) => releases))
    this.#catalog = overlayCatalogs(this.#options.builtIn, upper)
    await writeLastValid(
      this.#options.cache,
      new Map([...this.#loaded].map(([slug, { digest }]) => [slug, digest])),
    ).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'toolkits folder: the last valid versions could not be stored'),
    )
    for (const listener of this.#listeners) listener()
  }

  async #load(slug: string, paths: readonly string[], lastValid: string | undefined): Promise<void> {
    const { folder, cache, log } = this.#options
    try {
      const { root, digest } = await writeSnapshot(folder, paths, cache)
      if (this.#loaded.get(slug)?.digest === digest) return void this.#problems.delete(slug)
      const checked = await checkToolkit(slug, root, this.#context(slug))
      if ('reasons' in checked) return await this.#keepEarlier(slug, checked.reasons, lastValid)
      this.#problems.delete(slug)
      this.#loaded.set(slug, { digest, releases: checked.releases })
      const { version, toolCount } = checked.releases.toolkit(checked.releases.versions[0])!
      log.info({ toolkit: slug, version, tools: toolCount }, 'toolkits folder: a toolkit is in use')
    } catch (error) {
      await this.#keepEarlier(slug, [`${slug}: ${(error as Error).message}`], lastValid)
    }
  }

  /** Reports an invalid toolkit. After a start, its last valid version is read from the copies. */
  async #keepEarlier(slug: string, reasons: readonly string[], lastValid: string | undefined): Promise<void> {
    if (lastValid !== undefined && !this.#loaded.has(slug)) {
      const earlier = await checkToolkit(
        slug,
        snapshotRoot(this.#options.cache, lastValid),
        this.#context(slug),
      )
      if ('releases' in earlier) this.#loaded.set(slug, { digest: lastValid, releases: earlier.releases })
    }
    const usesEarlierVersion = this.#loaded.has(slug)
    const firstReasons = reasons.slice(0, REASONS_MAX)
    const before = this.#problems.get(slug)
    if (before?.reasons.join() === firstReasons.join() && before.usesEarlierVersion === usesEarlierVersion)
      return
    this.#problems.set(slug, { slug, reasons: firstReasons, usesEarlierVersion })
    this.#options.log.error(
      { toolkit: slug, reasons: firstReasons },
      usesEarlierVersion
        ? 'toolkits folder: a toolkit is invalid; its last valid version stays in use'
        : 'toolkits folder: a toolkit is invalid and not in use',
    )
  }

  #remove(slug: string): void {
    this.#checked.delete(slug)
    this.#problems.delete(slug)
    if (this.#loaded.delete(slug))
      this.#options.log.info({ toolkit: slug }, 'toolkits folder: a toolkit was removed')
  }

  /** Everything stays in use, such as when a volume is not mounted for a moment. */
  #reportFolder(reason: string): void {
    const text = `TOOLKITS_DIR cannot be read: ${reason}`
    if (this.#folderProblem?.reasons[0] === text) return
    this.#folderProblem = { slug: undefined, reasons: [text], usesEarlierVersion: true }
    this.#options.log.error({ reasons: [text] }, 'toolkits folder: its toolkits stay in use as they are')
  }

  #context(slug: string) {
    const others = [...this.#loaded].filter(([other]) => other !== slug)
    return {
      builtIn: this.#options.builtIn,
      others: createCatalog(others.map(([, { releases }]) => releases)),
      replaceable: new Set(this.#options.replaceable),
    }
  }
}

const slugsOf = (listings: ReadonlyMap<string, FileListing>): string[] =>
  [...listings.keys()].filter((name) => name !== FAMILIES)

/** A family is a part of the toolkits that extend it. */
const signatureOf = (listings: ReadonlyMap<string, FileListing>, slug: string): string => {
  const listing = listings.get(slug)
  return listing ? `${listing.signature} ${listings.get(FAMILIES)?.signature ?? ''}` : NO_FILES
}
