import formats from 'ajv-formats'
import { createSchemaCheck, type SchemaCheck } from './schemas.ts'
import type { ToolManifest, TriggerManifest } from '../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../diagnostics.ts'
import type { ToolkitVersionSource } from '../load/read.ts'
import { checkFileMarkers } from './files.ts'
import { isObject } from '../../../platform/json-object.ts'

/** Made at first use and kept: making it costs half a second of processor time. */
let check: SchemaCheck | undefined

/**
 * Compiles the schemas of every tool and trigger and imports the code tools. Bears any shape: that the files
 * fit the format is judged elsewhere. `sharesCode`: the release uses the code of the newest one, which may have further
 * tools.
 */
export async function lintFiles(
  source: ToolkitVersionSource,
  reportOf: (file: string) => DiagnosticReporter,
  sharesCode = false,
): Promise<void> {
  const tools = (source.tools as { tools?: unknown } | null)?.tools
  if (!Array.isArray(tools)) return
  check ??= newSchemaCheckWithFormats()
  const look = check
  const coded = new Set<string>()
  tools.forEach((tool: ToolManifest | null, index) => {
    if (tool === null || typeof tool !== 'object' || !isObject(tool.input) || !isObject(tool.output)) return
    look(
      { input: { schema: tool.input, input: true }, output: { schema: tool.output } },
      `/tools${pointerSegment(index)}`,
      reportOf('tools.json'),
    )
    checkFileMarkers(tool, `/tools${pointerSegment(index)}`, reportOf('tools.json'))
    if (tool.run) coded.add(tool.slug)
  })
  lintTriggers(source.triggers, look, reportOf('triggers.json'))
  await checkCodeTools(source, coded, reportOf('tools.ts'), sharesCode)
}

function lintTriggers(source: unknown, look: SchemaCheck, report: DiagnosticReporter): void {
  const triggers = (source as { triggers?: unknown } | null | undefined)?.triggers
  if (!Array.isArray(triggers)) return
  triggers.forEach((trigger: TriggerManifest | null, index) => {
    if (
      trigger === null ||
      typeof trigger !== 'object' ||
      !isObject(trigger.config) ||
      !isObject(trigger.payload)
    )
      return
    look(
      { config: { schema: trigger.config, input: true }, payload: { schema: trigger.payload } },
      `/triggers${pointerSegment(index)}`,
      report,
    )
  })
}

async function checkCodeTools(
  { code }: ToolkitVersionSource,
  coded: ReadonlySet<string>,
  report: DiagnosticReporter,
  sharesCode: boolean,
): Promise<void> {
  if (!code) return
  const tools = await code().catch((error: unknown) =>
    report.add('', `cannot be imported: ${String((error as Error).message).slice(0, 300)}`),
  )
  if (!tools) return
  for (const slug of coded)
    if (typeof tools[slug] !== 'function') report.add('', `\`tools\` has no function ${slug}.`)
  if (sharesCode) return
  for (const name of Object.keys(tools))
    if (!coded.has(name)) report.add('', `\`tools\` has ${name}, which is not a tool with \`"run": "code"\`.`)
}

function newSchemaCheckWithFormats(): SchemaCheck {
  // The package is CommonJS whose default export is its function; the types say so only under another module
  // setting.
  return createSchemaCheck((ajv) => (formats as unknown as (ajv: unknown) => unknown)(ajv))
}
