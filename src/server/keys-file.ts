import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replacePrivateFile } from '../platform/durable-file.ts'

/** The file from which the command line reads its server and keys. Mode 0600. */
export interface KeysFile {
  url: string
  project_id: string
  project_api_key: string
  organization_api_key: string
}

export const keysFilePath = (dataDir: string) => join(dataDir, 'keys.json')

/** Returns undefined if the file is missing or invalid. */
export async function readKeysFile(path: string): Promise<KeysFile | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const { url, project_id, project_api_key, organization_api_key } = JSON.parse(text) as Partial<KeysFile>
    const all = { url, project_id, project_api_key, organization_api_key }
    return Object.values(all).every((value) => typeof value === 'string') ? (all as KeysFile) : undefined
  } catch {
    return undefined
  }
}

/** Writes the file completely or not at all. */
export const writeKeysFile = (path: string, content: KeysFile): Promise<void> =>
  replacePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`)
