import { STATUS_CODES } from 'node:http'
import type { ResolvedTool } from '../../catalog/index.ts'
import type { RecordedBody } from '../../engine/index.ts'
import type { TryResult } from './simulated-run.ts'

/** What a person reads of a try: each request and its reply as they went over the wire, then the result as a caller of the tool gets it. */
export function formatResult(
  { against, tool, version, arguments: args, exchanges, successful, error, data }: TryResult,
  { toolkit }: ResolvedTool,
): string {
  const wire = exchanges.flatMap(({ request, answer }) => [
    `→ ${request.method} ${request.url}`,
    ...lines(request.headers),
    ...body(request.body),
    '',
    `← ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trimEnd(),
    ...lines(answer.headers),
    ...body(answer.body),
    '',
  ])
  const about = `${tool} ${version} against ${against === 'simulation' ? `the simulation of ${toolkit.name}` : 'a cassette'}`
  const result = successful
    ? ['✓ successful, data:', ...indented(data)]
    : [`✗ failed: ${error ?? 'no reason'}`, ...(Object.keys(data).length ? indented(data) : [])]
  return `\n  ${[about, '', 'arguments', ...indented(args), '', ...wire, ...result].join('\n  ').replace(/ +$/gm, '')}\n\n`
}

const lines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)

function body(given: RecordedBody | undefined): string[] {
  if (!given) return []
  if ('json' in given) return ['', ...indented(given.json)]
  return [
    '',
    ...('text' in given ? given.text.split('\n') : [`${given.base64.length} characters of base64`]).map(
      (line) => `  ${line}`,
    ),
  ]
}

const indented = (value: unknown): string[] =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `  ${line}`)
