import { isDeepStrictEqual } from 'node:util'
import type { Catalog, JsonSchema, Toolkit, ToolManifest } from '../../../src/catalog/index.ts'
import { propertiesOf } from '../../../src/catalog/manifest/json-schema.ts'
import { Application, exampleArguments, simulatedConnection } from '../../../simulation/applications/index.ts'
import type { ToolRun, toolRunner } from './run-tool.ts'

/** What of a tool was simulated, and what failed. */
export interface SimulatedTool {
  readonly slug: string
  /** Whether no arguments that fit the schema could be made; nothing was run with them. */
  readonly isUnfilled: boolean
  /** Whether the tool has pages, and a second one was read. */
  readonly isPaged: boolean
  readonly faults: readonly string[]
}

type Run = ReturnType<typeof toolRunner>

/**
 * Runs one tool with its required and with all arguments, with an error of the application, and over two pages where
 * it declares pages. The application is made from the manifest of the tool alone: it reads method, path, parameters
 * and body of a request back into arguments, which must be those that were sent.
 */
export async function simulateTool(
  catalog: Catalog,
  run: Run,
  toolkit: Toolkit,
  slug: string,
): Promise<SimulatedTool> {
  const { tool } = catalog.tool(slug, 'latest')!
  const { manifest } = tool
  const connection = simulatedConnection(toolkit, [manifest])
  const faults: string[] = []
  let isUnfilled = false
  const application = new Application(toolkit, [manifest], { tools: { [slug]: { op: 'answer' } } })
  const answer = application.handle.bind(application)
  for (const which of ['required', 'all'] as const) {
    const args = withoutSpread(manifest, exampleArguments(tool.input, which))
    if (isEmptyForm(manifest, args)) continue
    const result = await run({ slug, args, connection, answer })
    const fault = faultOf(result, application, manifest)
    if (result.error?.startsWith('Invalid arguments')) isUnfilled = true
    else if (fault) faults.push(`with ${which} arguments: ${fault}`)
  }
  if (isUnfilled) return { slug, isUnfilled, isPaged: false, faults }
  application.fail({ meaning: 'invalid', left: 1 })
  const rejected = await run({ slug, args: exampleArguments(tool.input, 'required'), connection, answer })
  if (rejected.successful || rejected.exchanged.length !== 1)
    faults.push('an error of the application is reported as success')
  const isPaged = manifest.pagination !== undefined && faults.length === 0
  if (isPaged) {
    const fault = await faultOfPages(run, toolkit, manifest, exampleArguments(tool.input, 'required'))
    if (fault) faults.push(fault)
  }
  return { slug, isUnfilled, isPaged, faults }
}

/** Whether a form would have nothing but empty objects, which it cannot write. */
const isEmptyForm = ({ request }: ToolManifest, args: Readonly<Record<string, unknown>>): boolean =>
  request!.body_type === 'form' &&
  Object.keys(args).length > 0 &&
  Object.values(args).every((value) => typeof value === 'object' && isNothing(withoutEmpty(value)))

/** Leaves out objects that a request has as parameters of their own names: they cannot be told from unknown ones. */
function withoutSpread(
  { request }: ToolManifest,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const styles = request?.query_style ?? {}
  return Object.fromEntries(Object.entries(args).filter(([name]) => styles[name] !== 'spread'))
}

function faultOf(result: ToolRun, application: Application, manifest: ToolManifest): string | undefined {
  const { successful, error, exchanged, sent } = result
  if (!successful) return error ?? 'failed without a message'
  if (exchanged.length !== 1) return `${exchanged.length} requests were sent`
  const { understood } = application
  if (!understood) return 'the application does not recognize the request'
  const lost = Object.entries(sent).find(
    ([name, value]) =>
      !isNothing(withoutEmpty(value)) &&
      !isFile(manifest, name) &&
      !isSame(understood.args[name], value, isInJson(manifest, name)),
  )
  // Where two parameters follow each other in a path, their border is not visible: `/{id}{format}`.
  if (!lost || manifest.request!.path.includes('}{')) return undefined
  const [name, value] = lost
  return `${name} was ${JSON.stringify(value)}, the application reads ${JSON.stringify(understood.args[name])}`
}

/** A query and a form have no types: `1` and `"1"` are the same there. */
function isSame(read: unknown, sent: unknown, isJson: boolean): boolean {
  const [a, b] = [withoutEmpty(read), withoutEmpty(sent)]
  if (isDeepStrictEqual(a, b) || (typeof b !== 'object' && typeof a === 'string' && a === String(b)))
    return true
  return !isJson && isDeepStrictEqual(untyped(a), untyped(b))
}

const isInJson = ({ request }: ToolManifest, name: string): boolean =>
  (request!.body_type ?? 'json') === 'json' && JSON.stringify(request!.body ?? null).includes(`"$":"${name}"`)

/** The value with text instead of numbers and switches, and with the item instead of a list that has one. */
function untyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? untyped(value[0]) : value.map(untyped)
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, untyped(inner)]))
}

/** Nothing is sent for these values. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The value without empty lists and objects, which not every encoding of a body can write. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).filter((one) => !isNothing(one))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => !isNothing(inner)))
}

/** Of a file only its bytes are sent. */
const isFile = ({ request }: ToolManifest, name: string): boolean =>
  ['file', 'base64'].some((as) => JSON.stringify(request).includes(`{"$":"${name}","as":"${as}"`))

async function faultOfPages(
  run: Run,
  toolkit: Toolkit,
  manifest: ToolManifest,
  required: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { slug, pagination } = manifest
  const size = sizeOf(manifest)
  // A search finds objects that contain its words.
  const words = JSON.stringify(required)
  const application = new Application(toolkit, [manifest], {
    tools: { [slug]: { op: 'list', type: 'thing', place: pagination!.items } },
    types: { thing: { seeds: Array.from({ length: 2 * size }, () => ({ found: words })) } },
  })
  const name = pagination!.size
  // Miro takes the size of a page as text.
  const isText = propertiesOf(manifest.input as JsonSchema)[name ?? '']?.['type'] === 'string'
  const args = { ...required, ...(name !== undefined && { [name]: isText ? String(size) : size }) }
  const connection = simulatedConnection(toolkit, [manifest])
  const answer = application.handle.bind(application)
  const { successful, error, exchanged } = await run({ slug, args, connection, answer, pages: 2 })
  if (!successful) return `pages: ${error}`
  const isReadOn = pagination!.size === undefined || exchanged.length === 2
  return isReadOn ? undefined : `pages: ${exchanged.length} requests were sent for two pages`
}

/** Number of items that a page may have at least. */
function sizeOf({ input, pagination }: ToolManifest): number {
  const schema = propertiesOf(input as JsonSchema)[pagination?.size ?? '']
  return Math.max(2, Number(schema?.['minimum'] ?? 0))
}
