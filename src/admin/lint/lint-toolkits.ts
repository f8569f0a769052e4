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

/** `patchbay toolkits lint <folder>`: every mistake of every manifest below a folder, with file, place and reason. Answers the exit code: 1 when there is one. @throws StartupError */
export async function lintToolkits({ args, out }: LintCommand): Promise<number> {
  const isJson = args.includes('--json')
  const [folder, ...others] = args.filter((arg) => arg !== '--json')
  if (folder === undefined || folder.startsWith('-') || others.length)
    throw new StartupError(
      'toolkits lint takes one folder.',
      'Give the folder that holds one folder a toolkit: `patchbay toolkits lint ./toolkits`.',
      { exitCode: 2 },
    )
  const { about, mistakes, warnings } = await findProblems(folder)
  if (isJson)
    out.write(`${JSON.stringify({ ok: mistakes.length === 0, ...about, mistakes, warnings }, null, 2)}\n`)
  else
    out.write(
      `\n${[...mistakes.map((one) => line('✗', one)), ...warnings.map((one) => line('!', one)), summary(about, mistakes.length, warnings.length)].join('\n')}\n\n`,
    )
  return mistakes.length ? 1 : 0
}

async function findProblems(folder: string): Promise<{
  about?: { toolkits: number; tools: number }
  mistakes: readonly LintProblem[]
  warnings: readonly LintProblem[]
}> {
  try {
    const catalog = await loadCatalog({ folder, lint: true })
    const warnings = [...readAllTools(catalog)].flatMap((tool) =>
      SCHEMA_FORMAT_NAMES.flatMap((dialect) => {
        const told = toolSchemaInFormat(tool, dialect)
        return 'reason' in told
          ? [
              {
                file: `${tool.toolkit}/tools.json`,
                path: tool.slug,
                reason: `is left out of lists in the dialect ${dialect}: ${told.reason}.`,
              },
            ]
          : []
      }),
    )
    return { about: { toolkits: catalog.toolkits.length, tools: catalog.toolCount }, mistakes: [], warnings }
  } catch (error) {
    if (error instanceof ManifestError) return { mistakes: error.diagnostics, warnings: [] }
    throw error
  }
}

const line = (mark: string, { file, path, reason }: LintProblem): string =>
  `  ${mark} ${file}${path && ` ${path}`}\n      ${reason}`

function summary(
  about: { toolkits: number; tools: number } | undefined,
  mistakes: number,
  warnings: number,
): string {
  if (mistakes)
    return `\n  ${mistakes} mistake${mistakes > 1 ? 's' : ''} to mend. Every key is explained in docs/reference/manifest.md.`
  const found = `${about?.toolkits} toolkit${about?.toolkits === 1 ? '' : 's'} with ${about?.tools} tool${about?.tools === 1 ? '' : 's'}: no mistake`
  return `${warnings ? '\n' : ''}  ${found}${warnings ? `, ${warnings} warning${warnings > 1 ? 's' : ''}` : ''}.`
}
