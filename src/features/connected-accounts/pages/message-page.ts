import type { Message } from '../outcome.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

const STATUS_LINES = { good: 'Connected', bad: 'Not connected', plain: undefined } as const

/** A page with one message, for browsers that have nowhere else to go, or that are about to go on; with the id of the request where somebody may have to look for it. */
export function messagePage(
  { tone, title, text, copy, detail, branding, toolkit, onward }: Message,
  publicUrl: string,
  requestId?: string,
): string {
  const status = STATUS_LINES[tone]
  return layout(
    { title, toolkit, projectLogo: branding?.logoUrl, projectName: branding?.displayName, publicUrl, onward },
    html`${
      status !== undefined &&
      html`<p class="status ${tone}">${status}</p>
`
    }<h1>${title}</h1>
<p class="lead">${text}</p>${
      copy !== undefined &&
      html`
<p class="copy"><code>${copy}</code></p>`
    }${
      detail !== undefined &&
      html`
<details><summary>${detail.label}</summary><p class="detail">${detail.text}</p></details>`
    }${
      onward &&
      html`
<a class="action" href="${onward.url}">${onward.label}</a>`
    }${
      requestId !== undefined &&
      html`
<p class="id">Request id <code>${requestId}</code></p>`
    }`,
  )
}
