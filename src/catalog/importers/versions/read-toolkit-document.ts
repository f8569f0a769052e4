import { visitSchemas } from '../../manifest/json-schema.ts'
import type { ToolkitManifest, ToolManifest } from '../../manifest/format/index.ts'
import { BOUNDS } from '../bounds.ts'
import { checkManifest } from '../check.ts'
import type { Imported, ImportOptions, OperationOutcome } from '../imported.ts'
import { ImportRejected, quoted } from '../import-rejected.ts'
import { isObject, type Json, list, object } from '../json.ts'
import { readDocument } from '../openapi/read-document.ts'
import { SNAPSHOT_FORMAT } from './snapshot.ts'

/**
 * Fields that importers write. The others of a manifest, such as requests after a connection, are for toolkits that
 * an administrator reviews: they could send credentials to hosts that `credentialRecipients` does not know.
 */
const TOOLKIT_FIELDS = words(
  'slug name description app_url docs_url categories base_url auth success_when error_message errors',
)
const TOOL_FIELDS = words(
  'slug name description human_description effect idempotent open_world tags deprecated scopes no_auth docs_url ' +
    'input output request mcp response pagination success_when',
)
/** Fields of parts of a tool that importers do not write. Foreign patterns can run without end. */
const PAGINATION_FIELDS_LEFT_OUT = ['pattern', 'tool']
const RESPONSE_FIELDS = words('pick')
const SLUG = /^[A-Z0-9_]{1,64}$/

/**
 * Reads the content of a toolkit version that a server has exported. It is as foreign as any document: only fields
 * that importers write are accepted, and the rules of manifests apply to them. A tool against the rules is left out and
 * reported. @throws ImportRejected
 */
export function importToolkitDocument(source: string, options: ImportOptions): Imported {
  const { format, toolkit, tools, origins } = readDocument(source)
  if (format !== SNAPSHOT_FORMAT)
    throw new ImportRejected(
      'not_toolkit',
      `This is not an exported toolkit of a format that this server reads: \`format\` must be ${SNAPSHOT_FORMAT}. ` +
        'Upgrade this server, or import the API description of the toolkit.',
    )
  const manifest = readToolkit(toolkit, options)
  const rejected: OperationOutcome[] = []
  const accepted = readTools(tools, manifest, rejected)
  const operations = operationsOf(origins, accepted)
  if (accepted.length === 0)
    throw new ImportRejected(
      'no_operations',
      `None of ${list(tools).length} tools can be used; the first: ${rejected[0]?.reason ?? 'there are none'}`,
    )
  return {
    toolkit: manifest,
    tools: accepted,
    origins: operations,
    report: {
      title: manifest.name,
      version: undefined,
      operations: accepted.length + rejected.length,
      refused: rejected,
      notes: [],
    },
  }
}

type Toolkit = Imported['toolkit']

function readToolkit(value: unknown, options: ImportOptions): Toolkit {
  const toolkit = object(value)
  const option = (['name', 'server', 'auth', 'lenient'] as const).find((name) => options[name] !== undefined)
  if (option !== undefined)
    throw new ImportRejected('not_toolkit', `An exported toolkit is imported as it is. Omit \`${option}\`.`)
  const unknown = Object.keys(toolkit).find((name) => !TOOLKIT_FIELDS.has(name))
  if (unknown !== undefined)
    throw new ImportRejected('manifest', `The toolkit has ${quoted(unknown)}, which no import writes.`)
  const { slug } = toolkit
  if (options.slug !== undefined && options.slug !== slug)
    throw new ImportRejected(
      'not_toolkit',
      `The toolkit is ${quoted(String(slug))} and keeps its slug, because the slugs of its tools begin with it. ` +
        'Omit `slug`.',
    )
  return toolkit as unknown as ToolkitManifest
}

/** Returns the tools that importers could have written, and adds the others to `rejected`. */
function readTools(value: unknown, toolkit: Toolkit, rejected: OperationOutcome[]): ToolManifest[] {
  const tools = list(value)
  if (tools.length > BOUNDS.operations)
    throw new ImportRejected('too_large', `The toolkit has more than ${BOUNDS.operations} tools.`)
  const reject = (slug: unknown, reason: string) => {
    rejected.push({ operation: quoted(String(slug)), cause: 'manifest', reason })
    return false
  }
  const slugs = new Set<unknown>()
  const plausible = tools.filter((tool): tool is Json => {
    if (!isObject(tool)) return reject('tool', 'It is not an object.')
    const { slug } = tool
    const reason = slugs.has(slug) ? 'Another tool has its slug.' : reasonAgainst(tool)
    slugs.add(slug)
    return reason === undefined || reject(slug, reason)
  }) as unknown as ToolManifest[]
  const faults = checkManifest(toolkit, plausible)
  return plausible.filter(({ slug }) => {
    const reason = faults.get(slug)
    return reason === undefined || reject(slug, reason)
  })
}

/** Returns why importers could not have written a tool. */
function reasonAgainst(tool: Json): string | undefined {
  const fields = [
    ...Object.keys(tool).filter((name) => !TOOL_FIELDS.has(name)),
    ...Object.keys(object(tool['response'])).filter((name) => !RESPONSE_FIELDS.has(name)),
    ...PAGINATION_FIELDS_LEFT_OUT.filter((name) => Object.hasOwn(object(tool['pagination']), name)),
  ]
  for (const side of ['input', 'output'])
    visitSchemas(tool[side], side, (schema) => {
      for (const name of ['pattern', 'patternProperties']) if (Object.hasOwn(schema, name)) fields.push(name)
    })
  return fields[0] === undefined ? undefined : `It has ${quoted(fields[0])}, which no import writes.`
}

/** The slug of each operation, so that a later import of the API description keeps the slugs. */
function operationsOf(value: unknown, tools: readonly ToolManifest[]): Readonly<Record<string, string>> {
  const slugs = new Set(tools.map(({ slug }) => slug))
  return Object.fromEntries(
    Object.entries(object(value)).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && SLUG.test(entry[1]) && slugs.has(entry[1]),
    ),
  )
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
