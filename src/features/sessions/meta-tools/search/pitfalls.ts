import type { ResolvedTool, JsonSchema } from '../../../../catalog/index.ts'
import { requiredArguments, type ArgumentSource } from './argument-sources.ts'

type PitfallRule = (
  found: ResolvedTool,
  sources: readonly ArgumentSource[],
) => string | readonly string[] | undefined

const WRITE_EFFECTS: ReadonlySet<string> = new Set(['create', 'update'])
const PITFALLS_MAX = 6
const SOURCES_MAX = 3

/** Rules over what the toolkit declares, most harmful first. */
const RULES: readonly PitfallRule[] = [
  ({ tool: { slug, retirement, deprecated } }) => {
    if (!deprecated) return undefined
    const reason = retirement?.reason ? `: ${retirement.reason.replace(/\.$/, '')}` : ''
    const successor = retirement?.replacedBy ? `; use ${retirement.replacedBy}` : ''
    return `${slug} is deprecated${reason}${successor}.`
  },
  ({ tool: { slug, effect, tags } }) => {
    if (effect === 'delete') return `${slug} deletes data. Ask the user before the call.`
    return tags.includes('destructiveHint')
      ? `${slug} can delete data, depending on its arguments. Ask the user before a call that does.`
      : undefined
  },
  ({ tool: { slug, effect, idempotent } }) =>
    WRITE_EFFECTS.has(effect) && !idempotent
      ? `Calling ${slug} again repeats its effect: after a failure, check whether it was done before you repeat it.`
      : undefined,
  ({ tool: { slug } }, sources) =>
    sources
      .slice(0, SOURCES_MAX)
      .map(
        ({ argument, producers }) =>
          `\`${argument}\` of ${slug} must be a value that ${producers.join(' or ')} returns. Do not invent it.`,
      ),
  (found) =>
    fileArguments(found).map(
      (argument) =>
        `\`${argument}\` of ${found.tool.slug} takes a file that was uploaded before, as {name, mimetype, s3key}.`,
    ),
  ({ tool: { slug, pagination } }) =>
    pagination && !pagination.tool
      ? `${slug} returns one page at a time. \`${pagination.argument}\` requests the next one.`
      : undefined,
  ({
    tool: {
      slug,
      limits: { argumentsBytes },
    },
  }) =>
    argumentsBytes === undefined ? undefined : `${slug} takes at most ${argumentsBytes} bytes of arguments.`,
  ({ toolkit: { name, manifest } }) => {
    const concurrencyMax = manifest.rate_limit?.concurrency
    return concurrencyMax === undefined
      ? undefined
      : `${name} takes ${concurrencyMax} calls of an account at a time; more of them wait.`
  },
]

/** Returns the known pitfalls of a tool. */
export const findPitfalls = (found: ResolvedTool, sources: readonly ArgumentSource[]): string[] =>
  RULES.flatMap((rule) => rule(found, sources) ?? []).slice(0, PITFALLS_MAX)

const isFileSchema = (schema: JsonSchema | undefined): boolean => schema?.['file_uploadable'] === true
const fileArguments = (found: ResolvedTool): string[] =>
  Object.entries(requiredArguments(found).properties)
    .filter(([, schema]) => isFileSchema(schema) || isFileSchema(schema['items'] as JsonSchema | undefined))
    .map(([name]) => name)
