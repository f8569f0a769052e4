import type { ResolvedSessionConfig } from '../config/session-config.ts'
import type { MetaTool } from '../meta-tools/meta-tool.ts'

/** The use of each meta tool, in the order of a task. */
const STEPS: readonly [slug: string, text: (name: string) => string][] = [
  [
    'SERVICE_SEARCH_TOOLS',
    (name) =>
      `Start every task with ${name}: describe each step in plain words, without personal values. It ` +
      'returns the tools that fit, their arguments, and which applications are connected. Never guess a ' +
      `tool's name or arguments.`,
  ],
  [
    'SERVICE_GET_TOOL_SCHEMAS',
    (name) => `Call ${name} for a tool whose arguments were not in the search result, before you use it.`,
  ],
  [
    'SERVICE_MANAGE_CONNECTIONS',
    (name) =>
      `If an application is not connected, call ${name}, show the user the link that it returns, and ` +
      'continue after the user has connected. Never ask the user for passwords or keys.',
  ],
  [
    'SERVICE_WAIT_FOR_CONNECTIONS',
    (name) => `Call ${name} while the user connects. It returns when the connection is active.`,
  ],
  [
    'SERVICE_MULTI_EXECUTE_TOOL',
    (name) =>
      `Run tools with ${name}. Put calls that do not need each other's results into one batch, and call ` +
      `a tool that needs a result afterwards. Read every item's error: one failure does not stop the ` +
      'others.',
  ],
]

/**
 * Builds the system prompt for a model that uses the session. @param toWireName returns the wire name of a
 * meta tool
 */
export function assistivePrompt(
  { experimental, preload, multi_account: multi }: ResolvedSessionConfig,
  metaTools: readonly MetaTool[],
  toWireName: (slug: string) => string,
  now: Date,
): string {
  const zone = experimental?.assistive_prompt_config?.user_timezone
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone ?? 'UTC', dateStyle: 'short' }).format(now)
  const offered = new Set(metaTools.map(({ slug }) => slug))
  const steps = STEPS.filter(([slug]) => offered.has(slug)).map(
    ([slug, text]) => `- ${text(toWireName(slug))}`,
  )
  return [
    "You act for a user in the user's own applications, with the tools of this session.",
    'Today is ' +
      `${date}${zone ? ` in the user's time zone, ${zone}` : ' (UTC). Ask for the time zone if a date matters'}.`,
    ...steps,
    ...(preload.tools === 'all' || preload.tools.length
      ? ['- Tools that are in the tool list under their own name can be called directly.']
      : []),
    ...(multi.enable
      ? [
          '- Several accounts of one application may be connected. If the user did not name one, ask, ' +
            'and pass it as `account`.',
        ]
      : []),
    '- Before an action that cannot be undone, such as sending or deleting, be sure that the user wants exactly that.',
    '- Report to the user what the tools returned, not what was planned.',
  ].join('\n')
}
