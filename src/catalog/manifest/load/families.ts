import { isObject } from '../../../platform/json-object.ts'
import { readJson, reportFile, type ToolkitFiles } from './toolkit-files.ts'

export const FAMILIES_FOLDER = '_families'
const FAMILY_NAME = /^[a-z0-9][a-z0-9_-]*$/
/** Keys that belong to one toolkit. */
const OWN_KEYS = ['slug', 'created', 'releases', 'extends']

type Json = Record<string, unknown>

/** The families that were read so far, by name: hundreds of toolkits extend the same one. */
export type FamilyCache = Map<string, Json | undefined>

/**
 * Writes out `extends` of a toolkit.json: the blocks of `_families/<name>.json`, with those of the toolkit
 * over them. Objects are merged and null removes a key, as in a JSON Merge Patch (RFC 7396). Entries of
 * `auth` are merged with the entry of the same scheme; other lists are replaced.
 */
export function applyFamily(
  files: ToolkitFiles,
  file: string,
  toolkit: unknown,
  families: FamilyCache = new Map(),
): unknown {
  if (!isObject(toolkit) || !Object.hasOwn(toolkit, 'extends')) return toolkit
  const { extends: name, ...own } = toolkit
  const report = (reason: string): unknown => {
    files.diagnostics.push({ file, path: '/extends', reason })
    return own
  }
  if (typeof name !== 'string' || !FAMILY_NAME.test(name)) return report('must be the name of a family.')
  if (file.includes('/versions/'))
    return report(
      'is not allowed in an older release, which must never change. Copy the blocks of the family.',
    )
  if (!families.has(name)) families.set(name, readFamily(files, name))
  const family = families.get(name)
  return family === undefined ? own : mergeToolkit(family, own)
}

function readFamily(files: ToolkitFiles, name: string): Json | undefined {
  const familyFiles: ToolkitFiles = { ...files, folder: FAMILIES_FOLDER, entries: undefined }
  const file = `${FAMILIES_FOLDER}/${name}.json`
  const family = readJson(familyFiles, file)
  if (!family) return undefined
  if (!isObject(family.value)) return reportFile(familyFiles, file, 'must be object.')
  const { $schema: _, ...blocks } = family.value
  for (const key of OWN_KEYS)
    if (Object.hasOwn(blocks, key))
      return void files.diagnostics.push({
        file,
        path: `/${key}`,
        reason: 'belongs to a toolkit, not to a family.',
      })
  return blocks
}

function mergeToolkit(family: Json, own: Json): Json {
  const { auth: familyAuth, ...familyRest } = family
  const { auth: ownAuth, ...ownRest } = own
  const merged = mergePatch(familyRest, ownRest) as Json
  const auth =
    Array.isArray(ownAuth) && Array.isArray(familyAuth)
      ? mergeAuth(familyAuth, ownAuth)
      : (ownAuth ?? familyAuth)
  return auth === undefined ? merged : { ...merged, auth }
}

/** The toolkit chooses the schemes and their order. */
function mergeAuth(family: readonly unknown[], own: readonly unknown[]): unknown[] {
  return own.map((entry) => {
    const inherited = isObject(entry)
      ? family.find((other) => isObject(other) && other['scheme'] === entry['scheme'])
      : undefined
    return inherited === undefined ? entry : mergePatch(inherited, entry)
  })
}

function mergePatch(base: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Json = isObject(base) ? { ...base } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}
