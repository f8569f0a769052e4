import type { OperationSummary } from '../../../contract/operation-summary.ts'
import { commandOf, flagOf } from '../../../contract/command-words.ts'
import { isOrganization, type SampleRequest, shellWord } from './http.ts'

/** Their commands take files and flags of their own. */
const WITHOUT_COMMAND: ReadonlySet<string> = new Set(['toolkits.import', 'projects.export'])
const PREFIX = '/api/v3.1'

/** Returns a request as a command; undefined if no command sends it. */
export function asCommand(
  request: SampleRequest,
  operations: readonly OperationSummary[],
  serverUrl: string,
): string | undefined {
  const found = findOperation(request, operations)
  // The commands have no flags for headers.
  if (!found || WITHOUT_COMMAND.has(found.id) || Object.keys(request.headers ?? {}).length > 0)
    return undefined
  const words = ['patchbay', ...commandOf(found.id), ...found.parameters.map(shellWord)]
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined || value === null || value === '') continue
    const flag = flagOf(name)
    if (typeof value === 'boolean') words.push(value ? `--${flag}` : `--no-${flag}`)
    else words.push(`--${flag}=${shellWord(Array.isArray(value) ? value.join(',') : String(value))}`)
  }
  if (request.body !== undefined) words.push(`--data ${shellWord(JSON.stringify(request.body))}`)
  const key = isOrganization(request) ? 'PATCHBAY_ORG_API_KEY' : 'PATCHBAY_API_KEY'
  return `export PATCHBAY_URL=${shellWord(serverUrl)} ${key}="$API_KEY"\n${words.join(' ')}`
}

/** Finds the operation of a request. Of two templates that fit, the one with fewer parameters is meant. */
function findOperation(
  { method = 'GET', path }: Pick<SampleRequest, 'method' | 'path'>,
  operations: readonly OperationSummary[],
): { id: string; parameters: string[] } | undefined {
  const own = `${PREFIX}${path}`.split('/')
  return operations
    .flatMap((operation) => {
      const template = operation.path.split('/')
      if (operation.method !== method || template.length !== own.length) return []
      const isSame = template.every((part, at) => part.startsWith('{') || part === own[at])
      if (!isSame) return []
      const parameters = own.filter((_, at) => template[at]?.startsWith('{')).map(decodeURIComponent)
      return [{ id: operation.id, parameters }]
    })
    .sort((one, other) => one.parameters.length - other.parameters.length)[0]
}
