import { extname } from 'node:path'

/**
 * The URL of a module in the same folder, for workers and child processes. Its extension is that of the calling module:
 * `.ts` in a checkout, `.js` in the npm package, which contains compiled code.
 * @param from `import.meta.url` of the caller
 * @param name the file name of the module without its extension
 */
export function siblingModule(from: string, name: string): URL {
  return new URL(`${name}${extname(new URL(from).pathname)}`, from)
}
