import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTarget } from '../operation-files/source-target.ts'

const FILE_BYTES_MAX = 2 * 1_024 * 1_024
const SOURCE_BYTES_MAX = 24 * 1_024 * 1_024
const TEXT_FILES = /\.(ts|tsx|js|mjs|cjs|json|ya?ml|md|py|php|rb|go|txt)$/

/**
 * Returns the texts of a source below a folder: `<owner>+<name>/<path>` for a repository,
 * `npm/<name>@<version>/package/ <path>` for a package, with `+` for the slash of a scope. Undefined where the folder
 * does not have the source.
 */
export function sourceTexts(folder: string, at: string): readonly string[] | undefined {
  const { kind, name, path } = readTarget(at)
  if (kind === 'page') return undefined
  const root =
    kind === 'npm'
      ? join(folder, 'npm', name.replace('/', '+'), 'package')
      : join(folder, name.replace(/@[0-9a-f]+$/, '').replace('/', '+'))
  const place = join(root, path)
  const info = statSync(place, { throwIfNoEntry: false })
  if (!info) return undefined
  const files = info.isFile()
    ? [place]
    : globSync('**/*', { cwd: place })
        .sort()
        .map((file) => join(place, file))
  const texts: string[] = []
  let size = 0
  for (const file of files.filter((one) => TEXT_FILES.test(one))) {
    const { size: bytes } = statSync(file)
    size += bytes
    if (size > SOURCE_BYTES_MAX)
      throw new Error(`${at} has more than ${SOURCE_BYTES_MAX} bytes. Name a folder or a file of it.`)
    if (bytes <= FILE_BYTES_MAX) texts.push(readFileSync(file, 'utf8'))
  }
  return texts
}
