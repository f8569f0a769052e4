import type { UntrustedSource } from '../../../contract/policies/index.ts'
import {
  frameOf,
  html,
  type Markup,
  type PageFrame,
  renderLayout,
  text,
  type TextKey,
  type Translator,
} from '../../connected-accounts/index.ts'
import { APPROVAL_SCRIPT } from './page-script.ts'
import type { ApprovalRow } from './store.ts'

export interface ApprovalPageData extends PageFrame {
  row: ApprovalRow
  arguments: Readonly<Record<string, unknown>>
  toolkit: { slug: string; name: string }
  /** Null if the tool no longer exists. */
  toolName: string | null
  /** Milliseconds since the epoch. */
  now: number
  token: string
  formToken: string
}

const VALUE_CHARACTERS_MAX = 4_000
const ARGUMENTS_SHOWN_MAX = 100
const SOURCES_SHOWN_MAX = 20

/**
 * Renders the page on which a person decides a call. It shows every value that will be sent, with invisible characters
 * escaped so that no value can imitate another.
 */
export function renderApprovalPage(data: ApprovalPageData, translator: Translator): string {
  const { row, toolkit, toolName, projectName, token, formToken } = data
  const { markup } = translator
  const tool = toolName ?? row.tool_slug
  const title = translator.text(text('approval.title', { tool, app: toolkit.name }))
  const project = html`<strong><bdi>${projectName ?? markup('approval.application')}</bdi></strong>`
  const lead =
    row.user_id === null
      ? markup('approval.lead', { project })
      : markup('approval.lead_user', { project, user: html`<bdi>${escapeInvisible(row.user_id)}</bdi>` })
  return renderLayout(
    {
      ...frameOf(data),
      title,
      translator,
      script: APPROVAL_SCRIPT,
    },
    html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${renderFacts(row, data.now, translator)}
${renderSources(row.untrusted_sources, translator)}
${renderArguments(data.arguments, translator)}
<div id="arguments-end" tabindex="-1"></div>
<form class="bar" method="post" action="${token}" accept-charset="utf-8" data-reading>
<input type="hidden" name="form_token" value="${formToken}">
<p class="more" data-continue hidden>${markup('approval.read_first')}</p>
<button class="action" type="button" data-continue hidden>${markup('approval.continue')}</button>
${row.choices.map(
  (choice) => html`<button class="action${choice === 'deny' ? ' other' : ''}"
name="decision" value="${choice}">${markup(`approval.${choice}`)}</button>
`,
)}</form>
<p class="foot">${footer(row, tool, translator)}</p>`,
  )
}

/** Says how much a person allows. */
function footer(
  { choices, connected_account_id: account }: ApprovalRow,
  tool: string,
  { text: write }: Translator,
): string {
  const once = text('approval.once')
  if (!choices.includes('allow_session')) return write(once)
  return write([once, text(account === null ? 'approval.session' : 'approval.session_account', { tool })])
}

const renderFact = (name: Markup, value: Markup): Markup => html`<dt>${name}</dt><dd>${value}</dd>`

function renderFacts(
  { tool_slug, connected_account_id: account, reason, expires_at }: ApprovalRow,
  now: number,
  translator: Translator,
): Markup {
  const { markup } = translator
  const expiresAt = expires_at.toISOString()
  const displayedTime = `${expiresAt.replace('T', ' ').slice(0, 16)} UTC`
  const remaining = timeLeft(expires_at, now, translator)
  const end = html`<time datetime="${expiresAt}" data-countdown>${remaining} (${displayedTime})</time>`
  return html`<dl class="facts">${renderFact(markup('approval.tool'), html`<code>${tool_slug}</code>`)}
${account !== null && renderFact(markup('approval.account'), html`<code>${account}</code>`)}
${reason !== null && renderFact(markup('approval.reason'), html`<bdi>${escapeInvisible(reason)}</bdi>`)}
${renderFact(markup('approval.decide_before'), end)}</dl>`
}

const MINUTE_MS = 60_000

/** The server does not know the time zone of the person, so it says how much time is left. */
function timeLeft(expiresAt: Date, now: number, { language, text: write }: Translator): string {
  const minutes = Math.floor((expiresAt.getTime() - now) / MINUTE_MS)
  if (minutes < 1) return write(text('approval.soon'))
  const duration = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  return minutes < 120
    ? duration.format(minutes, 'minute')
    : duration.format(Math.floor(minutes / 60), 'hour')
}

/** Says what the agent has read before: any of it may contain instructions of its author. */
function renderSources(sources: readonly UntrustedSource[], { markup }: Translator): Markup {
  const firstSources = sources.slice(0, SOURCES_SHOWN_MAX)
  const omitted = sources.length - firstSources.length
  return html`${
    sources.length > 0 &&
    html`<h2>${markup('approval.sources')}</h2>
<p>${markup('approval.sources_text')}</p>
<dl class="facts">${firstSources.map((source) => renderSource(source, markup))}
${omitted > 0 && renderFact(markup('approval.more'), markup('approval.more_sources', { count: omitted }))}</dl>`
  }`
}

const renderSource = (
  { category, toolkit_slug: toolkit, tool_slug: tool, note }: UntrustedSource,
  markup: Translator['markup'],
): Markup =>
  renderFact(
    markup(`content.${category}` satisfies TextKey),
    note === null ? html`<code>${tool ?? toolkit}</code>` : html`<bdi>${escapeInvisible(note)}</bdi>`,
  )

function renderArguments(
  args: Readonly<Record<string, unknown>>,
  { markup, text: write }: Translator,
): Markup {
  const entries = Object.entries(args)
  const omitted = entries.length - ARGUMENTS_SHOWN_MAX
  const hidden = text('approval.hidden_arguments', { count: String(omitted) })
  const note = html`${write([hidden, text('approval.read_all')])}`
  const none = entries.length === 0 && renderFact(markup('approval.arguments'), markup('approval.none'))
  return html`<dl class="facts">${none}
${entries.slice(0, ARGUMENTS_SHOWN_MAX).map(([name, value]) => renderArgument(name, value, write))}
${omitted > 0 && renderFact(markup('approval.more_arguments'), note)}</dl>`
}

const renderArgument = (name: string, value: unknown, write: Translator['text']): Markup =>
  html`<dt><bdi>${escapeInvisible(name)}</bdi></dt><dd><pre><bdi>${displayValue(value, write)}</bdi></pre></dd>`

function displayValue(value: unknown, write: Translator['text']): string {
  const display = escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  if (display.length <= VALUE_CHARACTERS_MAX) return display
  const count = String(display.length - VALUE_CHARACTERS_MAX)
  const note = write([text('approval.hidden_characters', { count }), text('approval.read_all')])
  return `${display.slice(0, VALUE_CHARACTERS_MAX)}… (${note})`
}

/** Escapes characters that are invisible or change the direction of the text. */
const escapeInvisible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
