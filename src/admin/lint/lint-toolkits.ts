import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  SCHEMA_FORMAT_NAMES,
  toolSchemaInFormat,
  loadCatalog,
  ManifestError,
  readAllTools,
} from '../../catalog/index.ts'
import { StartupError } from '../../platform/startup-error.ts'

export interface LintCommand {
  args: readonly string[]
  out: Pick<NodeJS.WriteStream, 'write'>
}

interface LintProblem {
  file: string
  path: string
  reason: string
}

/**
 * Runs `patchbay toolkits lint <folder>`: prints every problem of the manifests below a folder, with file,
 * position and reason. Returns the exit code: 1 if there is a problem. @throws StartupError
 */
export async function lintToolkits({ args, out }: LintCommand): Promise<number> {
  const isJson = args.includes('--json')
  const [folder, ...others] = args.filter((arg) => arg !== '--json')
  if (folder === undefined || folder.startsWith('-') || others.length)
    throw new StartupError(
      'toolkits lint takes one folder.',
      'Use the folder that contains a folder for each toolkit: `patchbay toolkits lint ./toolkits`.',
      { exitCode: 2 },
    )
  const { about, problems, warnings } = await findProblems(folder)
  if (isJson)
    out.write(
      `${JSON.stringify({ ok: problems.length === 0, ...about, diagnostics: problems, warnings }, null, 2)}\n`,
    )
  else {
    const lines = [
      ...problems.map((one) => line('✗', one)),
      ...warnings.map((one) => line('!', one)),
      summary(about, problems.length, warnings.length),
    ]
    out.write(`\n${lines.join('\n')}\n\n`)
  }
  return problems.length ? 1 : 0
}

async function findProblems(folder: string): Promise<{
  about?: { toolkits: number; tools: number }
  problems: readonly LintProblem[]
  warnings: readonly LintProblem[]
}> {
  try {
    const catalog = await loadCatalog({ folder, lint: true })
    const warnings = [...readAllTools(catalog)].flatMap((tool) =>
      SCHEMA_FORMAT_NAMES.flatMap((format) => {
        const schema = toolSchemaInFormat(tool, format)
        return 'reason' in schema
          ? [
              {
                file: fileOfTool(folder, tool),
                path: tool.slug,
                reason: `is omitted from lists in the tool format ${format}: ${schema.reason}.`,
              },
            ]
          : []
      }),
    )
    return { about: { toolkits: catalog.toolkits.length, tools: catalog.toolCount }, problems: [], warnings }
  } catch (error) {
    if (error instanceof ManifestError) return { problems: error.diagnostics, warnings: [] }
    throw error
  }
}

/** The file of a tool below the folder of toolkits: its own, or the file of all tools. */
function fileOfTool(folder: string, { toolkit, slug }: { toolkit: string; slug: string }): string {
  const own = `${toolkit}/tools/${slug}.json`
  return existsSync(join(folder, own)) ? own : `${toolkit}/tools.json`
}

const line = (mark: string, { file, path, reason }: LintProblem): string =>
  `  ${mark} ${file}${path && ` ${path}`}\n      ${reason}`

function summary(
  about: { toolkits: number; tools: number } | undefined,
  problems: number,
  warnings: number,
): string {
  if (problems)
    return `\n  ${problems} problem${problems > 1 ? 's' : ''} to fix. docs/reference/manifest.md explains every key.`
  const counts =
    `${about?.toolkits} toolkit${about?.toolkits === 1 ? '' : 's'} with ${about?.tools} ` +
    `tool${about?.tools === 1 ? '' : 's'}: no problems`
  return `${warnings ? '\n' : ''}  ${counts}${warnings ? `, ${warnings} warning${warnings > 1 ? 's' : ''}` : ''}.`
}
