import type { ResolvedTool, JsonSchema } from '../../../../catalog/index.ts'
import { argumentsOf, type Need } from './argument-sources.ts'

type Rule = (found: ResolvedTool, needs: readonly Need[]) => string | readonly string[] | undefined

const WRITES: ReadonlySet<string> = new Set(['create', 'update'])
const PITFALLS_MAX = 6
const NEEDS_TOLD_MAX = 3

/** Each says what the toolkit declares, most harmful first. */
const RULES: readonly Rule[] = [
  ({ tool: { slug, retirement, deprecated } }) =>
    !deprecated
      ? undefined
      : `${slug} is deprecated${retirement?.reason ? `: ${retirement.reason.replace(/\.$/, '')}` : ''}${retirement?.replacedBy ? `; use ${retirement.replacedBy}` : ''}.`,
  ({ tool: { slug, effect } }) =>
    effect === 'delete' ? `${slug} deletes; ask the user before the call.` : undefined,
  ({ tool: { slug, effect, idempotent } }) =>
    WRITES.has(effect) && !idempotent
      ? `Calling ${slug} again does it once more: after a failure look whether it was done before you repeat it.`
      : undefined,
  ({ tool: { slug } }, needs) =>
    needs
      .slice(0, NEEDS_TOLD_MAX)
      .map(
        ({ argument, producers }) =>
          `\`${argument}\` of ${slug} has to be one that ${producers.join(' or ')} answers; do not make it up.`,
      ),
  (found) =>
    filesIn(found).map(
      (argument) =>
        `\`${argument}\` of ${found.tool.slug} takes a file that was uploaded before, as {name, mimetype, s3key}.`,
    ),
  ({ tool: { slug, pagination } }) =>
    pagination && !pagination.tool
      ? `${slug} answers a page at a time; \`${pagination.argument}\` asks for the next one.`
      : undefined,
  ({
    tool: {
      slug,
      limits: { argumentsBytes },
    },
  }) =>
    argumentsBytes === undefined ? undefined : `${slug} takes at most ${argumentsBytes} bytes of arguments.`,
  ({ toolkit: { name, manifest } }) => {
    const most = manifest.rate_limit?.concurrency
    return most === undefined
      ? undefined
      : `${name} takes ${most} calls of an account at a time; more of them wait.`
  },
]

/** What goes wrong with a tool, as its toolkit declares it. */
export const pitfallsOf = (found: ResolvedTool, needs: readonly Need[]): string[] =>
  RULES.flatMap((rule) => rule(found, needs) ?? []).slice(0, PITFALLS_MAX)

const isFile = (schema: JsonSchema | undefined): boolean => schema?.['file_uploadable'] === true
const filesIn = (found: ResolvedTool): string[] =>
  Object.entries(argumentsOf(found).properties)
    .filter(([, schema]) => isFile(schema) || isFile(schema['items'] as JsonSchema | undefined))
    .map(([name]) => name)
