import type { ToolManifest } from '../../format/index.ts'
import { type DiagnosticReporter } from '../../diagnostics.ts'
import { compilePath } from '../template/paths.ts'
import type { Tool, ValueTemplate } from '../../../types/index.ts'
import { ABSENT, compileValue, type CompileContext } from '../template/values.ts'

type JsonMembers = Record<string, unknown>
type CompiledResponse = Tool['response']

/** Compiles how a reply becomes `data`. */
export function compileResponse(
  { response: manifest = {} }: ToolManifest,
  context: CompileContext,
  path: string,
): CompiledResponse {
  const { pick, wrap, rename, omit, file } = manifest
  if (omit) context.usedArgs.add(omit.asked_by)
  return {
    pick: pick === undefined ? undefined : compilePath(pick),
    wrap,
    tidy: compileCleanup(rename, omit),
    file: file && {
      member: file.member,
      content: file.content === undefined ? undefined : compilePath(file.content),
      encoding: file.encoding ?? 'base64',
      name: compileFileText(file.name, context, `${path}/file/name`),
      mimetype: compileFileText(file.mimetype, context, `${path}/file/mimetype`),
    },
  }
}

/**
 * Texts of a file's name and type are filled from the arguments alone: what a connection holds is nobody's
 * file name.
 */
function compileFileText(
  source: string | undefined,
  context: CompileContext,
  path: string,
): ((args: (name: string) => unknown) => string | undefined) | undefined {
  if (source === undefined) return undefined
  const template: ValueTemplate = compileValue(source, context, path)
  return (args) => {
    const value = template(args, () => undefined)
    return value === ABSENT ? undefined : String(value)
  }
}

/** The parts of `response` that change members of `data`; undefined when there are none. */
function compileCleanup(
  rename: Readonly<Record<string, string>> | undefined,
  omit: { paths: string[]; asked_by: string } | undefined,
): CompiledResponse['tidy'] {
  if (!rename && !omit) return undefined
  const drops = (omit?.paths ?? []).map(splitOmitPath)
  return (data, args) => {
    let tidy = data
    // Asked for by the call: a reader who wants all of it gets all of it.
    if (omit && args[omit.asked_by] === true)
      for (const steps of drops) tidy = omitAt(tidy, steps) as JsonMembers
    return rename
      ? Object.fromEntries(
          Object.entries(tidy).map(([name, value]) => [
            Object.hasOwn(rename, name) ? rename[name]! : name,
            value,
          ]),
        )
      : tidy
  }
}

/** `items[*].links` is `items`, every item, `links`. */
const splitOmitPath = (path: string): string[] => path.replaceAll('[*]', '.*').split('.')

/** A copy without the member at the end of the steps. What is not there needs no removal. */
function omitAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || value === null || typeof value !== 'object') return value
  if (step === '*') return Array.isArray(value) ? value.map((one) => omitAt(one, rest)) : value
  if (Array.isArray(value) || !Object.hasOwn(value, step)) return value
  const { [step]: inner, ...others } = value as JsonMembers
  return rest.length === 0 ? others : { ...value, [step]: omitAt(inner, rest) }
}

/** What a schema cannot say of `response`. */
export function checkResponse(
  { response, input, output }: ToolManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  const { omit, rename = {}, file } = response ?? {}
  const argument = omit && schemaProperties(input)[omit.asked_by]
  if (omit && argument?.['type'] !== 'boolean')
    report.add(
      `${path}/omit/asked_by`,
      `\`${omit.asked_by}\` must be a boolean property of the input, with which a call requests the omission.`,
    )
  const targets = Object.values(rename)
  if (new Set(targets).size < targets.length)
    report.add(`${path}/rename`, 'gives two properties the same name.')
  if (file && schemaProperties(output)[file.member]?.['file_downloadable'] !== true)
    report.add(
      `${path}/file/member`,
      `\`${file.member}\` must be a property of the output with \`"file_downloadable": true\`.`,
    )
}

function schemaProperties(schema: unknown): Readonly<Record<string, JsonMembers | undefined>> {
  const { properties } = (schema ?? {}) as { properties?: unknown }
  return properties !== null && typeof properties === 'object'
    ? (properties as Record<string, JsonMembers>)
    : {}
}
