import type { ContentCategory } from '../../../contract/policies/content-categories.ts'
import type { Choice, UntrustedSource } from '../../../contract/policies/index.ts'
import { html, type Markup, type PageTheme, renderLayout } from '../../connected-accounts/index.ts'
import type { ApprovalRow } from './store.ts'

export interface ApprovalPageData {
  row: ApprovalRow
  arguments: Readonly<Record<string, unknown>>
  toolkit: { slug: string; name: string }
  /** Null if the tool no longer exists. */
  toolName: string | null
  projectName: string | null
  projectLogo: string | null
  theme?: PageTheme | undefined
  /** Milliseconds since the epoch. */
  now: number
  publicUrl: string
  token: string
  formToken: string
}

const VALUE_CHARACTERS_MAX = 4_000
const ARGUMENTS_SHOWN_MAX = 100
const SOURCES_SHOWN_MAX = 20
const READ_ALL = 'Read them with “patchbay approvals read” before you decide.'
const LABELS: Readonly<Record<Choice, string>> = {
  allow_once: 'Allow once',
  allow_session: 'Allow for this session',
  deny: 'Deny',
}

/**
 * Renders the page on which a person decides a call. It shows every value that will be sent, with invisible characters
 * escaped so that no value can imitate another.
 */
export function renderApprovalPage(data: ApprovalPageData): string {
  const { row, toolkit, toolName, projectName, projectLogo, publicUrl, token, formToken } = data
  const toolLabel = toolName ?? row.tool_slug
  return renderLayout(
    { title: `Allow ${toolLabel}?`, toolkit, projectLogo, projectName, publicUrl, theme: data.theme },
    html`<h1>Allow “${toolLabel}” in ${toolkit.name}?</h1>
<p class="lead"><strong><bdi>${projectName ?? 'An application'}</bdi></strong> asks before this runs${renderUser(row)}.
Nothing has been sent yet.</p>
${renderFacts(row, data.now)}
${renderSources(row.untrusted_sources)}
${renderArguments(data.arguments)}
<form method="post" action="${token}" accept-charset="utf-8">
<input type="hidden" name="form_token" value="${formToken}">
${row.choices.map(
  (choice) => html`<button class="action${choice === 'deny' ? ' other' : ''}"
name="decision" value="${choice}">${LABELS[choice]}</button>
`,
)}</form>
<p class="foot">${footer(row, toolLabel)}</p>`,
  )
}

/** Says how much a person allows. */
function footer({ choices, connected_account_id: account }: ApprovalRow, tool: string): string {
  const once = 'Allow once allows exactly this call. If anything about it changes, you are asked again.'
  if (!choices.includes('allow_session')) return once
  const withAccount = account === null ? '' : ' with this account'
  return (
    `${once} Allow for this session also allows every later call of “${tool}”${withAccount}, with any values, ` +
    'until the session ends.'
  )
}

const renderUser = ({ user_id: user }: ApprovalRow) =>
  user !== null && html` for <bdi>${escapeInvisible(user)}</bdi>`

const renderFact = (name: string, value: Markup): Markup => html`<dt>${name}</dt><dd>${value}</dd>`

function renderFacts(
  { tool_slug, connected_account_id: account, reason, expires_at }: ApprovalRow,
  now: number,
): Markup {
  const expiresAt = expires_at.toISOString()
  const displayedTime = `${expiresAt.replace('T', ' ').slice(0, 16)} UTC`
  return html`<dl class="facts">${renderFact('Tool', html`<code>${tool_slug}</code>`)}
${account !== null && renderFact('Account', html`<code>${account}</code>`)}
${reason !== null && renderFact('Reason', html`<bdi>${escapeInvisible(reason)}</bdi>`)}
${renderFact('Decide before', html`<time datetime="${expiresAt}">${timeLeft(expires_at, now)} (${displayedTime})</time>`)}</dl>`
}

const MINUTE_MS = 60_000
const duration = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** The server does not know the time zone of the person, so it says how much time is left. */
function timeLeft(expiresAt: Date, now: number): string {
  const minutes = Math.floor((expiresAt.getTime() - now) / MINUTE_MS)
  if (minutes < 1) return 'in less than a minute'
  return minutes < 120
    ? duration.format(minutes, 'minute')
    : duration.format(Math.floor(minutes / 60), 'hour')
}

const CONTENT_LABELS: Readonly<Record<ContentCategory, string>> = {
  mail: 'E-mail',
  chat: 'Chat messages',
  web: 'Web pages',
  issues: 'Issues, tickets or code',
  files: 'Files and documents',
  social: 'Social media',
  calendar: 'Calendar entries',
  forms: 'Forms and feedback',
  records: 'Records of an application',
  stored: 'Notes or recipes of an earlier session',
}

/** Says what the agent has read before: any of it may contain instructions of its author. */
function renderSources(sources: readonly UntrustedSource[]): Markup {
  const firstSources = sources.slice(0, SOURCES_SHOWN_MAX)
  const omitted = sources.length - firstSources.length
  return html`${
    sources.length > 0 &&
    html`<h2>Before this call, the agent read content that other people wrote</h2>
<p>Such content can contain instructions to the agent. Check that this call is what you want.</p>
<dl class="facts">${firstSources.map(renderSource)}
${omitted > 0 && renderFact('More', html`${omitted} more sources`)}</dl>`
  }`
}

const renderSource = ({ category, toolkit_slug: toolkit, tool_slug: tool, note }: UntrustedSource): Markup =>
  renderFact(
    CONTENT_LABELS[category],
    note === null ? html`<code>${tool ?? toolkit}</code>` : html`<bdi>${escapeInvisible(note)}</bdi>`,
  )

function renderArguments(args: Readonly<Record<string, unknown>>): Markup {
  const entries = Object.entries(args)
  const omitted = entries.length - ARGUMENTS_SHOWN_MAX
  const note = html`This page does not show ${omitted} more arguments. ${READ_ALL}`
  return html`<dl class="facts">${entries.length === 0 && renderFact('Arguments', html`none`)}
${entries.slice(0, ARGUMENTS_SHOWN_MAX).map(([name, value]) => renderArgument(name, value))}
${omitted > 0 && renderFact('More arguments', note)}</dl>`
}

const renderArgument = (name: string, value: unknown): Markup =>
  html`<dt><bdi>${escapeInvisible(name)}</bdi></dt><dd><pre><bdi>${displayValue(value)}</bdi></pre></dd>`

function displayValue(value: unknown): string {
  const text = escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  if (text.length <= VALUE_CHARACTERS_MAX) return text
  const hidden = text.length - VALUE_CHARACTERS_MAX
  return (
    `${text.slice(0, VALUE_CHARACTERS_MAX)}… (This page does not show ${hidden} more characters. ` +
    `${READ_ALL})`
  )
}

/** Escapes characters that are invisible or change the direction of the text. */
const escapeInvisible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
