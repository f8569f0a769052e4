import { inlineReferences, type JsonSchema, type ResolvedTool } from '../../../catalog/index.ts'
import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { isObject, type JsonObject } from '../../../platform/json-object.ts'
import type { ToolCallOptions, SessionScope } from '../scope/scope.ts'
import { parseInputs } from './parse-inputs.ts'
import type { RecipeProgram } from './parse-program.ts'
import type { RecipeOutcome } from './run-program.ts'
import type { ResumePoint } from './stopped-runs.ts'

/** Runs a cell in the sandbox of the session. `problem`: it could not be run. */
export type RunPythonCell = (
  scope: SessionScope,
  code: string,
  call: { readonly signal: AbortSignal; readonly logId: string },
) => Promise<{ readonly results: string; readonly error: string } | { readonly problem: string }>

const CODE_CHARACTERS_MAX = 100_000
const SLUGS_MAX = 500
/** Names of tools in texts of the code. Others, such as constants, are left out when the recipe is used. */
const SLUG = /["']([A-Z][A-Z0-9_]{2,63})["']/g
const ANY_INPUTS: JsonSchema = { type: 'object', properties: {}, additionalProperties: true }
const NEEDS_WORKBENCH =
  'Recipes in Python need the workbench, which is not enabled in this session. Write the recipe as JSON.'

/** Whether the code of a recipe is Python. Recipes of steps are a JSON object. */
export const isPython = (code: string): boolean => !/^\s*[{[]/.test(code)

/** Parses a recipe in Python: its inputs, and the tools that it names. Its syntax is checked in the sandbox. */
export function parsePython(
  code: string,
  inputSchema: unknown,
  find?: (slug: string) => ResolvedTool | undefined,
): { program: RecipeProgram } | { problems: string[] } {
  const problems: string[] = []
  if (code.length > CODE_CHARACTERS_MAX)
    problems.push(`recipe_code has ${code.length} characters; the limit is ${CODE_CHARACTERS_MAX}.`)
  const inputs =
    inputSchema === undefined
      ? ANY_INPUTS
      : parseInputs(inputSchema, (path, reason) =>
          problems.push(`${path.replace('/inputs', '/input_schema')}: ${reason}`),
        )
  const names = [...new Set([...code.matchAll(SLUG)].map(([, slug]) => slug as string))].slice(0, SLUGS_MAX)
  if (problems.length) return { problems }
  return {
    program: {
      inputs: inlineReferences(inputs),
      steps: [],
      output: undefined,
      // When it is saved, names of tools that the session does not show are constants.
      tools: find ? names.filter((slug) => find(slug)) : names,
      python: code,
    },
  }
}

/** Returns the error of the syntax, or undefined. */
export async function checkPython(
  run: RunPythonCell | undefined,
  scope: SessionScope,
  code: string,
  call: { signal: AbortSignal; logId: string },
): Promise<string | undefined> {
  if (!run || !scope.config.workbench.enable) return NEEDS_WORKBENCH
  const outcome = await run(scope, callOf('check_recipe', { source: code }), call)
  return 'problem' in outcome ? outcome.problem : outcome.error || outcome.results || undefined
}

/** Runs a recipe in Python. Steps that an earlier run completed are not repeated. */
export async function runPythonRecipe(
  run: RunPythonCell | undefined,
  scope: SessionScope,
  { python: source = '' }: RecipeProgram,
  inputs: Readonly<Record<string, unknown>>,
  { values }: ResumePoint,
  call: { signal: ToolCallOptions['signal']; logId: string },
): Promise<RecipeOutcome> {
  if (!run || !scope.config.workbench.enable) return { data: {}, error: NEEDS_WORKBENCH }
  const outcome = await run(scope, callOf('run_recipe', { source, inputs, steps: values }), call)
  if ('problem' in outcome) return { data: {}, error: outcome.problem }
  if (outcome.error) return { data: {}, error: outcome.error }
  return readOutcome(outcome.results)
}

/** A JSON text is also a literal of Python, so nothing of the arguments becomes code. */
const callOf = (name: string, args: JsonObject): string =>
  `__import__("workbench").${name}(${JSON.stringify(JSON.stringify(args))})`

function readOutcome(text: string): RecipeOutcome {
  let json: unknown
  try {
    json = parseBoundedJson(text)
  } catch {
    return { data: {}, error: 'The output of the recipe is too large, or nested too deep.' }
  }
  if (!isObject(json) || typeof json['error'] !== 'string')
    return { data: {}, error: 'The recipe reported no outcome.' }
  const { error, output, failed_step: failedStep } = json
  if (error === '') return { data: isObject(output) ? output : { result: output ?? null }, error: null }
  const values = isObject(json['completed']) ? json['completed'] : {}
  return {
    data: {
      completed_steps: Object.keys(values),
      failed_step: typeof failedStep === 'string' ? failedStep : null,
    },
    error: String(error),
    stopped: { values, items: {} },
  }
}
