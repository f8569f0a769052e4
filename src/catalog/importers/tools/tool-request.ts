import { getOwn, type Json } from '../json.ts'
import type { PathStyle, QueryStyle, RequestManifest } from '../../manifest/format/index.ts'
import type { Operation, Parameter } from '../model.ts'
import {
  type RequestContext,
  castOf,
  constantOf,
  literal,
  pathStyleOf,
  queryStyleOf,
  typesOf,
} from './parameter-styles.ts'
import { ownAddress, splitPath } from './request-path.ts'
import { argumentNames } from './arguments.ts'
import { type Argument, argumentOf } from './tool-argument.ts'
import { bodyParts } from './body.ts'
import { BOUNDS } from '../bounds.ts'
import { ImportRejected } from '../import-rejected.ts'
import { inputOf } from './input-schema.ts'
import { inWords, plainText } from './words.ts'

/** What a tool takes and what it sends. */
export interface ToolRequest {
  readonly input: Json
  readonly request: RequestManifest
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
/** Headers that are no argument: OpenAPI 3.1.1 §4.8.12.1 names the first three, the others belong to the connection. */
const OMITTED_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'cookie',
])
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/

/** Builds the request of an operation with placeholders for its arguments. @throws ImportRejected */
export function toolRequest(operation: Operation, context: RequestContext): ToolRequest {
  const method = METHODS.find((one) => one === operation.method.toUpperCase())!
  const base = ownAddress(operation, context.from)
  const parts = new RequestParts(operation, context, argumentNames(base?.reserved))
  for (const parameter of operation.parameters) parts.addParameter(parameter)
  const body =
    operation.body && !['GET', 'HEAD', 'OPTIONS'].includes(method)
      ? bodyParts(operation.body, context.writer, parts.nameOf)
      : undefined
  const args = [...parts.args, ...(body?.args ?? [])]
  if (args.length > BOUNDS.arguments)
    throw new ImportRejected(
      'too_large',
      `The operation takes ${args.length} arguments; at most ${BOUNDS.arguments} are read.`,
    )
  if (body?.contentType !== undefined) parts.headers['content-type'] = literal(body.contentType)
  return {
    input: inputOf(args, context.writer),
    request: { method, path: wholePath(base?.template, parts.path()), ...parts.manifest(), ...body?.request },
  }
}

const wholePath = (base: string | undefined, path: string): string => {
  const needsSlash = !path.startsWith('/') && !(base === undefined && path === '')
  return `${base ?? ''}${needsSlash ? '/' : ''}${path}` || '/'
}

/** Collects where each parameter of an operation is sent, and the arguments that fill them. */
class RequestParts {
  readonly args: Argument[] = []
  readonly headers: Json = {}
  readonly nameOf: ReturnType<typeof argumentNames>
  private readonly context: RequestContext
  private readonly split: ReturnType<typeof splitPath>
  private readonly places = new Map<string, string>()
  private readonly pathStyle: Record<string, PathStyle> = {}
  private readonly query: Json
  private readonly queryStyle: Record<string, QueryStyle> = {}
  private readonly cookies: Json = {}

  constructor(operation: Operation, context: RequestContext, nameOf: ReturnType<typeof argumentNames>) {
    this.context = context
    this.nameOf = nameOf
    this.split = splitPath(operation.path)
    this.query = { ...this.split.query }
  }

  addParameter(parameter: Parameter): void {
    if (this.isOmitted(parameter)) return
    if (parameter.in !== 'path') return this.addValue(parameter, parameter.in)
    const queryName = this.split.asked.get(parameter.name)
    if (queryName === undefined) return this.addPathPlace(parameter)
    const name = this.nameOf(parameter.name, 'query')
    this.query[queryName] = { $: name }
    this.args.push(parameterArgument(name, parameter, false))
  }

  /** The path with placeholders for arguments. */
  path(): string {
    return this.split.path.replace(/\{([^{}/?#]+)\}/g, (_, name: string) => this.places.get(name)!)
  }

  manifest(): Partial<RequestManifest> {
    return {
      ...nonEmpty('path_style', this.pathStyle),
      ...nonEmpty('query', this.query),
      ...nonEmpty('query_style', this.queryStyle),
      ...nonEmpty('headers', this.headers),
      ...nonEmpty('cookies', this.cookies),
    }
  }

  /** Whether the connection or the engine sends the parameter. */
  private isOmitted(parameter: Parameter): boolean {
    const { in: place, name } = parameter
    return (
      this.context.isCredential(place, name) ||
      (place === 'header' && (OMITTED_HEADERS.has(name.toLowerCase()) || !HEADER.test(name)))
    )
  }

  private addPathPlace(parameter: Parameter): void {
    if (!this.split.path.includes(`{${parameter.name}}`)) return
    const constant = constantOf(parameter, this.context)
    if (constant !== undefined) {
      this.places.set(parameter.name, encodeURIComponent(String(constant)).replaceAll('{', '{{'))
      return
    }
    const name = this.nameOf(parameter.name, 'path')
    const style = pathStyleOf(parameter, typesOf(parameter, this.context))
    this.places.set(parameter.name, `{${name}}`)
    if (style !== undefined) this.pathStyle[name] = style
    this.args.push(parameterArgument(name, parameter, true))
  }

  private addValue(parameter: Parameter, place: 'query' | 'header' | 'cookie'): void {
    const target = { query: this.query, header: this.headers, cookie: this.cookies }[place]
    const constant = constantOf(parameter, this.context)
    if (constant !== undefined) {
      target[parameter.name] = literal(constant)
      return
    }
    // The query of the path already contains this parameter.
    if (place === 'query' && Object.hasOwn(this.query, parameter.name)) return
    const name = this.nameOf(parameter.name, place)
    const types = typesOf(parameter, this.context)
    // The server has a value of its own.
    const hasDefault = getOwn(parameter.schema.value, 'default') !== undefined
    this.args.push(parameterArgument(name, parameter, parameter.required && !hasDefault))
    target[parameter.name] = { $: name, ...castOf(parameter, types) }
    const style = place === 'query' ? queryStyleOf(parameter, types) : 'repeat'
    if (style !== 'repeat') this.queryStyle[parameter.name] = style
  }
}

const nonEmpty = <K extends string>(key: K, value: object) =>
  Object.keys(value).length > 0 ? { [key]: value } : {}

function parameterArgument(name: string, parameter: Parameter, required: boolean): Argument {
  const { description, deprecated, schema, example } = parameter
  return argumentOf({
    name,
    required,
    place: schema,
    example,
    description:
      [deprecated ? 'Deprecated.' : '', description === undefined ? '' : plainText(description, 300)]
        .filter(Boolean)
        .join(' ') || undefined,
    fallback: inWords(parameter.name),
    filled: parameter.in === 'path' && required,
  })
}
