import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { canonicalJson } from '../../src/catalog/importers/versions/canonical-json.ts'
import { checkManifest } from '../../src/catalog/importers/check.ts'
import { isObject, object } from '../../src/catalog/importers/json.ts'
import { ImportRejected } from '../../src/catalog/importers/index.ts'
import { toolkitContext } from '../../src/catalog/manifest/compile/tool.ts'
import { compileTemplate } from '../../src/catalog/manifest/compile/template/templates.ts'
import { lintFiles } from '../../src/catalog/manifest/lint/lint-files.ts'
import { encodeOperations } from '../../src/catalog/manifest/load/operations/index.ts'
import type { ToolkitSource } from '../../src/catalog/manifest/load/read.ts'
import type { ToolkitManifest, ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { findCompounds } from './compounds.ts'
import type { Facts } from './facts.ts'
import { makeTool, namesOfTool, type ToolkitParts } from './make-tool.ts'
import { statedTools } from './operation-files/index.ts'
import { nameOf, type SelectedOperation, selectOperations } from './operations.ts'
import { type Overlay, readOverlay } from './overlay.ts'
import { readSentences, requireTools } from './sentences.ts'
import { uniqueNames } from './unique-names.ts'
import { keyOfRequest } from './place.ts'
import {
  addMatches,
  curatedNames,
  formerSlugs,
  originalNames,
  resolveAliases,
  slugsByRoute,
  sorted,
} from './names.ts'
import { nameOperations } from './slugs.ts'

/** The generated tools of a toolkit. */
export interface GeneratedToolkit {
  readonly slug: string
  readonly tools: readonly ToolManifest[]
  /** Names of the original platform to the tools that are written by hand. */
  readonly curatedAliases: Readonly<Record<string, string>>
  /** Operations that are no tools, and why. */
  readonly left: ReadonlyMap<string, string>
  /** `operations.bin`; undefined where there is nothing to write. */
  readonly bytes: Buffer | undefined
}

/** Generates the tools of one toolkit from the facts and its overlay. */
export async function generateToolkit(
  facts: Facts,
  source: ToolkitSource,
  folder: string,
  isQuick = false,
): Promise<GeneratedToolkit> {
  const toolkit = source.toolkit as ToolkitManifest
  const overlay = readOverlay(join(folder, toolkit.slug, 'overlay.json'))
  const sentencesFile = join(folder, toolkit.slug, 'sentences.json')
  const sentences = readSentences(sentencesFile)
  const baseUrl = toolkit.base_url ?? toolkit.auth.map(({ base_url }) => base_url).find(Boolean) ?? ''
  const stated = statedTools(toolkit, folder, baseUrl)
  const found = selectOperations(facts.documents(toolkit.slug), baseUrl, overlay)
  const selected = found.selected.filter(({ key }) => !stated.keys.has(key))
  const reasons = new Map(found.left)
  const curated = curatedTools(source)
  const curatedByKey = new Map(
    curated.flatMap(({ slug, request }) =>
      request ? [[keyOfRequest(request.method, request.path, baseUrl), slug] as const] : [],
    ),
  )
  const names = curatedNames(curated)
  const { aliases, covered, preferred } = originalNames(facts, toolkit.slug, selected, {
    names,
    curatedByKey,
    overlay,
    former: formerSlugs(source),
  })
  const open = selected.filter(({ key }) => !curatedByKey.has(key) && !covered.has(key))
  const slugs = nameOperations(
    toolkit.slug,
    open.map((one) => ({
      key: one.key,
      operation: one.operation,
      title: one.document.title,
      preferred: preferred.get(one.key),
    })),
    [...names, ...stated.names, ...Object.keys(aliases)],
  )
  const slugOf = (key: string) => curatedByKey.get(key) ?? slugs.get(key)
  const parts = toolkitParts(toolkit, { overlay, sentences }, selected, slugOf)
  const made = [...makeTools(open, slugs, parts, reasons), ...stated.tools]
  const sound = await keepSound(toolkit, made, reasons, isQuick)
  const bySlug = new Map(open.map((one) => [slugs.get(one.key), one]))
  const tools = withUniqueNames(sound, curated, bySlug, parts)
  requireStated(stated.tools, tools, names, reasons)
  const statedSlugs = new Set(stated.tools.map(({ slug }) => slug))
  const generated = new Set(tools.map(({ slug }) => slug).filter((slug) => !statedSlugs.has(slug)))
  requireTools(sentencesFile, sentences, generated)
  requireEffects(overlay, generated)
  const byRoute = slugsByRoute(selected, (key) => curatedByKey.get(key) ?? covered.get(key) ?? slugs.get(key))
  const allAliases = resolveAliases(aliases, overlay, tools, names, byRoute)
  addMatches(facts, toolkit.slug, { curated, open, slugs, overlay }, tools, allAliases)
  return finished(source, tools, sorted(allAliases), reasons)
}

/** The tools with names that no other tool of the toolkit has, also none that is written by hand. */
function withUniqueNames(
  tools: readonly ToolManifest[],
  curated: readonly ToolManifest[],
  operations: ReadonlyMap<string | undefined, SelectedOperation>,
  parts: ToolkitParts,
): ToolManifest[] {
  const choices = tools.map(({ slug, name, effect, request }) => {
    const operation = operations.get(slug)
    const names = operation === undefined ? [name] : namesOfTool(operation, slug, effect, parts)
    return { slug, names, request: `${request!.method} ${request!.path}` }
  })
  const reserved = curated.map(({ name }) => name)
  const unique = uniqueNames(choices, reserved)
  return tools.map((tool) => ({ ...tool, name: unique.get(tool.slug)! }))
}

/** @throws Error for an effect of the overlay that belongs to no tool */
function requireEffects({ effects = {}, destructive = {} }: Overlay, slugs: ReadonlySet<string>): void {
  const listed = [...Object.keys(effects), ...Object.keys(destructive)]
  const unknown = listed.filter((slug) => !slugs.has(slug))
  if (unknown.length > 0)
    throw new Error(`overlay: effects of ${unknown.join(', ')}, which are no generated tools.`)
}

/** What is stated by hand is corrected by hand: no tool of it may be left out. @throws Error for one that is */
function requireStated(
  stated: readonly ToolManifest[],
  written: readonly ToolManifest[],
  curated: ReadonlySet<string>,
  reasons: ReadonlyMap<string, string>,
): void {
  const slugs = new Set(written.map(({ slug }) => slug))
  const faults = stated.flatMap(({ slug }) => {
    if (curated.has(slug)) return `${slug}: a tool that is written by hand has this name`
    return slugs.has(slug) ? [] : `${slug}: ${reasons.get(slug) ?? 'it was left out'}`
  })
  if (faults.length > 0) throw new Error(`operations.json:\n${faults.join('\n')}`)
}

const curatedTools = ({ tools }: ToolkitSource): readonly ToolManifest[] =>
  (tools as { tools: ToolManifest[] } | undefined)?.tools ?? []

function toolkitParts(
  toolkit: ToolkitManifest,
  texts: Pick<ToolkitParts, 'overlay' | 'sentences'>,
  selected: readonly SelectedOperation[],
  slugOf: (key: string) => string | undefined,
): ToolkitParts {
  const lists = new Map<string, string>()
  for (const { key } of selected) {
    const slug = slugOf(key)
    if (slug !== undefined && key.startsWith('GET ') && !key.endsWith('{}')) lists.set(key, slug)
  }
  const scopes = toolkit.auth.flatMap((scheme) =>
    'scopes' in scheme && scheme.scopes
      ? [...(scheme.scopes.default ?? []), ...((scheme.scopes as { available?: string[] }).available ?? [])]
      : [],
  )
  const headers = [toolkit.request?.headers, ...toolkit.auth.map((scheme) => namesApplied(scheme))]
  const credentialNames = headers.flatMap((record) =>
    Object.keys(record ?? {}).map((name) => name.toLowerCase()),
  )
  return {
    toolkit,
    ...texts,
    lists,
    compounds: findCompounds(selected),
    scopes: new Set(scopes),
    credentialNames: new Set(credentialNames),
  }
}

function namesApplied(scheme: ToolkitManifest['auth'][number]): Record<string, unknown> {
  const { headers, query } = (scheme.apply ?? {}) as Record<
    'headers' | 'query',
    Record<string, unknown> | undefined
  >
  return { ...headers, ...query }
}

function makeTools(
  open: readonly SelectedOperation[],
  slugs: ReadonlyMap<string, string>,
  parts: ToolkitParts,
  reasons: Map<string, string>,
): ToolManifest[] {
  return open.flatMap((selected) => {
    try {
      const tool = makeTool(selected, slugs.get(selected.key)!, parts)
      compileTemplate(tool.request!.path)
      if (isUploadWithoutParts(tool)) {
        reasons.set(nameOf(selected), 'the document does not name the parts of its upload')
        return []
      }
      return tool
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      reasons.set(nameOf(selected), error.message)
      return []
    }
  })
}

/** Whether a tool has one argument for all parts of an upload, of which nothing is known. */
function isUploadWithoutParts({ request, input }: ToolManifest): boolean {
  const { body, body_type: type } = request!
  const name = isObject(body) ? body['$'] : undefined
  if (type !== 'multipart' || typeof name !== 'string') return false
  const members = object(object(object(object(input)['properties'])[name])['properties'])
  return Object.keys(members).length === 0
}

/** Leaves out tools that break a rule of the manifest format, or whose schemas do not compile. */
async function keepSound(
  { created: _, releases: __, ...toolkit }: ToolkitManifest,
  tools: readonly ToolManifest[],
  reasons: Map<string, string>,
  isQuick: boolean,
): Promise<ToolManifest[]> {
  const wrong = new Map(tools.length === 0 ? [] : checkManifest(toolkit, tools))
  if (!isQuick)
    await lintFiles({ toolkit, tools: { tools } }, () => ({
      add(path, reason) {
        const tool = tools[Number(path.split('/')[2])]
        if (tool) wrong.set(tool.slug, reason)
      },
    }))
  for (const [slug, reason] of wrong) reasons.set(slug, reason)
  return tools.filter(({ slug }) => !wrong.has(slug)).sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

function finished(
  source: ToolkitSource,
  tools: readonly ToolManifest[],
  curatedAliases: Readonly<Record<string, string>>,
  left: ReadonlyMap<string, string>,
): GeneratedToolkit {
  const { slug } = source
  const isEmpty = tools.length === 0 && Object.keys(curatedAliases).length === 0
  const digest = createHash('sha256').update(canonicalJson({ tools, curatedAliases })).digest('hex')
  const context = toolkitContext(source.toolkit as ToolkitManifest, source.code)
  const bytes = isEmpty ? undefined : encodeOperations({ slug, tools, curatedAliases, digest }, context)
  return { slug, tools, curatedAliases, left, bytes }
}
