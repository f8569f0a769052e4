import { LRUCache } from 'lru-cache'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { parseProgram, type RecipeProgram } from './parse-program.ts'
import { isPython, parsePython } from './python.ts'
import * as store from './store.ts'

export interface LoadedProgram {
  program: RecipeProgram
  code: string
}
/** Loads the programs of recipes, by version id. A version whose code cannot be parsed is missing in the result. */
export type LoadPrograms = (
  projectId: string,
  rows: readonly store.RecipeRow[],
) => Promise<Map<string, LoadedProgram>>

const PROGRAMS_MAX = 500
const CODE_CHARACTERS_MAX = 20_000_000

export const encryptionContext = (versionId: string) => `recipe_versions:${versionId}:encrypted_payload`

/** What is encrypted: the text of the code; of a recipe in Python also the schema of its inputs. */
export type StoredCode = string | { readonly code: string; readonly input_schema: unknown }

/** Reads both forms of stored code. */
export const readStored = (stored: StoredCode): { code: string; inputSchema?: unknown } =>
  typeof stored === 'string' ? { code: stored } : { code: stored.code, inputSchema: stored.input_schema }

/** Creates a loader that caches programs. A version never changes, so an entry never expires. */
export function createProgramCache({ db, encryptor }: { db: Db; encryptor: Encryptor }): LoadPrograms {
  const cache = new LRUCache<string, LoadedProgram>({
    max: PROGRAMS_MAX,
    maxSize: CODE_CHARACTERS_MAX,
    sizeCalculation: ({ code }) => code.length + 1,
  })
  return async (projectId, rows) => {
    const missing = rows.map(({ version_id: id }) => id).filter((id) => !cache.has(id))
    const codes = missing.length ? await store.findCodes(db, projectId, missing) : []
    const loaded = new Map<string, LoadedProgram>()
    for (const { id, encrypted_payload: payload } of codes) {
      const { code, inputSchema } = readStored(encryptor.decrypt<StoredCode>(payload, encryptionContext(id)))
      const parsed = isPython(code) ? parsePython(code, inputSchema) : parseProgram(code)
      if ('program' in parsed) loaded.set(id, { program: parsed.program, code })
    }
    for (const [id, entry] of loaded) cache.set(id, entry)
    return new Map(
      rows.flatMap(({ version_id: id }) => {
        const entry = loaded.get(id) ?? cache.get(id)
        return entry ? [[id, entry] as const] : []
      }),
    )
  }
}
