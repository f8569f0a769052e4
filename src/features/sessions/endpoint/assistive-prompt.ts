import type { ResolvedSessionConfig } from '../config/session-config.ts'
import type { MetaTool } from '../meta-tools/meta-tool.ts'

/** What each meta tool is for, in the order in which they are used. */
const STEPS: readonly [slug: string, text: (name: string) => string][] = [
  [
    'SERVICE_SEARCH_TOOLS',
    (name) =>
      `Begin every task with ${name}: describe each step in plain words, without personal values. It answers the tools that fit, their arguments, and which applications are connected. Never guess a tool's name or arguments.`,
  ],
  [
    'SERVICE_GET_TOOL_SCHEMAS',
    (name) =>
      `Call ${name} for a tool whose arguments were not part of the search answer, before you use it.`,
  ],
  [
    'SERVICE_MANAGE_CONNECTIONS',
    (name) =>
      `Where an application is not connected, call ${name}, show the user the link it answers, and go on when the user has followed it. Never ask the user for passwords or keys.`,
  ],
  [
    'SERVICE_WAIT_FOR_CONNECTIONS',
    (name) => `Call ${name} while the user follows the link; it answers when the connection is there.`,
  ],
  [
    'SERVICE_MULTI_EXECUTE_TOOL',
    (name) =>
      `Run tools with ${name}. Calls that do not need each other's results go into one batch; one that needs a result waits for it. Read every item's error: one failure does not stop the others.`,
  ],
]

/** A system prompt for whoever works in the session. `spell`: how the wire spells the names of meta tools. */
export function assistivePrompt(
  { experimental, preload, multi_account: multi }: ResolvedSessionConfig,
  metaTools: readonly MetaTool[],
  spell: (slug: string) => string,
  now: Date,
): string {
  const zone = experimental?.assistive_prompt_config?.user_timezone
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: zone ?? 'UTC', dateStyle: 'short' }).format(now)
  const offered = new Set(metaTools.map(({ slug }) => slug))
  const steps = STEPS.filter(([slug]) => offered.has(slug)).map(([slug, text]) => `- ${text(spell(slug))}`)
  return [
    "You act for a user in the user's own applications, by the tools of this session.",
    `Today is ${date}${zone ? ` in the user's time zone, ${zone}` : ' (UTC). Ask for the time zone if a date matters'}.`,
    ...steps,
    ...(preload.tools === 'all' || preload.tools.length
      ? ['- Tools that are listed by their own name can be called directly.']
      : []),
    ...(multi.enable
      ? [
          '- Several accounts of one application may be connected: where the user did not say which is meant, ask, and name it as `account`.',
        ]
      : []),
    '- Before something that cannot be undone, such as sending or deleting, be sure that the user wants exactly that.',
    '- Tell the user what was done by what the tools answered, not by what was planned.',
  ].join('\n')
}
