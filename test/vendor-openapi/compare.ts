import type { ToolkitManifest, ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { DEVIATIONS } from './deviations.ts'
import type { PublishedDocument } from './documents.ts'
import type { openDocument, Parameter } from './openapi.ts'
import { type Sent, sentRequest } from './sent.ts'

export interface Problem {
  tool: string
  /** What is wrong with which name, e.g. `query since`. */
  part: string
  text: string
}

const SENT_BY_EVERY_CLIENT = ['accept', 'authorization', 'content-type', 'user-agent']

/** Everything in which the request of a tool differs from what the vendor published. */
export function compare(
  tool: ToolManifest,
  toolkit: ToolkitManifest,
  published: PublishedDocument,
  document: ReturnType<typeof openDocument>,
): Problem[] {
  const problems: Problem[] = []
  const report = (part: string, text: string) => problems.push({ tool: tool.slug, part, text })

  function hold(place: string, ours: Map<string, Sent>, theirs: Map<string, Parameter>, open: boolean): void {
    for (const [name, { values }] of ours) {
      const parameter = theirs.get(name)
      if (parameter === undefined && !open)
        report(`${place} ${name}`, `the vendor names only ${[...theirs.keys()].join(', ') || 'none'}`)
      const strange = parameter?.values && values?.filter((value) => !parameter.values!.includes(value))
      if (strange?.length)
        report(`enum ${name}`, `${strange.join(', ')} is not among ${parameter!.values!.join(', ')}`)
    }
    for (const [name, { required }] of theirs) {
      if (!required || ours.get(name)?.always || published.credentials?.includes(name)) continue
      report(`required ${name}`, `the vendor requires it in the ${place}, not every call sends it`)
    }
  }

  const sent = sentRequest(tool, toolkit.base_url ?? '')
  const path = sent.address.startsWith(published.base)
    ? (published.prefix ?? '') + sent.address.slice(published.base.length)
    : undefined
  const operation = path === undefined ? undefined : document.operation(sent.method, path)
  if (operation === undefined) {
    report('operation', `${published.document} has no ${tool.request!.method} ${path ?? sent.address}`)
    const takes = DEVIATIONS.find(
      (deviation) => deviation.tool === tool.slug && deviation.part === 'operation',
    )?.takes
    if (takes) hold('request', new Map([...sent.query, ...sent.body]), parameters(takes), false)
    return problems
  }
  hold('query', sent.query, operation.query, false)
  if (!sent.freeBody) hold('body', sent.body, operation.body, operation.openBody)
  const headers = [
    ...SENT_BY_EVERY_CLIENT,
    ...Object.keys(toolkit.request?.headers ?? {}),
    ...sent.headers.keys(),
  ]
  hold(
    'header',
    new Map(headers.map((name) => [name.toLowerCase(), { always: true, values: undefined }])),
    operation.headers,
    true,
  )
  return problems
}

const parameters = (names: string[]): Map<string, Parameter> =>
  new Map(names.map((name) => [name.replace('*', ''), { required: name.endsWith('*'), values: undefined }]))
