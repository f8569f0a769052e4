import type { Imported } from '../../../catalog/importers/index.ts'
import { sampleTool, sampleToolkit } from '../../../catalog/testing.ts'

/** An import of a toolkit whose tools call `url`; each tool is `[slug, name]`. */
export function sampleImport(
  slug: string,
  tools: readonly (readonly [slug: string, name: string])[],
  { url = 'https://{subdomain}.shop.example', ...more }: Record<string, unknown> & { url?: string } = {},
): Imported {
  const {
    created: _,
    releases: __,
    ...toolkit
  } = sampleToolkit({
    slug,
    name: slug,
    base_url: url,
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
    ...more,
  })
  const made = tools.map(([tool, name]) =>
    sampleTool({ slug: tool, name, description: `${name} of the ${slug} in store.` }),
  )
  return {
    toolkit,
    tools: made,
    origins: Object.fromEntries(tools.map(([tool, name]) => [`GET /${name}`, tool])),
    report: { title: slug, version: '1', operations: tools.length, refused: [], notes: [] },
  } as unknown as Imported
}
