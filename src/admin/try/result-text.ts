import { STATUS_CODES } from '../../platform/http/node-http.ts'
import type { ResolvedTool } from '../../catalog/index.ts'
import type { RecordedBody } from '../../engine/index.ts'
import type { TryResult } from './simulated-run.ts'

/** Formats the requests and responses of a run, then the result as the caller of the tool receives it. */
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
  const about =
    `${tool} ${version} against ` +
    `${against === 'simulation' ? `the simulation of ${toolkit.name}` : 'a recording'}`
  const result = successful
    ? ['✓ successful, data:', ...indented(data)]
    : [`✗ failed: ${error ?? 'no reason'}`, ...(Object.keys(data).length ? indented(data) : [])]
  return (
    `\n  ` +
    `${[about, '', 'arguments', ...indented(args), '', ...wire, ...result].join('\n  ').replace(/ +$/gm, '')}\n\n`
  )
}

const lines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)

function body(recorded: RecordedBody | undefined): string[] {
  if (!recorded) return []
  if ('json' in recorded) return ['', ...indented(recorded.json)]
  return [
    '',
    ...('text' in recorded
      ? recorded.text.split('\n')
      : [`${recorded.base64.length} characters of base64`]
    ).map((line) => `  ${line}`),
  ]
}

const indented = (value: unknown): string[] =>
  JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => `  ${line}`)
