import { sep } from 'node:path'

// Paths that this program writes, compares or sends have `/` on every system. Windows returns them with `\`.

/** Returns a path of this system with `/` between its parts. */
export const slashPath = (path: string, separator: string = sep): string =>
  separator === '/' ? path : path.replaceAll(separator, '/')

/** Returns the path of something below the folder `root`, relative to it, with `/`. */
export const pathBelow = (root: string, path: string, separator: string = sep): string =>
  slashPath(path.slice(root.endsWith(separator) ? root.length : root.length + 1), separator)
