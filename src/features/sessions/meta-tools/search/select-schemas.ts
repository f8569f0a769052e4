import { truncateText, fitSchemas } from './fit-schemas.ts'
import type { QueryResult } from './search-query.ts'
import type { SearchHit } from './tool-finder.ts'

type ToWireName = (slug: string) => string
const RELATED_DESCRIPTION_MAX = 140

/**
 * Returns full schemas of primary tools while there is room, the first tool of each query before all others. The other
 * tools get a reference.
 */
export function selectSchemas(
  { toWireName }: { toWireName: ToWireName },
  queryResults: readonly QueryResult[],
  bytes: number,
): Record<string, unknown> {
  const all = new Map(
    queryResults.flatMap(({ primary, related }) => [...primary, ...related]).map((hit) => [hit.slug, hit]),
  )
  const firsts = unique(queryResults.flatMap(({ primary }) => primary.slice(0, 1).map(({ slug }) => slug)))
  const seconds = unique(
    queryResults.flatMap(({ primary }) => primary.slice(1).map(({ slug }) => slug)),
  ).filter((slug) => !firsts.includes(slug))
  const references = new Map([...all.values()].map((hit) => [hit.slug, schemaReference(hit, toWireName)]))
  const inputs = (slugs: readonly string[]) => new Map(slugs.map((slug) => [slug, all.get(slug)!.input()]))
  const left = bytes - Buffer.byteLength(JSON.stringify(Object.fromEntries(references)))
  const fullSchemas = fitSchemas(inputs(firsts), left)
  const used = [...fullSchemas.values()].reduce((sum, one) => sum + one.bytes, 0)
  for (const [slug, one] of fitSchemas(inputs(seconds), left - used)) fullSchemas.set(slug, one)
  return Object.fromEntries(
    [...references].map(([slug, reference]) => {
      const hit = all.get(slug)!
      const schema = fullSchemas.get(slug)?.schema
      return [
        slug,
        schema
          ? {
              tool_slug: slug,
              toolkit: hit.toolkit,
              description: truncateText(hit.description, 400),
              hasFullSchema: true,
              input_schema: schema,
            }
          : reference,
      ]
    }),
  )
}

/** Makes a second primary tool without a full schema a related tool: a primary tool can be called at once. */
export function demoteWithoutSchema(
  { result, primary }: QueryResult,
  schemas: Record<string, unknown>,
): void {
  const isWhole = ({ slug }: SearchHit, at: number) =>
    at === 0 || (schemas[slug] as { hasFullSchema: boolean }).hasFullSchema
  const demoted = primary.filter((hit, at) => !isWhole(hit, at)).map(({ slug }) => slug)
  if (!demoted.length) return
  result['primary_tool_slugs'] = primary.filter(isWhole).map(({ slug }) => slug)
  result['related_tool_slugs'] = [...demoted, ...(result['related_tool_slugs'] as string[])]
}

const schemaReference = ({ slug, toolkit, description }: SearchHit, toWireName: ToWireName) => ({
  tool_slug: slug,
  toolkit,
  description: truncateText(description, RELATED_DESCRIPTION_MAX),
  hasFullSchema: false,
  schemaRef: {
    tool: toWireName('SERVICE_GET_TOOL_SCHEMAS'),
    args: { tool_slugs: [slug] },
    message: 'Fetch the schema before you call the tool.',
  },
})

const unique = (list: readonly string[]): string[] => [...new Set(list)]
