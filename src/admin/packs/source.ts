import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { glob, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { renameFile } from '../../platform/rename-file.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { documentFile, documentKey } from './document-paths.ts'
import { npmCommand } from './npm-command.ts'
import type { Pack } from './packs.ts'
import { readTarGz } from './tar.ts'

/**
 * The verified documents of a pack. `close` removes the unpacked files, and with `finished` the download too.
 */
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
 * Opens the documents of a pack: from `path` (a folder with an unpacked package, or its archive), else from
 * the archive that npm downloads with its own configuration. Other releases than the known one are rejected.
 * @throws StartupError
 */
export async function openSource(
  pack: Pack,
  { path, cache, onStep }: { path: string | undefined; cache: string; onStep: (text: string) => void },
): Promise<Source> {
  if (path !== undefined) {
    const entry = await stat(path).catch(() => undefined)
    if (!entry)
      throw new StartupError(
        `${path} does not exist.`,
        'Use the folder of the package or its archive with --from, or omit --from.',
      )
    if (entry.isDirectory()) return openFolder(pack, resolve(path), onStep)
  }
  await mkdir(cache, { recursive: true })
  const downloadFile = join(cache, `${pack.name}-${pack.version}.tgz`)
  const archive = path === undefined ? await download(pack, cache, downloadFile, onStep) : resolve(path)
  const problem = await integrityProblem(archive, pack.integrity)
  if (problem !== undefined) {
    if (path === undefined) await rm(downloadFile, { force: true })
    throw unexpectedContents(pack, problem)
  }
  const folder = join(cache, `${pack.name}-${pack.version}-${process.pid}`)
  onStep(`unpacking ${pack.package} ${pack.version}`)
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
        if (finished) await rm(downloadFile, { force: true })
      },
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function unpack(folder: string, name: string, bytes: Buffer): Promise<void> {
  const file = documentFile(folder, name)
  if (file === undefined) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

/** Downloads the archive, unless an interrupted run has left it. */
async function download(
  { package: name, version }: Pack,
  cache: string,
  downloadFile: string,
  onStep: (text: string) => void,
): Promise<string> {
  if (await stat(downloadFile).catch(() => undefined)) return downloadFile
  onStep(`downloading ${name} ${version} with npm`)
  try {
    const options = ['--json', '--ignore-scripts', '--pack-destination', '.']
    const { file, args, shell } = npmCommand(['pack', `${name}@${version}`, ...options])
    const { stdout } = await promisify(execFile)(file, args, {
      cwd: cache,
      shell,
      timeout: NPM_MS,
      maxBuffer: 64 * 1024 * 1024,
    })
    const [{ filename = '' } = {}] = JSON.parse(stdout) as { filename?: string }[]
    await renameFile(join(cache, filename), downloadFile)
    return downloadFile
  } catch (error) {
    const why =
      (error as { code?: unknown }).code === 'ENOENT'
        ? 'npm was not found'
        : ((error as Error).message.split('\n').find((line) => /npm (error|ERR!) \S/.test(line)) ??
          (error as Error).message.split('\n')[0])
    throw new StartupError(
      `npm could not download ${name} ${version}: ${why?.slice(0, 300)}.`,
      `Fix this, or download the package on another machine with \`npm pack ${name}@${version}\` and use ` +
        'its archive with --from.',
      { cause: error },
    )
  }
}

/** Returns why an archive is not the published one, or undefined if it is. */
async function integrityProblem(file: string, integrity: string): Promise<string | undefined> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  const found = `sha512-${hash.digest('base64')}`
  return found === integrity
    ? undefined
    : `its checksum is ${found.slice(0, 27)}…, not ${integrity.slice(0, 27)}…`
}

async function openFolder(pack: Pack, folder: string, onStep: (text: string) => void): Promise<Source> {
  const api = join(folder, 'api')
  const documents = await documentsIn(api)
  if (documents.length === 0)
    throw new StartupError(
      `${api} has no documents.`,
      `Use the folder to which the package ${pack.package} was unpacked.`,
    )
  onStep(`checking ${documents.length} documents in ${folder}`)
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

/** Returns the documents, ordered by key. */
async function documentsIn(api: string): Promise<Document[]> {
  const documents: Document[] = []
  for await (const name of glob('**/*.json', { cwd: api })) {
    const file = join(api, name)
    documents.push({ key: documentKey(name), file, bytes: (await stat(file)).size })
  }
  return documents.sort((a, b) => (a.key < b.key ? -1 : 1))
}

const unexpectedContents = ({ package: name, version }: Pack, why: string) =>
  new StartupError(
    `This is not ${name} ${version} as it was published: ${why}. Nothing was added.`,
    'Download it again from a registry that you trust. Another version of the package needs a release of ' +
      'Patchbay that supports it.',
  )
