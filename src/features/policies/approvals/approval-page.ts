import type { Choice } from '../../../contract/approvals.ts'
import { html, renderLayout } from '../../connected-accounts/index.ts'
import type { ApprovalRow } from './store.ts'

export interface ApprovalPage {
  row: ApprovalRow
  arguments: Readonly<Record<string, unknown>>
  toolkit: { slug: string; name: string }
  /** Null: it is no longer there. */
  toolName: string | null
  projectName: string | null
  projectLogo: string | null
  publicUrl: string
  pass: string
  formToken: string
}

const VALUE_CHARACTERS = 4_000
const VALUES_SHOWN = 100
const LABELS: Readonly<Record<Choice, string>> = {
  allow_once: 'Allow once',
  allow_session: 'Allow for this session',
  deny: 'Refuse',
}

/** The page on which a person decides on a call: all that will be sent, and nothing that only looks like something else. */
export function approvalPage({
  row,
  arguments: args,
  toolkit,
  toolName,
  projectName,
  projectLogo,
  publicUrl,
  pass,
  formToken,
}: ApprovalPage): string {
  const entries = Object.entries(args)
  const what = toolName ?? row.tool_slug
  return renderLayout(
    { title: `Allow ${what}?`, toolkit, projectLogo, projectName, publicUrl },
    html`<h1>Allow “${what}” in ${toolkit.name}?</h1>
<p class="lead"><strong><bdi>${projectName ?? 'An application'}</bdi></strong> asks before this runs${row.user_id !== null && html` for <bdi>${visible(row.user_id)}</bdi>`}. Nothing has been sent yet.</p>
<dl class="facts"><dt>Tool</dt><dd><code>${row.tool_slug}</code></dd>${row.connected_account_id !== null && html`<dt>Account</dt><dd><code>${row.connected_account_id}</code></dd>`}${row.reason !== null && html`<dt>Why it asks</dt><dd><bdi>${visible(row.reason)}</bdi></dd>`}
<dt>Decide before</dt><dd><time datetime="${row.expires_at.toISOString()}">${row.expires_at.toISOString().replace('T', ' ').slice(0, 16)} UTC</time></dd></dl>
<dl class="facts">${entries.length === 0 && html`<dt>Arguments</dt><dd>none</dd>`}${entries.slice(0, VALUES_SHOWN).map(([name, value]) => html`<dt><bdi>${visible(name)}</bdi></dt><dd><pre><bdi>${shown(value)}</bdi></pre></dd>`)}${
      entries.length > VALUES_SHOWN &&
      html`<dt>And more</dt><dd>${entries.length - VALUES_SHOWN} arguments are not shown here; read them with “patchbay approvals read” before you decide.</dd>`
    }</dl>
<form method="post" action="${pass}" accept-charset="utf-8"><input type="hidden" name="form_token" value="${formToken}">
${row.choices.map(
  (
    choice,
  ) => html`<button class="action${choice === 'deny' ? ' other' : ''}" name="decision" value="${choice}">${LABELS[choice]}</button>
`,
)}</form>
<p class="foot">What you allow is exactly this call. If anything about it changes, you are asked again.</p>`,
  )
}

function shown(value: unknown): string {
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2))
  return text.length <= VALUE_CHARACTERS
    ? text
    : `${text.slice(0, VALUE_CHARACTERS)}… (${text.length - VALUE_CHARACTERS} more characters are not shown here; read them with “patchbay approvals read” before you decide)`
}

/** Characters that cannot be seen, or turn others around, are written out. */
const visible = (text: string): string =>
  text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
