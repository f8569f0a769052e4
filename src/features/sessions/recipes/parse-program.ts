import { type ResolvedTool, type JsonSchema, inlineReferences } from '../../../catalog/index.ts'
import { isObject, type JsonObject } from '../../../platform/json-object.ts'
import { type AddProblem, compileTemplate, type TemplateReader } from './compile-template.ts'
import { parseInputs } from './parse-inputs.ts'

/** A parsed recipe: steps in order, each a call of a tool; or Python, which has no steps here. */
export interface RecipeProgram {
  /** JSON Schema of the inputs. */
  readonly inputs: JsonSchema
  readonly steps: readonly RecipeStep[]
  /** Undefined: the output is the result of the last step. */
  readonly output: TemplateReader | undefined
  /** Slugs of the tools that it calls. */
  readonly tools: readonly string[]
  /** The code of a recipe in Python. */
  readonly python?: string
}

export interface RecipeStep {
  readonly id: string
  readonly tool: string
  readonly arguments: TemplateReader
  /** Runs once for each item of this list, as `item`. The value of the step is the list of results. */
  readonly forEach: TemplateReader | undefined
  /** Runs only if this value is present, and not false, null, 0 or empty. */
  readonly when: TemplateReader | undefined
  readonly account: string | undefined
  /** After a failure the value of the step is null, and the recipe continues. */
  readonly mayFail: boolean
}

export const STEPS_MAX = 30
const CODE_CHARACTERS_MAX = 100_000
const PROBLEMS_MAX = 10
const STEP_ID = /^[a-z][a-z0-9_]{0,31}$/
const RESERVED_IDS = new Set(['inputs', 'item'])
const PROGRAM_FIELDS = ['inputs', 'steps', 'output']
const STEP_FIELDS = ['id', 'tool', 'arguments', 'for_each', 'when', 'account', 'on_error']

/**
 * Parses the code of a recipe of steps, or returns its problems by path.
 * @param find finds the tools that a step may call; without it (for code that was checked when it was saved) no tool is
 * looked up
 */
export function parseProgram(
  code: string,
  find?: (slug: string) => ResolvedTool | undefined,
): { program: RecipeProgram } | { problems: string[] } {
  const problems: string[] = []
  const add = (path: string, reason: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push(`${path || '/'}: ${reason}`)
  }
  const json = parseJson(code)
  if (!isObject(json))
    return {
      problems: [
        'recipe_code is not a JSON object. Write {"inputs": …, "steps": […], "output": …}, or Python.',
      ],
    }
  for (const key of Object.keys(json))
    if (!PROGRAM_FIELDS.includes(key))
      add(`/${key.slice(0, 50)}`, `is not known; a recipe has ${PROGRAM_FIELDS.join(', ')}.`)
  const inputs = parseInputs(json['inputs'] ?? { type: 'object', properties: {} }, add)
  const steps = parseSteps(json['steps'], find, add)
  const output =
    json['output'] === undefined
      ? undefined
      : compileTemplate(json['output'], ['inputs', ...steps.map(({ id }) => id)], '/output', add)
  return problems.length
    ? { problems }
    : { program: { inputs, steps, output, tools: steps.map(({ tool }) => tool) } }
}

function parseJson(code: string): unknown {
  if (code.length > CODE_CHARACTERS_MAX) return undefined
  try {
    return JSON.parse(code)
  } catch {
    return undefined
  }
}

function parseSteps(
  list: unknown,
  find: ((slug: string) => ResolvedTool | undefined) | undefined,
  add: AddProblem,
): RecipeStep[] {
  if (!Array.isArray(list) || !list.length || list.length > STEPS_MAX) {
    add('/steps', `must be a list of 1 to ${STEPS_MAX} steps.`)
    return []
  }
  const names = ['inputs']
  return list.flatMap((json: unknown, at): RecipeStep[] => {
    const path = `/steps/${at}`
    if (!isObject(json)) {
      add(path, 'must be an object.')
      return []
    }
    const step = parseStep(json, names, path, add)
    if (step && find) checkStepCall(step.tool, json['arguments'] ?? {}, find, path, add)
    if (step) names.push(step.id)
    return step ? [step] : []
  })
}

function parseStep(
  json: JsonObject,
  earlierNames: readonly string[],
  path: string,
  add: AddProblem,
): RecipeStep | undefined {
  const {
    id,
    tool,
    arguments: args = {},
    for_each: forEach,
    when,
    account,
    on_error: onError = 'stop',
  } = json
  for (const key of Object.keys(json))
    if (!STEP_FIELDS.includes(key))
      add(`${path}/${key.slice(0, 50)}`, `is not known; a step has ${STEP_FIELDS.join(', ')}.`)
  if (typeof id !== 'string' || !STEP_ID.test(id) || RESERVED_IDS.has(id) || earlierNames.includes(id)) {
    add(
      `${path}/id`,
      'must be a unique name: at most 32 lower-case letters, digits and _, not inputs or item.',
    )
    return undefined
  }
  if (typeof tool !== 'string' || !/^[A-Za-z0-9_]{1,64}$/.test(tool)) {
    add(`${path}/tool`, 'must be the slug of a tool.')
    return undefined
  }
  if (!isObject(args)) add(`${path}/arguments`, 'must be an object.')
  if (account !== undefined && (typeof account !== 'string' || account.length > 100))
    add(`${path}/account`, 'must be the id, word id or alias of an account.')
  if (onError !== 'stop' && onError !== 'continue') add(`${path}/on_error`, 'must be stop or continue.')
  const names = forEach === undefined ? earlierNames : [...earlierNames, 'item']
  return {
    id,
    tool: tool.toUpperCase(),
    arguments: compileTemplate(args, names, `${path}/arguments`, add),
    forEach:
      forEach === undefined ? undefined : compileTemplate(forEach, earlierNames, `${path}/for_each`, add),
    when: when === undefined ? undefined : compileTemplate(when, names, `${path}/when`, add),
    account: typeof account === 'string' ? account : undefined,
    mayFail: onError === 'continue',
  }
}

/** Checks that the tool exists, that required arguments are present, and that there are no unknown arguments. */
function checkStepCall(
  slug: string,
  args: unknown,
  find: (slug: string) => ResolvedTool | undefined,
  path: string,
  add: AddProblem,
): void {
  const resolvedTool = find(slug)
  if (!resolvedTool)
    return add(
      `${path}/tool`,
      `${slug} is not a tool of this session. Search for tools first. Meta tools and recipes cannot be steps.`,
    )
  if (!isObject(args) || Object.hasOwn(args, '$')) return
  const { properties = {}, required = [] } = inlineReferences(resolvedTool.tool.input) as {
    properties?: JsonObject
    required?: string[]
  }
  for (const name of required)
    if (!Object.hasOwn(args, name))
      add(`${path}/arguments/${name}`, `is required by ${resolvedTool.tool.slug}.`)
  for (const name of Object.keys(args))
    if (resolvedTool.tool.input['additionalProperties'] !== true && !Object.hasOwn(properties, name))
      add(`${path}/arguments/${name.slice(0, 50)}`, `is not an argument of ${resolvedTool.tool.slug}.`)
}
