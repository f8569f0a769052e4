import type { UsedNames } from '../compile/tool.ts'
import type { ToolkitManifests } from '../compile/toolkit.ts'
import { propertiesOf } from '../json-schema.ts'
import type { RequestManifest } from '../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import { namesSuppliedByAnyScheme } from './auth/auth.ts'
import { checkResponse } from '../compile/response/response.ts'
import { checkPagination } from './pagination.ts'
import { checkAliases } from './aliases.ts'
import { checkIdempotencyKey } from './limits.ts'
import { compileTemplate } from '../compile/template/templates.ts'

/**
 * Rules about tools that their schema cannot say. `supplied` are the names that every way to connect gives.
 */
export function checkTools(
  snapshot: ToolkitManifests,
  uses: readonly UsedNames[],
  supplied: ReadonlySet<string>,
  report: DiagnosticReporter,
): void {
  const prefix = `${snapshot.toolkit.slug.toUpperCase()}_`
  const slugs = new Set<string>()
  const tokens = namesSuppliedByAnyScheme(snapshot.toolkit)
  const bySlug = new Map(snapshot.tools.map((tool) => [tool.slug, tool]))
  checkAliases(bySlug, snapshot.tools, prefix, report)
  snapshot.tools.forEach((tool, index) => {
    const path = `/tools${pointerSegment(index)}`
    const use = uses[index]!
    if (!tool.slug.startsWith(prefix) || tool.slug === prefix)
      report.add(`${path}/slug`, `must begin with \`${prefix}\`.`)
    if (slugs.has(tool.slug)) report.add(`${path}/slug`, `tool ${tool.slug} is declared twice; keep one.`)
    slugs.add(tool.slug)
    if ([tool.request, tool.mcp, tool.run].filter((one) => one !== undefined).length !== 1)
      report.add(path, 'needs one of `request`, `mcp` and `"run": "code"`.')
    if (tool.run && !snapshot.code) report.add(`${path}/run`, 'needs the file tools.ts, which is missing.')
    checkSchemaRoots(tool, path, report)
    checkPagination(tool, bySlug, `${path}/pagination`, report)
    checkIdempotencyKey(tool, `${path}/idempotency_key`, report)
    checkResponse(tool, `${path}/response`, report)
    if (tool.use_token !== undefined && !tokens.has(tool.use_token))
      report.add(`${path}/use_token`, `\`${tool.use_token}\` is not a value of a connection.`)
    if (tool.mcp) checkMcp(tool.mcp, snapshot, use.args, `${path}/mcp`, report)
    if (!tool.request) return
    checkRequest(tool.request, use.args, `${path}/request`, report)
    const noConnection = tool.no_auth ?? false
    for (const name of use.usedConnection) {
      if (noConnection || !supplied.has(name))
        report.add(
          `${path}/request`,
          `\`${name}\` is neither a property of the input nor a value of every scheme in \`auth\`.`,
        )
    }
    for (const name of use.args) {
      if (!use.usedArgs.has(name))
        report.add(
          `${path}/input/properties${pointerSegment(name)}`,
          'is not used by the request. Remove it, or use it.',
        )
    }
  })
}

/** Rules about one request. `args`: the names that are arguments and no value of the connection. */
export function checkRequest(
  request: RequestManifest,
  args: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  checkPath(request.path, args, `${path}/path`, report)
  checkStyles(request, path, report)
  if (request.body !== undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method))
    report.add(`${path}/body`, `a ${request.method} request must not have a body.`)
}

