import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { getOwn, isObject, type Json } from '../../src/catalog/importers/json.ts'

/** Trust in a source, from the most to the least. `format/tool.ts` says what each means. */
export const TIERS = ['vendor', 'confirmed', 'harvested', 'directory', 'connector', 'reconstructed'] as const
export type Tier = (typeof TIERS)[number]

/** A document about the API of a toolkit: paths, parameters and schemas, without sentences. */
export interface FactDocument {
  /** `github#0` */
  readonly id: string
  readonly title: string
  readonly version: string | undefined
  readonly tier: Tier
  /** `github:XeroAPI/Xero-OpenAPI` */
  readonly source: string
  readonly openapi: Json
}

/** A slug of the original platform and the operation that its name means. */
export interface MappedSlug {
  readonly slug: string
  readonly toolkit: string
  readonly method: string
  readonly path: string
  readonly confidence: number
}

export interface Facts {
  /** Slugs of all toolkits for which there are documents or original slugs. */
  readonly toolkits: readonly string[]
  documents(toolkit: string): FactDocument[]
  readonly mapping: ReadonlyMap<string, readonly MappedSlug[]>
  readonly originalSlugs: ReadonlyMap<string, readonly string[]>
}

/** Below this, a mapping from a name to an operation is a guess. */
const CONFIDENCE_MIN = 0.8

/** Documents that the repository has itself: `<slug>.json.gz`, in the format of a folder of facts. */
const OWN_DOCUMENTS = join(import.meta.dirname, 'documents')

/** Reads a folder of facts. */
export function readFacts(folder: string): Facts {
  const lines = readFileSync(join(folder, 'toolkits.jsonl'), 'utf8').trim().split('\n')
  const toolkits = lines.map((line) => JSON.parse(line) as { slug: string; documents?: { file?: string }[] })
  const files = new Map(
    toolkits.map(({ slug, documents = [] }) => [
      slug,
      [...new Set([`documents/${slug}.json.gz`, ...documents.flatMap(({ file }) => file ?? [])])],
    ]),
  )
  const mapped = readText(join(folder, 'mapping.jsonl.gz'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as MappedSlug)
    .filter(({ confidence }) => confidence >= CONFIDENCE_MIN)
  return {
    toolkits: toolkits.map(({ slug }) => slug),
    documents: (toolkit) => [
      ...readDocuments(join(OWN_DOCUMENTS, `${toolkit}.json.gz`)),
      ...(files.get(toolkit) ?? []).flatMap((file) => readDocuments(join(folder, file))),
    ],
    mapping: Map.groupBy(mapped, ({ toolkit }) => toolkit),
    originalSlugs: new Map(
      Object.entries(
        JSON.parse(readText(join(folder, 'original-slugs.json.gz'))) as Record<string, string[]>,
      ),
    ),
  }
}

const readText = (file: string): string => gunzipSync(readFileSync(file)).toString('utf8')

function readDocuments(file: string): FactDocument[] {
  if (!existsSync(file)) return []
  const { documents } = JSON.parse(readText(file)) as { documents?: Json[] }
  return (documents ?? []).flatMap((document) =>
    isObject(document['openapi'])
      ? {
          id: String(document['id']),
          title: String(document['title'] ?? ''),
          version: String(document['version'] ?? '') || undefined,
          tier: tierOf(document['tier']),
          source: String(getOwn(document, 'source') ?? ''),
          openapi: withKnownVersion(document['openapi']),
        }
      : [],
  )
}

/**
 * Returns the document as one of OpenAPI 3.1 where it states no version, as the parts of BTCPay Server's do, or 3.2,
 * which differs in nothing that is read here.
 */
const withKnownVersion = (openapi: Json): Json =>
  openapi['swagger'] === undefined && !/^3\.[01]\./.test(String(openapi['openapi'] ?? ''))
    ? { ...openapi, openapi: '3.1.0' }
    : openapi

const tierOf = (value: unknown): Tier => TIERS.find((tier) => tier === value) ?? 'reconstructed'

/** Documents of one publisher confirm nothing about each other: `github:XeroAPI/…` is `github:XeroAPI`. */
export const publisherOf = (source: string): string => source.split('/')[0]!
