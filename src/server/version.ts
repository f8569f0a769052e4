import { readFileSync } from 'node:fs'

/** The folder with `toolkits/` and `migrations/`. */
export const ROOT = new URL('../../', import.meta.url)

export function programVersion(): string {
  return (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }).version
}
