import { catalogFromSources, type Toolkit } from '../../../src/catalog/index.ts'
import type { Manifest } from './driver.ts'

/** The toolkit of one simulated provider. */
export function toolkitOf(manifest: Manifest, url: string): Toolkit {
  return catalogFromSources([simulatedSource('simulated', manifest, url)]).toolkit('simulated')!
}

/** A toolkit for one provider of the simulator, with one tool, `<SLUG>_ME`. */
export function simulatedSource(
  slug: string,
  { auth, toolkit }: Manifest,
  url: string,
): Parameters<typeof catalogFromSources>[0][number] {
  return {
    slug,
    icon: '<svg/>',
    toolkit: {
      slug,
      name: 'Simulated',
      description: `A provider of the simulator, ${url.split('/').at(-1)}.`,
      categories: ['testing'],
      created: '2026-11-21',
      releases: [{ version: '20261121_00', changes: 'First release.' }],
      base_url: url,
      auth: [auth],
      ...toolkit,
    },
    tools: {
      tools: [
        {
          slug: `${slug.toUpperCase()}_ME`,
          name: 'Who am I',
          description: 'Returns whose account it is.',
          effect: 'read',
          input: { type: 'object', properties: {} },
          output: { type: 'object', properties: { id: { type: 'string', description: 'Id.' } } },
          request: { method: 'GET', path: '/api/me' },
        },
      ],
    },
  }
}
