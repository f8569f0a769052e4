import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../platform/startup-error.ts'
import type { Pack } from './packs.ts'
import { readTarGz } from './tar.ts'

/** The documents of a pack, checked. `close` takes away what was unpacked, and with `finished` what was fetched too. */
export interface Source {
  readonly folder: string
  readonly documents: readonly Document[]
  close(finished: boolean): Promise<void>
}
export interface Document {
  readonly key: string
  readonly file: string
  readonly bytes: number
}

const NPM_MS = 600_000
const IN_ARCHIVE = /^package\/api\/(.+\.json)$/

/**
 * The documents of a pack: from `given` (a folder with an unpacked package, or its archive), else from the archive that npm gets with the operator's settings. What
 * is not the release that this program knows is refused. @throws StartupError
 */
export async function openSource(
  pack: Pack,
  { given, cache, tell }: { given: string | undefined; cache: string; tell: (text: string) => void },
): Promise<Source> {
  if (given !== undefined) {
    const found = await stat(given).catch(() => undefined)
    if (!found)
      throw new StartupError(
        `There is nothing at ${given}.`,
        'Give the folder of the package, or its archive, after --from; or leave --from out.',
      )
    if (found.isDirectory()) return openFolder(pack, resolve(given), tell)
  }
  await mkdir(cache, { recursive: true })
  const kept = join(cache, `${pack.name}-${pack.version}.tgz`)
  const archive = given === undefined ? await download(pack, cache, kept, tell) : resolve(given)
  const refused = await integrityProblem(archive, pack.integrity)
  if (refused !== undefined) {
    if (given === undefined) await rm(kept, { force: true })
    throw unexpectedContents(pack, refused)
  }
  const folder = join(cache, `${pack.name}-${pack.version}-${process.pid}`)
  tell(`unpacking ${pack.package} ${pack.version}`)
  try {
    await readTarGz(
      archive,
      (name) => IN_ARCHIVE.test(name),
      (name, bytes) => unpack(folder, IN_ARCHIVE.exec(name)![1]!, bytes),
    )
    return {
      folder,
      documents: await documentsIn(folder),
      async close(finished) {
        await rm(folder, { recursive: true, force: true })
        if (finished) await rm(kept, { force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function unpack(folder: string, name: string, bytes: Buffer): Promise<void> {
  const file = join(folder, normalize(name))
  if (!file.startsWith(`${folder}/`)) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

/** The archive, which a run that was interrupted may have left. */
async function download(
  { package: name, version }: Pack,
  cache: string,
  kept: string,
  tell: (text: string) => void,
): Promise<string> {
  if (await stat(kept).catch(() => undefined)) return kept
  tell(`getting ${name} ${version} with npm`)
  try {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', cache],
      { cwd: cache, timeout: NPM_MS, maxBuffer: 64 * 1024 * 1024 },
    )
    const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[]
    await rename(join(cache, filename), kept)
    return kept
  } catch (error) {
    const why =
      (error as { code?: unknown }).code === 'ENOENT'
        ? 'npm was not found'
        : ((error as Error).message.split('\n').find((line) => /npm (error|ERR!) \S/.test(line)) ??
          (error as Error).message.split('\n')[0])
    throw new StartupError(
      `npm could not get ${name} ${version}: ${why?.slice(0, 300)}.`,
      `Mend that, or get the package on another machine with \`npm pack ${name}@${version}\` and give its archive with --from.`,
      { cause: error },
    )
  }
}

/** Why an archive is not the one that is known: undefined when it is. */
async function integrityProblem(file: string, integrity: string): Promise<string | undefined> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  const found = `sha512-${hash.digest('base64')}`
  return found === integrity
    ? undefined
    : `its checksum is ${found.slice(0, 27)}…, not ${integrity.slice(0, 27)}…`
}

async function openFolder(pack: Pack, folder: string, tell: (text: string) => void): Promise<Source> {
  const api = join(folder, 'api')
  const documents = await documentsIn(api)
  if (documents.length === 0)
    throw new StartupError(
      `There are no documents in ${api}.`,
      `Give the folder that the package ${pack.package} was unpacked to.`,
    )
  tell(`checking ${documents.length} documents in ${folder}`)
  const all = createHash('sha256')
  for (const { key, file } of documents)
    all.update(
      `${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')} ${key}\n`,
    )
  if (all.digest('hex') !== pack.contents)
    throw unexpectedContents(pack, 'its documents are not those of that release')
  return { folder: api, documents, async close() {} }
}

/** By key. */
async function documentsIn(api: string): Promise<Document[]> {
  const documents: Document[] = []
  for await (const name of glob('**/*.json', { cwd: api })) {
    const file = join(api, name)
    documents.push({ key: name.slice(0, -'.json'.length), file, bytes: (await stat(file)).size })
  }
  return documents.sort((a, b) => (a.key < b.key ? -1 : 1))
}

const unexpectedContents = ({ package: name, version }: Pack, why: string) =>
  new StartupError(
    `This is not ${name} ${version} as it was published: ${why}. Nothing was added.`,
    'Get it again from a registry that you trust. Another version of the package needs a release of Patchbay that knows it.',
  )
