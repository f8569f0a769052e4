import type { Choice } from '../../../contract/policies/index.ts'
import { html, type Markup, renderLayout } from '../../connected-accounts/index.ts'
import type { ApprovalRow } from './store.ts'

export interface ApprovalPageData {
  row: ApprovalRow
  arguments: Readonly<Record<string, unknown>>
  toolkit: { slug: string; name: string }
  /** Null if the tool no longer exists. */
  toolName: string | null
  projectName: string | null
  projectLogo: string | null
  publicUrl: string
  token: string
  formToken: string
}

const VALUE_CHARACTERS_MAX = 4_000
const ARGUMENTS_SHOWN_MAX = 100
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
    { title: `Allow ${toolLabel}?`, toolkit, projectLogo, projectName, publicUrl },
    html`<h1>Allow “${toolLabel}” in ${toolkit.name}?</h1>
<p class="lead"><strong><bdi>${projectName ?? 'An application'}</bdi></strong> asks before this runs${row.user_id !== null && html` for <bdi>${escapeInvisible(row.user_id)}</bdi>`}. Nothing has been sent yet.</p>
${renderFacts(row)}
${renderArguments(data.arguments)}
<form method="post" action="${token}" accept-charset="utf-8"><input type="hidden" name="form_token" value="${formToken}">
${row.choices.map(
  (
    choice,
  ) => html`<button class="action${choice === 'deny' ? ' other' : ''}" name="decision" value="${choice}">${LABELS[choice]}</button>
`,
)}</form>
<p class="foot">You allow exactly this call. If anything about it changes, you are asked again.</p>`,
  )
}

function renderFacts(row: ApprovalRow): Markup {
  const expiresAt = row.expires_at.toISOString()
  return html`<dl class="facts"><dt>Tool</dt><dd><code>${row.tool_slug}</code></dd>${row.connected_account_id !== null && html`<dt>Account</dt><dd><code>${row.connected_account_id}</code></dd>`}${row.reason !== null && html`<dt>Reason</dt><dd><bdi>${escapeInvisible(row.reason)}</bdi></dd>`}
<dt>Decide before</dt><dd><time datetime="${expiresAt}">${expiresAt.replace('T', ' ').slice(0, 16)} UTC</time></dd></dl>`
}

function renderArguments(args: Readonly<Record<string, unknown>>): Markup {
  const entries = Object.entries(args)
  return html`<dl class="facts">${entries.length === 0 && html`<dt>Arguments</dt><dd>none</dd>`}${entries.slice(0, ARGUMENTS_SHOWN_MAX).map(([name, value]) => html`<dt><bdi>${escapeInvisible(name)}</bdi></dt><dd><pre><bdi>${displayValue(value)}</bdi></pre></dd>`)}${
    entries.length > ARGUMENTS_SHOWN_MAX &&
    html`<dt>More arguments</dt><dd>This page does not show ${entries.length - ARGUMENTS_SHOWN_MAX} more arguments. Read them with “patchbay approvals read” before you decide.</dd>`
  }</dl>`
}

function displayValue(value: unknown): string {
  const text = escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  if (text.length <= VALUE_CHARACTERS_MAX) return text
  const hidden = text.length - VALUE_CHARACTERS_MAX
  return (
    `${text.slice(0, VALUE_CHARACTERS_MAX)}… (This page does not show ${hidden} more characters. ` +
    'Read them with “patchbay approvals read” before you decide.)'
  )
}

/** Escapes characters that are invisible or change the direction of the text. */
const escapeInvisible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
