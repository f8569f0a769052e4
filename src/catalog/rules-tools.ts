import { propertiesOf, type Snapshot, type ToolUse } from './build.ts'
import { pointer, type Reporter } from './mistakes.ts'
import { suppliedBySome } from './rules-auth.ts'
import { compileTemplate } from './templates.ts'

/** Rules about tools that their schema cannot say. `supplied` are the names that every way to connect gives. */
export function checkTools(snapshot: Snapshot, uses: readonly ToolUse[], supplied: ReadonlySet<string>, report: Reporter): void {
  const prefix = `${snapshot.toolkit.slug.toUpperCase()}_`
  const slugs = new Set<string>()
  const tokens = suppliedBySome(snapshot.toolkit)
  snapshot.tools.forEach((tool, index) => {
    const path = `/tools${pointer(index)}`
    const use = uses[index]!
    if (!tool.slug.startsWith(prefix) || tool.slug === prefix) report.add(`${path}/slug`, `must begin with \`${prefix}\`.`)
    if (slugs.has(tool.slug)) report.add(`${path}/slug`, `\`${tool.slug}\` is there twice.`)
    slugs.add(tool.slug)
    if ((tool.request === undefined) === (tool.run === undefined)) report.add(path, 'needs either a `request` or `"run": "code"`.')
    if (tool.run && !snapshot.code) report.add(`${path}/run`, 'the folder has no tools.ts.')
    checkSchemaRoots(tool, path, report)
    if (tool.use_token !== undefined && !tokens.has(tool.use_token)) report.add(`${path}/use_token`, `\`${tool.use_token}\` is nothing that a connection has.`)
    if (!tool.request) return
    checkPath(tool.request.path, use.args, `${path}/request/path`, report)
    const noConnection = tool.no_auth ?? false
    for (const name of use.usedConnection) {
      if (noConnection || !supplied.has(name)) report.add(`${path}/request`, `\`${name}\` is neither a property of the input nor a value of every connection.`)
    }
    for (const name of use.args) {
      if (!use.usedArgs.has(name)) report.add(`${path}/input/properties${pointer(name)}`, 'is not used by the request.')
    }
    for (const name of Object.keys(tool.request.query_style ?? {})) {
      const { query } = tool.request
      if (!query || !(Array.isArray(query) ? query.includes(name) : Object.hasOwn(query, name))) report.add(`${path}/request/query_style${pointer(name)}`, 'is no query parameter.')
    }
    if (tool.request.body !== undefined && (tool.request.method === 'GET' || tool.request.method === 'HEAD')) report.add(`${path}/request/body`, `a ${tool.request.method} request has no body.`)
  })
}

function checkSchemaRoots(tool: Snapshot['tools'][number], path: string, report: Reporter): void {
  for (const side of ['input', 'output'] as const) {
    if ((tool[side] as { type?: unknown }).type !== 'object') report.add(`${path}/${side}/type`, 'must be `object`.')
  }
  const { required } = tool.input as { required?: unknown }
  if (required === undefined) return
  const properties = propertiesOf(tool.input as Record<string, unknown>)
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) return report.add(`${path}/input/required`, 'must be a list of names.')
  if (new Set(required).size !== required.length) report.add(`${path}/input/required`, 'names a property twice.')
  for (const name of required) if (!Object.hasOwn(properties, name)) report.add(`${path}/input/required`, `\`${name}\` is not a property.`)
}

/** An argument must never choose the host: the request carries the credentials of the account. */
function checkPath(text: string, args: ReadonlySet<string>, path: string, report: Reporter): void {
  const template = quietly(text)
  if (!template) return
  const [first] = template.parts
  const isArgument = (part: (typeof template.parts)[number]) => typeof part !== 'string' && part.alternatives.some((one) => 'name' in one && args.has(one.name))
  if (first !== undefined && (typeof first === 'string' ? !/^(\/(?!\/)|https:\/\/)/.test(first) : isArgument(first))) {
    report.add(path, 'must begin with `/`, `https://`, or a value of the connection that is an address.')
  }
  for (const part of template.parts) {
    if (typeof part === 'string') continue
    if (part.position === 'host' && isArgument(part)) report.add(path, 'an argument must not stand in the host.')
    if (part.optional) report.add(path, '`?` is for members that can be left out, not for a path.')
  }
  if (/(^|\/)\.{1,2}(\/|$)/.test(text)) report.add(path, 'must not hold a `.` or `..` segment.')
}

/** Null when it does not compile; that was reported when the tool was built. */
function quietly(text: string): ReturnType<typeof compileTemplate> | null {
  try {
    return compileTemplate(text)
  } catch {
    return null
  }
}
