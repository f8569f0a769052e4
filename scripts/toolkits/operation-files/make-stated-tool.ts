import { parse } from 'graphql'
import { argumentNames } from '../../../src/catalog/importers/tools/arguments.ts'
import { literal } from '../../../src/catalog/importers/tools/parameter-styles.ts'
import type { ToolkitManifest, ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import { isObject, type Json, object } from '../../../src/catalog/importers/json.ts'
import { describeArgument } from '../describe-arguments.ts'
import { effectBySlug } from '../effect.ts'
import { toolNames } from '../tool-names.ts'
import type { OperationFile, StatedOperation, StatedValue, StatedValues } from './format.ts'
import { readMembers, type ReadValue, readValue } from './read-value.ts'
import { sourceOfTool } from './sources.ts'

type Effect = ToolManifest['effect']
type Request = NonNullable<ToolManifest['request']>
type Template = Record<string, unknown>

const OF_METHOD: Readonly<Record<string, Effect>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
}

/** Makes the tool of an operation that is stated in a file. @throws Error for one that contradicts itself */
export function makeStatedTool(
  operation: StatedOperation,
  file: OperationFile,
  toolkit: Pick<ToolkitManifest, 'slug' | 'name'>,
): ToolManifest {
  const { slug, important, tags, aliases, idempotent, scopes } = operation
  const [method = '', path = ''] = operation.request.split(' ')
  const effect = operation.effect ?? effectBySlug(OF_METHOD[method]!, slug, toolkit.slug, { method, path })
  const { input, request } = new RequestWriter(operation).write(method as Request['method'], path)
  return {
    slug,
    name:
      operation.name ??
      toolNames({ slug, toolkitSlug: toolkit.slug, toolkitName: toolkit.name, effect, path })[0]!,
    description: operation.description,
    effect,
    ...(idempotent !== undefined && { idempotent }),
    ...(operation.no_auth && { no_auth: true }),
    ...(important && { important }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(scopes && { scopes: { all_of: scopes } }),
    ...(operation.docs_url !== undefined && { docs_url: operation.docs_url }),
    source: sourceOfTool(operation, file),
    input,
    output: { type: 'object', ...(operation.returns && readMembers(operation.returns, `${slug} returns`)) },
    request,
    ...(operation.response && { response: operation.response }),
    ...(operation.success_when && { success_when: operation.success_when }),
    ...(operation.pagination && { pagination: operation.pagination }),
  }
}

/** Collects the arguments of an operation and where each is sent. */
class RequestWriter {
  private readonly operation: StatedOperation
  private readonly properties: Template = {}
  private readonly required: string[] = []
  private readonly nameOf = argumentNames()

  constructor(operation: StatedOperation) {
    this.operation = operation
  }

  write(method: Request['method'], path: string): { input: ToolManifest['input']; request: Request } {
    const { fixed = {}, query, headers, body_type: type } = this.operation
    const template = this.path(path)
    const styles: Record<string, string> = {}
    const ofQuery = { ...fixed.query, ...this.values(query, 'query', styles) }
    const ofHeaders = { ...fixed.headers, ...this.values(headers, 'headers', {}) }
    const bodyStyles: Record<string, string> = {}
    const body = this.body(bodyStyles)
    const request = {
      method,
      path: template,
      ...nonEmpty('query', ofQuery),
      ...nonEmpty('query_style', styles),
      ...nonEmpty('headers', ofHeaders),
      ...(body !== undefined && { body }),
      ...(type !== undefined && type !== 'json' && { body_type: type }),
      ...nonEmpty('body_style', bodyStyles),
    } as Request
    const { properties, required } = this
    const input = {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
    return { input, request }
  }

  /** The path with the names of arguments. Places without a value are fields of the connection. */
  private path(path: string): string {
    const values = this.operation.path ?? {}
    const before = new Map(
      [...path.matchAll(/([^/]*)\/\{\+?(\w[\w.-]*)\}/g)].map(([, segment, name]) => [name, segment]),
    )
    let template = path
    for (const [name, value] of Object.entries(values)) {
      if (!new RegExp(`\\{\\+?${name}\\}`).test(path)) this.fail(`the path has no {${name}}`)
      const { argument } = this.add(name, value, 'path', before.get(name))
      template = template.replace(new RegExp(`(\\{\\+?)${name}\\}`), `$1${argument}}`)
    }
    return template
  }

  private values(values: StatedValues | undefined, place: string, styles: Record<string, string>): Template {
    return Object.fromEntries(
      Object.entries(values ?? {}).map(([name, value]) => {
        const { template, read } = this.add(name, value, place)
        if (read.style !== undefined) styles[name] = read.style
        return [name, template]
      }),
    )
  }

  private body(styles: Record<string, string>): unknown {
    const { body, whole_body: whole, fixed = {}, graphql, variables } = this.operation
    if (whole !== undefined) return this.add('body', whole, 'body').template
    if (graphql !== undefined) {
      this.checkGraphql(graphql, variables ?? {})
      const values = this.values(variables, 'variables', {})
      return { query: literal(graphql), ...(variables && { variables: values }) }
    }
    const entries = [
      ...Object.entries(fixed.body ?? {}),
      ...Object.entries(this.values(body, 'body', styles)),
    ]
    if (entries.length === 0) return undefined
    const root: Template = {}
    for (const [name, value] of entries) this.put(root, name, value)
    return root
  }

  /** Puts a value at its place: `data.values` is the member `values` of the member `data`. */
  private put(root: Template, name: string, value: unknown): void {
    const isFlat = !['json', undefined].includes(this.operation.body_type)
    const steps = isFlat ? [name] : name.split('.')
    const last = steps.pop()!
    let at = root
    for (const step of steps) at = (at[step] ??= {}) as Template
    if (Object.hasOwn(at, last)) this.fail(`the body has ${name} twice`)
    at[last] = value
  }

  private add(
    name: string,
    value: StatedValue,
    place: string,
    segment?: string,
  ): { argument: string; template: Template; read: ReadValue } {
    const read = readValue(value, `${this.operation.slug} ${place} ${name}`)
    const wire = place === 'body' ? name.split('.').at(-1)! : name
    const argument = this.nameOf(read.argument ?? wire, place)
    const schema = read.isFile ? read.schema : withTexts(read.schema)
    const description =
      read.schema['description'] ?? describeArgument(wire, schema, { source: undefined, selects: segment })
    this.properties[argument] = { ...schema, description }
    if (read.isRequired || place === 'path') this.required.push(argument)
    const as = read.as ?? (read.isFile ? 'file' : undefined)
    return { argument, template: { $: argument, ...(as !== undefined && { as }) }, read }
  }

  /** The variables that the text declares are those that are stated, required where it has no default. */
  private checkGraphql(text: string, variables: StatedValues): void {
    const [definition] = parse(text).definitions
    const declared = definition?.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : []
    const names = new Map(
      declared.map(({ variable, type, defaultValue }) => [
        variable.name.value,
        type.kind === 'NonNullType' && defaultValue === undefined,
      ]),
    )
    for (const [name, isRequired] of names)
      if (isRequired !== readValue(variables[name] ?? this.fail(`no variable ${name}`), name).isRequired)
        this.fail(`the variable ${name} is ${isRequired ? '' : 'not '}required`)
    for (const name of Object.keys(variables)) if (!names.has(name)) this.fail(`the text has no $${name}`)
  }

  private fail(reason: string): never {
    throw new Error(`${this.operation.slug}: ${reason}`)
  }
}

/** The schema with a text by rule for each member that has none. */
function withTexts(schema: Json): Json {
  const { properties, items } = schema
  const members = Object.entries(object(properties)).map(([name, value]) => {
    const inner = withTexts(object(value))
    const text =
      inner['description'] ?? describeArgument(name, inner, { source: undefined, selects: undefined })
    return [name, { ...inner, description: text }]
  })
  return {
    ...schema,
    ...(members.length > 0 && { properties: Object.fromEntries(members) }),
    ...(isObject(items) && { items: withTexts(items) }),
  }
}

const nonEmpty = (key: string, value: object) => (Object.keys(value).length > 0 ? { [key]: value } : {})
