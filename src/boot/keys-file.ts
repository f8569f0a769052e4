import { chmod, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstKeys } from '../features/projects/index.ts'

/** What the command line reads to find its server. Mode 0600. */
export interface KeysFile { url: string, project_id: string, project_api_key: string, organization_api_key: string }

export const keysFilePath = (dataDir: string) => join(dataDir, 'keys.json')

export async function writeKeysFile(dataDir: string, url: string, keys: FirstKeys): Promise<void> {
  await replace(keysFilePath(dataDir), { url, project_id: keys.projectId, project_api_key: keys.projectApiKey, organization_api_key: keys.organizationApiKey })
}

/** Keeps the address in the file true when the server moved; answers whether there is a file. */
export async function refreshKeysFile(dataDir: string, url: string): Promise<boolean> {
  const path = keysFilePath(dataDir)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const known = JSON.parse(text) as KeysFile
  if (known.url !== url) await replace(path, { ...known, url })
  return true
}

/** Whole or not at all: a crash leaves the old file. */
async function replace(path: string, content: KeysFile): Promise<void> {
  const next = `${path}.next`
  const file = await open(next, 'w', 0o600)
  try {
    await chmod(next, 0o600) // a leftover keeps its own mode
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