function checkMcp(
  { headers = {} }: NonNullable<ToolkitManifests['tools'][number]['mcp']>,
  { toolkit }: ToolkitManifests,
  args: ReadonlySet<string>,
  path: string,
  report: DiagnosticReporter,
): void {
  if (toolkit.base_url === undefined && !toolkit.auth.every(({ base_url: own }) => own !== undefined))
    report.add(path, 'needs a `base_url` in toolkit.json: the URL of the MCP server.')
  const names = Object.keys(headers)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    report.add(`${path}/headers`, 'declares a header twice.')
  for (const [name, at] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      report.add(`${path}/headers${pointerSegment(name)}`, 'is not a valid header name.')
    if (!args.has(at.split(/[.[]/)[0]!))
      report.add(`${path}/headers${pointerSegment(name)}`, `\`${at}\` is not a property of the input.`)
  }
}

/** A style that nothing has is a misspelt name. */
function checkStyles(
  { path: text, query, body, body_type: type = 'json', ...request }: RequestManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  const unknown = (
    styles: object | undefined,
    has: (name: string) => boolean,
    at: string,
    reason: string,
  ) => {
    for (const name of Object.keys(styles ?? {}))
      if (!has(name)) report.add(`${path}/${at}${pointerSegment(name)}`, reason)
  }
  unknown(request.query_style, declaresMember(query), 'query_style', 'is not a query parameter.')
  const places = new Set(compileOrNull(text)?.names)
  unknown(request.path_style, (name) => places.has(name), 'path_style', 'is not a placeholder of the path.')
  unknown(request.body_style, declaresMember(body), 'body_style', 'is not a property of the body.')
  unknown(request.part_types, declaresMember(body), 'part_types', 'is not a property of the body.')
  if (request.body_style && type !== 'form' && type !== 'multipart')
    report.add(`${path}/body_style`, 'is only for form and multipart bodies.')
  if (request.part_types && type !== 'multipart')
    report.add(`${path}/part_types`, 'is only for multipart bodies.')
}

/** Members of a body that one argument makes whole are known only when it is called. */
const declaresMember =
  (members: unknown) =>
  (name: string): boolean =>
    Array.isArray(members)
      ? members.includes(name)
      : members !== null &&
        typeof members === 'object' &&
        (Object.hasOwn(members, '$') || Object.hasOwn(members, name))

function checkSchemaRoots(
  tool: ToolkitManifests['tools'][number],
  path: string,
  report: DiagnosticReporter,
): void {
  for (const side of ['input', 'output'] as const) {
    if ((tool[side] as { type?: unknown }).type !== 'object')
      report.add(`${path}/${side}/type`, 'must be `object`.')
  }
  const { required } = tool.input as { required?: unknown }
  if (required === undefined) return
  const properties = propertiesOf(tool.input as Record<string, unknown>)
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    return report.add(`${path}/input/required`, 'must be a list of names.')
  if (new Set(required).size !== required.length)
    report.add(`${path}/input/required`, 'lists a property twice.')
  for (const name of required)
    if (!Object.hasOwn(properties, name))
      report.add(`${path}/input/required`, `\`${name}\` is not a property.`)
}

/** An argument must never choose the host: the request carries the credentials of the account. */
function checkPath(text: string, args: ReadonlySet<string>, path: string, report: DiagnosticReporter): void {
  const template = compileOrNull(text)
  if (!template) return
  const [first] = template.parts
  const isArgument = (part: (typeof template.parts)[number]) =>
    typeof part !== 'string' && part.alternatives.some((one) => 'name' in one && args.has(one.name))
  if (
    first !== undefined &&
    (typeof first === 'string' ? !/^(\/(?!\/)|https?:\/\/)/.test(first) : isArgument(first))
  ) {
    report.add(
      path,
      'must begin with `/`, `https://`, `http://`, or a value of the connection that is a URL.',
    )
  }
  for (const part of template.parts) {
    if (typeof part === 'string') continue
    if (part.position === 'host' && isArgument(part))
      report.add(path, 'must not have an argument in the host.')
    if (part.optional) report.add(path, 'must not use `?`: a part of a path cannot be left out.')
  }
  if (/(^|\/)\.{1,2}(\/|$)/.test(text)) report.add(path, 'must not contain a `.` or `..` segment.')
}

/** Null when it does not compile; that was reported when the tool was built. */
function compileOrNull(text: string): ReturnType<typeof compileTemplate> | null {
  try {
    return compileTemplate(text)
  } catch {
    return null
  }
}
