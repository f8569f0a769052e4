import platformPath, { type PlatformPath } from 'node:path'
import { slashPath } from '../../platform/slash-path.ts'

/** Returns the path of an unpacked document, or undefined for a name that leads out of the folder. */
export function documentFile(
  folder: string,
  name: string,
  path: PlatformPath = platformPath,
): string | undefined {
  const file = path.join(folder, path.normalize(name))
  return file.startsWith(`${folder}${path.sep}`) ? file : undefined
}

/** Returns the key of the document with this path below the folder: without its extension, and with `/`. */
export const documentKey = (name: string, path: PlatformPath = platformPath): string =>
  slashPath(name.slice(0, -'.json'.length), path.sep)
